import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../support/until.ts'
import { startDialect } from '../../../archives/dialects.ts'

let essarch: Awaited<ReturnType<typeof startDialect>>
beforeAll(async () => {
  essarch = await startDialect('essarch')
})
afterAll(() => essarch.stop())

test('who fetches again sees at once what became of what was submitted, though lists are long in coming', async () => {
  const source = path.join(essarch.folder, 'Brev')
  mkdirSync(source)
  writeFileSync(path.join(source, 'brev.txt'), 'Ett brev')
  const { desk, transfers, connection } = await essarch.open('producer', {
    choose: () => Promise.resolve([source]),
  })
  const { id, form } = await transfers.create(undefined)
  const state = async () => (await transfers.one({ id })).state
  const reached = (wanted: string) => until(async () => ((await state()) === wanted ? true : undefined))
  await transfers.add({ id, what: 'folder' })
  const [agreement] = await transfers.agreements(undefined)
  await transfers.save({ id, form: { ...form, name: 'Brev', agreement: agreement?.id ?? '' } })
  await transfers.pack({ id })
  await reached('prepared')
  await transfers.send({ id })
  await reached('sent')

  const received = await essarch.act('POST', `ip-reception/${id}/receive/`, {}, 'reader')
  expect(received.status).toBe(200)
  await until(async () => {
    const { body } = await essarch.act(
      'GET',
      `information-packages/?view_type=flat&object_identifier_value=${id}`,
      undefined,
      'reader',
    )
    return (body as { state: string }[])[0]?.state === 'Received' ? true : undefined
  })
  essarch.proxy.misbehave('holds', /storage-objects/)
  const reading = connection.refresh(undefined)
  await reached('received')
  essarch.proxy.misbehave('none')
  await essarch.proxy.goOn()
  await reading
  await desk.stop()
})
