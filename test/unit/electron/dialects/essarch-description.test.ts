import { afterAll, beforeAll, expect, test } from 'vitest'
import { readContents } from '../../../../electron/dialects/essarch/contents.ts'
import { definitionOf, listNames } from '../../../../electron/contract/lists.ts'
import { present } from '../../../support/present.ts'
import { until } from '../../../support/until.ts'
import { startDialect } from '../../../archives/dialects.ts'
import { openWindowless } from '../../../desks/windowless.ts'

let essarch: Awaited<ReturnType<typeof startDialect>>
beforeAll(async () => {
  essarch = await startDialect('essarch')
})
afterAll(() => essarch.stop())

const creatable = listNames.filter((list) => definitionOf(list).isCreatable === true)
const allRecords = { within: null, filter: '', open: [], offset: 0, limit: 500 }

test('files and folders of packages, which are tags there too, are no nodes at the desk', async () => {
  const { desk, description } = await essarch.open()
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

test('a unit and a node are put into what was chosen: never into a template, never beside its archive', async () => {
  const { desk, description } = await essarch.open()
  const { act } = essarch
  const choices = async (list: 'structure-units' | 'tags', name: string) =>
    present((await description.form({ list })).fields?.find((field) => field.name === name)).choices
  const idOf = ({ body }: { body: unknown }) => String((body as { id: unknown }).id)
  const types = (await act('GET', 'structure-types/?pager=none')).body as { id: number }[]
  const template = idOf(
    await act('POST', 'structures/', { name: 'Plan', type: types[0]?.id, version: '1.0' }),
  )
  const unit = { name: 'Series', type: 1, reference_code: '1', structure: template }
  await act('POST', `structures/${template}/units/`, unit)
  await act('POST', `structures/${template}/publish/`, {})
  const [agent] = await choices('tags', 'agent')
  const kinds = await choices('tags', 'type')
  await act('POST', 'search/', {
    index: 'archive',
    name: 'Archive of the plan',
    type: Number(kinds.find(({ text }) => text.startsWith('Archive'))?.value),
    structures: [template],
    archive_creator: agent?.value,
    use_uuid_as_refcode: true,
  })

  const structures = await until(async () => {
    const found = (await choices('tags', 'structure')).filter(({ text }) => text.startsWith('Plan'))
    return found.length === 2 ? found : undefined
  })
  expect(new Map(structures.map(({ isTemplate, text }) => [isTemplate, text]))).toEqual(
    new Map([
      [true, 'Plan – Archival schedule'],
      [false, 'Plan – Archive of the plan'],
    ]),
  )
  const [copy] = structures.filter(({ isTemplate }) => isTemplate === false)
  // Units are made in the archive's structure alone.
  expect((await choices('structure-units', 'structure')).map(({ value }) => value)).not.toContain(template)
  /** What may be chosen in the copy, once the lists were read again. */
  const inCopy = (name: string) =>
    until(async () => {
      const all = await choices('tags', name)
      expect(all.filter(({ within }) => within === template)).toEqual([])
      const found = all.filter(({ within }) => within === copy?.value)
      return found.length > 0 ? found.map(({ text }) => text) : undefined
    })
  expect(await inCopy('structure_unit')).toEqual([expect.stringContaining('Series')])
  expect(await inCopy('parent')).toEqual([expect.stringContaining('Archive of the plan')])
  await desk.stop()
})

test('no form asks for JSON, and a stored search is made of the words that it looks for', async () => {
  const { desk, description } = await essarch.open('administrator')
  for (const list of creatable) {
    const { fields } = await description.form({ list })
    expect([list, fields?.filter(({ type }) => type === 'json') ?? []]).toEqual([list, []])
  }
  await description.create({ list: 'me/searches', values: { name: 'Maps of parks', query: 'kartor' } })
  const { body } = await essarch.act('GET', 'me/searches/?pager=none', undefined, 'administrator')
  expect(body).toContainEqual(
    expect.objectContaining({
      name: 'Maps of parks',
      query: expect.objectContaining({ q: 'kartor' }) as object,
    }),
  )
  await desk.stop()
})

test('what stands in a unit is read when its archive is opened, and stays for the time without the archive', async () => {
  const { desk, folder, description } = await essarch.open()
  const tree = async (features: typeof description, open: string[]) =>
    (await features.tree({ open, offset: 0, limit: 100 })).rows
  /** The row of a name and its id, once it is there. */
  const row = (open: string[], wanted: RegExp) =>
    until(async () => (await tree(description, open)).find(({ title }) => wanted.test(title)))
  const archive = await row([], /Byggnadsnämnden/)
  const unit = await row([archive.id], /Incoming letters/)
  // Nobody has opened the unit; what stands in it goes there all the same.
  const volumes = { ...allRecords, list: 'tags' as const, filter: 'Volume 1' }
  await until(async () => (await description.list(volumes)).total > 0 || undefined)
  await until(async () => {
    const titles = (await tree(description, [archive.id])).map(({ title }) => title)
    return (titles.includes(unit.title) && !titles.includes('Volume 1')) || undefined
  })
  const volume = await until(async () =>
    (await tree(description, [archive.id, unit.id])).find(
      ({ title, depth }) => title === 'Volume 1' && depth === 2,
    ),
  )
  expect(volume).toMatchObject({ kind: 'node', hasChildren: true })
  const open = [archive.id, unit.id, volume.id]
  expect((await tree(description, open)).filter(({ title }) => title === 'Volume 1')).toHaveLength(1)
  const held = (await tree(description, open)).find(({ kind }) => kind === 'package')
  expect(held).toMatchObject({ depth: 3 })
  expect(held?.title).toContain('Oxen')
  expect(await description.treePath({ list: 'tags', id: volume.to.id })).toEqual([archive.id, unit.id])
  // The package says where it stands, in one answer.
  const nodes = await description.nodesOf({ packages: ['none', held?.to.id ?? ''] })
  expect(nodes).toMatchObject([{ id: volume.to.id, title: 'Volume 1', path: [{ id: archive.to.id }] }])
  await desk.stop()

  const again = openWindowless(folder)
  expect(await tree(again.features.description, open)).toContainEqual(held)
  await again.stop()
})

test('a unit of more nodes than a page holds is read whole', async () => {
  const nodes = Array.from({ length: 2_600 }, (_, index) => ({ _id: `node-${index}` }))
  const asked: string[] = []
  const answer = (address: string) => {
    asked.push(address)
    const { searchParams } = new URL(address, 'http://archive.example')
    const size = Number(searchParams.get('page_size'))
    // Past the last page ESSArch gives the last one again.
    const first = Math.min(Number(searchParams.get('page')) - 1, Math.ceil(nodes.length / size) - 1) * size
    return Promise.resolve({ body: nodes.slice(first, first + size), count: nodes.length })
  }
  const of = { list: 'structure-units', id: 'unit' } as const
  expect(await readContents({ answer }, of)).toEqual(nodes.map(({ _id: id }) => ({ id, package: null })))
  expect(asked).toHaveLength(6)
})
