import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../archive.ts'
import { startDialect } from '../../dialects.ts'

let essarch: Awaited<ReturnType<typeof startDialect>>
beforeAll(async () => {
  essarch = await startDialect('essarch')
})
afterAll(() => essarch.stop())

const allRecords = { within: null, filter: '', open: [], offset: 0, limit: 500 }

test('files and folders of packages, which are tags there too, are no nodes at the desk', async () => {
  const { desk, description } = await essarch.open('reader')
  const named = (name: string) =>
    essarch.act('GET', `tags/?pager=none&index=${name}`).then(({ body }) => (body as { id: string }[]).length)
  const [resources, components, files] = [
    await named('archive'),
    await named('component'),
    await named('document'),
  ]
  expect(files).toBeGreaterThan(components)
  const { total, rows } = await until(async () => {
    const found = await description.list({ ...allRecords, list: 'tags', filter: 'e' })
    return found.total >= resources + components ? found : undefined
  })
  expect(total).toBe(resources + components)
  expect(rows.map(({ title }) => title).filter((title) => title.endsWith('.xml'))).toEqual([])
  // Whoever found one in the search finds its page: by the id that the search has, too.
  const { body } = await essarch.act('GET', 'tags/?index=component&page_size=1')
  const [component] = body as { id: string; current_version: { id: string; name: string } }[]
  expect(component?.id).not.toBe(component?.current_version.id)
  expect(await description.one({ list: 'tags', id: component?.current_version.id ?? '' })).toMatchObject({
    title: component?.current_version.name,
  })
  await desk.stop()
})
