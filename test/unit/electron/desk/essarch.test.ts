import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Dissemination } from '../../../../electron/contract/dips.ts'
import type { WhichRecords } from '../../../../electron/contract/description.ts'
import type { WhichPackages } from '../../../../electron/contract/packages.ts'
import { present } from '../../../support/present.ts'
import { until } from '../../../support/until.ts'
import { startArchive } from '../../../archives/archive.ts'
import { startDialect } from '../../../archives/dialects.ts'
import { openWindowless } from '../../../desks/windowless.ts'

let essarch: Awaited<ReturnType<typeof startDialect>>
beforeAll(async () => {
  essarch = await startDialect('essarch')
})
beforeEach(() => essarch.proxy.misbehave('none'))
afterAll(() => essarch.stop())

const deliveries: WhichRecords = {
  list: 'deliveries',
  within: null,
  filter: '',
  open: [],
  offset: 0,
  limit: 10,
}
const flat: WhichPackages = {
  view: 'flat',
  sort: 'label',
  descending: false,
  filter: '',
  open: [],
  offset: 0,
  limit: 500,
}

test('a package is looked into, folder by folder', async () => {
  const { desk, files, packages } = await essarch.open()
  const of = present((await packages.list(flat)).rows[0]).id
  expect((await files.list({ package: of, path: '' })).map(({ name, isFolder }) => [name, isFolder])).toEqual(
    [
      ['content', true],
      ['mets.xml', false],
    ],
  )
  expect((await files.list({ package: of, path: 'content' })).map(({ name }) => name)).toEqual([
    'bilder',
    'ritningar',
    'brev.txt',
    'inventory.pdf',
    'plan.png',
  ])
  await expect(files.list({ package: of, path: 'nowhere' })).rejects.toMatchObject({
    failure: { kind: 'not-found' },
  })
  await desk.stop()
})

test('files of others need a permission, and the archive’s refusal says so', async () => {
  const { desk, files, packages } = await essarch.open('reader')
  const of = present((await packages.list(flat)).rows[0]).id
  essarch.proxy.misbehave('forbidden', /files/)
  await expect(files.list({ package: of, path: '' })).rejects.toMatchObject({
    failure: { kind: 'not-allowed', detail: expect.stringContaining('permission') as string },
  })
  await desk.stop()
})

test('a file is fetched beside its target and takes its place once it is whole; what broke off begins anew where the archive cannot go on', async () => {
  const saved = path.join(essarch.folder, 'negativ.tif')
  const { desk, files, packages } = await essarch.open('archivist', {
    chooseTarget: () => Promise.resolve(saved),
  })
  const of = present((await packages.list(flat)).rows[0]).id
  const stateOf = async () => (await files.downloads({ package: of }))[0]
  essarch.proxy.misbehave('half a body', /files/)
  const { id = '' } = (await files.download({ package: of, path: 'content/bilder/negativ.tif' })) ?? {}
  const broke = await until(async () => ((await stateOf())?.state === 'failed' ? stateOf() : undefined))
  expect([broke?.failure?.kind, existsSync(saved)]).toEqual(['server-broke', false])
  essarch.proxy.misbehave('none')
  await files.resume({ id })
  await until(async () => ((await stateOf())?.state === 'done' ? true : undefined))
  expect([
    statSync(saved).size,
    readFileSync(saved).every((byte) => byte < 128),
    readdirSync(essarch.folder).filter((name) => name.endsWith('.part')),
  ]).toEqual([3_000_000, true, []])
  await files.forget({ id })
  expect([await files.downloads({ package: of }), existsSync(saved)]).toEqual([[], true])
  await desk.stop()
})

/** Makes a package in the archive over REST, as somebody else would: one file, named as its format wants. */
const submit = async (identifier: string, fileName: string, content: string) => {
  const { act } = essarch
  const post = (address: string, body: unknown) => act('POST', address, body, 'reader')
  const find = async () => {
    const list = `information-packages/?view_type=flat&object_identifier_value=${identifier}`
    const [found] = (await act('GET', list, undefined, 'reader')).body as { id: string; state: string }[]
    return present(found)
  }
  const reach = (state: string) => until(async () => ((await find()).state === state ? true : undefined))
  await post('information-packages/', {
    label: identifier,
    package_type: 0,
    object_identifier_value: identifier,
  })
  const { id } = await find()
  const [agreement] = (await act('GET', 'submission-agreements/', undefined, 'reader')).body as {
    id: string
  }[]
  const chosen = present(agreement).id
  await act('PATCH', `information-packages/${id}/`, { submission_agreement: chosen }, 'reader')
  await post(`submission-agreements/${chosen}/lock/`, { ip: id })
  await post(`information-packages/${id}/prepare/`, {})
  await reach('Prepared')
  const form = new FormData()
  form.set('flowChunkNumber', '1')
  form.set('flowRelativePath', fileName)
  form.set('destination', 'content')
  form.set('file', new Blob([content]), fileName)
  const [reader] = essarch.archive.others.filter(({ username }) => username === 'reader')
  const password = present(reader).password
  await fetch(`${essarch.archive.url}/api/information-packages/${id}/upload/`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`reader:${password}`).toString('base64')}` },
    body: form,
  })
  await post(`information-packages/${id}/merge-uploaded-chunks/`, { path: `content/${fileName}` })
  await post(`information-packages/${id}/set-uploaded/`, {})
  await post(`information-packages/${id}/create/`, { validators: {} })
  return { id, post, reach }
}

test('why a package failed is said however deep its step lies', async () => {
  const { desk, packages, connection } = await essarch.open('reader')
  const { id } = await submit('with-docx', 'brev.docx', 'Ett brev')
  const failed = await until(async () => {
    await connection.refresh(undefined)
    const [step] = (await packages.now({ id })).steps
    return step?.state === 'failed' ? step : undefined
  })
  expect(failed.label).toBe('Create SIP')
  const validation = present(failed.tasks.find(({ label }) => label === 'Validation'))
  expect(validation.state).toBe('failed')
  expect(validation.message).toBe(
    "Extension of '/ESSArch/data/preingest/packages/with-docx/content/brev.docx' is missing from mimetypes " +
      'and is not allowed',
  )
  await desk.stop()
})

test('the failures that follow one another are one line, of the package that failed', async () => {
  const { desk, alerts, connection, packages } = await essarch.open()
  const of = present((await packages.list(flat)).rows[6])
  await essarch.act('POST', `information-packages/${of.id}/preserve/`, { structure_unit: 1 })
  const burst = await until(async () => {
    await connection.refresh(undefined)
    return (await alerts.list(undefined)).rows.find(({ keys }) => keys.length > 1)
  })
  expect([burst.text, burst.keys.length]).toEqual(['"Write to tape" failed', 2])
  await desk.stop()
})

test('a state that says preserving does not hide the step that failed', async () => {
  const { desk, packages, connection } = await essarch.open()
  const of = present((await packages.list(flat)).rows[3]).id
  await essarch.act('POST', `information-packages/${of}/preserve/`, { structure_unit: 1 })
  const failed = await until(async () => {
    const [step] = (await packages.now({ id: of })).steps
    return step?.state === 'failed' ? step : undefined
  })
  expect(failed.tasks.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'failed', 'not begun'])
  expect(failed.tasks[3]).toMatchObject({
    label: 'Write to tape',
    message: 'No writable medium for target lto-vault',
  })
  await connection.refresh(undefined)
  expect((await packages.one({ id: of })).package).toMatchObject({
    state: 'Preserving',
    stepState: 'FAILURE',
  })
  const retry = `tasks/${failed.tasks[3]?.id}/retry/`
  expect((await essarch.act('POST', retry)).status).toBe(403)
  await essarch.act('POST', retry, undefined, 'administrator')
  await until(async () => ((await packages.now({ id: of })).steps[0]?.state === 'done' ? true : undefined))
  await desk.stop()
})

test('events and copies of one package are asked for it alone, and what is newer than the local copy is named', async () => {
  const { desk, packages } = await essarch.open()
  const of = present((await packages.list(flat)).rows[5]).id
  const before = await packages.now({ id: of })
  expect([before.later, before.copies]).toEqual([[], (await packages.one({ id: of })).copies.length])
  await desk.stop()
})

/** An order in the archive that asks for some packages. */
const placeOrder = async (
  { orders, packages }: Awaited<ReturnType<typeof essarch.open>>,
  name: string,
  from: number,
) => {
  const rows = (await packages.list(flat)).rows.slice(from, from + 2)
  const { id } = await orders.begin(undefined)
  await orders.save({ id, name, content: '' })
  await orders.add({ id, packages: rows.map((row) => row.id) })
  const placed = await orders.place({ id })
  await until(async () => ((await orders.one({ id: placed.id })).kind === 'archive' ? true : undefined))
  return placed.id
}

test('an order that was placed here says when, though the archive says that of none', async () => {
  const desk = await essarch.open()
  const before = new Date().toISOString()
  const placed = await placeOrder(desk, 'Placed here', 6)
  const { rows } = await desk.orders.list(undefined)
  const { made } = present(rows.find(({ id }) => id === placed))
  expect([present(made) >= before, (await desk.orders.one({ id: placed })).made]).toEqual([true, made])
  expect(rows.filter(({ kind, id }) => kind === 'archive' && id !== placed).map((row) => row.made)).toContain(
    null,
  )
  await desk.desk.stop()
})

test('a dissemination package for an order is made step by step, is stopped by a broken archive, and goes on after the desk was started again', async () => {
  const first = await essarch.open()
  const order = await placeOrder(first, 'For a DIP', 10)
  const asked = (await first.orders.one({ id: order })).packages
  const agreement = present((await first.dips.agreements(undefined))[0]).id
  essarch.proxy.misbehave('html 500', /^POST .*access/)
  await first.dips.begin({ order, agreement })
  const broke = await until(async () => {
    const it = await first.dips.of({ order })
    return it?.state === 'failed' ? it : undefined
  })
  expect([broke.stage, broke.failure?.kind, broke.items.map(({ state }) => state)]).toEqual([
    'fetch',
    'server-broke',
    ['to do', 'to do'],
  ])
  await expect(async () => first.dips.begin({ order, agreement })).rejects.toMatchObject({
    failure: { kind: 'conflict' },
  })
  essarch.proxy.misbehave('none')
  await first.dips.goOn({ id: broke.id })
  await until(async () =>
    (await first.dips.of({ order }))?.items.some(({ state }) => state === 'asked') ? true : undefined,
  )
  await first.desk.stop()

  const shown: string[] = []
  const second = await essarch.open(
    'archivist',
    { notice: ({ title, body, place }) => Promise.resolve(shown.push(`${title} – ${body} – ${place}`) > 0) },
    first.folder,
  )
  expect((await second.dips.unfinished(undefined)).map(({ state }) => state)).toEqual(['stopped'])
  expect((await second.dips.of({ order }))?.state).toBe('stopped')
  await second.dips.goOn({ id: broke.id })
  const done = await until(async () => {
    const it = await second.dips.of({ order })
    return it?.state === 'done' ? it : undefined
  })
  expect(done.items.map(({ state }) => state)).toEqual(['copied', 'copied'])
  expect(await second.dips.unfinished(undefined)).toEqual([])
  // What the order got is none of what it asks for.
  await second.connection.refresh(undefined)
  await second.orders.list(undefined)
  expect((await second.orders.one({ id: order })).packages).toBe(asked)
  await until(() =>
    shown.includes(`Ready – For a DIP: the dissemination package is made – orders/${order}`)
      ? true
      : undefined,
  )
  const { body } = await essarch.act('GET', 'information-packages/?view_type=flat&package_type=4&pager=none')
  const made = (body as { id: string; object_identifier_value: string; state: string }[]).filter(
    (item) => item.object_identifier_value === done.identifier,
  )
  expect(made.map(({ id, state }) => [id, state])).toEqual([[done.dip, 'Created']])
  expect((await essarch.act('GET', `orders/${order}/`)).body).toMatchObject({
    information_packages: [expect.stringContaining(done.dip ?? '') as string],
  })
  await second.desk.stop()
})

test('a dissemination package that was begun since a backup was made is made once', async () => {
  const first = await essarch.open()
  const order = await placeOrder(first, 'Brought back', 40)
  const agreement = present((await first.dips.agreements(undefined))[0]).id
  await first.desk.stop()
  const backupOf = (name: string) => {
    const backup = path.join(essarch.folder, name)
    cpSync(first.folder, backup, { recursive: true })
    return backup
  }
  const before = backupOf('before it was begun')
  const reach = ({ dips }: typeof first, state: Dissemination['state']) =>
    until(async () => {
      const task = await dips.of({ order })
      return task?.state === state ? task : undefined
    })

  const second = await essarch.open('archivist', {}, first.folder)
  essarch.proxy.misbehave('html 500', /^POST .*access/)
  const { id } = await second.dips.begin({ order, agreement })
  await reach(second, 'failed')
  await second.desk.stop()
  const meanwhile = backupOf('meanwhile')
  essarch.proxy.misbehave('none')
  const third = await essarch.open('archivist', {}, first.folder)
  await third.dips.goOn({ id })
  const { dip } = await reach(third, 'done')
  await third.desk.stop()

  // What was made is asked for, and nothing is done to it.
  essarch.proxy.misbehave('html 500', /^(POST|PATCH) .*(information-packages|workarea-files|lock)/)
  for (const folder of [before, meanwhile]) {
    const restored = await essarch.open('archivist', {}, folder)
    if (folder === before) await restored.dips.begin({ order, agreement })
    else await restored.dips.goOn({ id })
    const task = await until(async () => {
      const it = await restored.dips.of({ order })
      return it === null || it.state === 'working' ? undefined : it
    })
    expect([task.state, task.dip, task.items.map(({ state }) => state)]).toEqual([
      'done',
      dip,
      ['copied', 'copied'],
    ])
    await restored.desk.stop()
  }
  essarch.proxy.misbehave('none')
  expect((await essarch.act('GET', `orders/${order}/`)).body).toMatchObject({
    information_packages: [expect.stringContaining(present(dip)) as string],
  })
})

test('an order gets a second dissemination package of its own once the first is made', async () => {
  const { desk, dips, ...opened } = await essarch.open()
  const order = await placeOrder({ desk, dips, ...opened }, 'Asked for twice', 44)
  const agreement = present((await dips.agreements(undefined))[0]).id
  const make = async () => {
    const begun = await dips.begin({ order, agreement })
    expect((await dips.of({ order }))?.id).toBe(begun.id)
    // One at a time.
    await expect(dips.begin({ order, agreement })).rejects.toMatchObject({ failure: { kind: 'conflict' } })
    const done = await until(async () => {
      const task = await dips.of({ order })
      return task?.state === 'working' ? undefined : task
    })
    expect([done?.id, done?.state]).toEqual([begun.id, 'done'])
    return present(done)
  }
  const [first, second, third] = [await make(), await make(), await make()]
  expect([first, second, third].map(({ identifier }) => identifier)).toEqual([
    `DIP-${order}`,
    `DIP-${order}-2`,
    `DIP-${order}-3`,
  ])
  expect(new Set([first.dip, second.dip, third.dip]).size).toBe(3)
  await desk.stop()
})

test('a second dissemination package that was begun since a backup was made is made once', async () => {
  const first = await essarch.open()
  const order = await placeOrder(first, 'Twice, brought back', 46)
  const agreement = present((await first.dips.agreements(undefined))[0]).id
  const make = async ({ dips }: typeof first) => {
    await dips.begin({ order, agreement })
    const task = await until(async () => {
      const it = await dips.of({ order })
      return it === null || it.state === 'working' ? undefined : it
    })
    expect(task.state).toBe('done')
    return task.dip
  }
  await make(first)
  await first.desk.stop()
  const backup = path.join(essarch.folder, 'after the first')
  cpSync(first.folder, backup, { recursive: true })
  const second = await essarch.open('archivist', {}, first.folder)
  const made = await make(second)
  await second.desk.stop()
  essarch.proxy.misbehave('html 500', /^(POST|PATCH) .*(information-packages|workarea-files|lock)/)
  const restored = await essarch.open('archivist', {}, backup)
  expect(await make(restored)).toBe(made)
  await restored.desk.stop()
})

test('a dissemination package is not given up for a few looks that met a broken archive', async () => {
  const { desk, dips, ...opened } = await essarch.open()
  const order = await placeOrder({ desk, dips, ...opened }, 'Looked for again', 48)
  const agreement = present((await dips.agreements(undefined))[0]).id
  const met = () => essarch.proxy.met()['502'] ?? 0
  const before = met()
  const looks = /^GET .*(workareas|steps|information-packages\/[0-9a-f-]{36})\//
  essarch.proxy.misbehave('502', looks)
  await dips.begin({ order, agreement })
  await until(() => (met() > before + 1 ? true : undefined))
  essarch.proxy.misbehave('none')
  const done = await until(async () => {
    const task = await dips.of({ order })
    return task?.state === 'working' ? undefined : task
  })
  expect(done?.state).toBe('done')
  await desk.stop()
})

test('a dissemination package of an order that is gone is taken off the list', async () => {
  const { desk, dips, ...opened } = await essarch.open()
  const order = await placeOrder({ desk, dips, ...opened }, 'Deleted', 50)
  const agreement = present((await dips.agreements(undefined))[0]).id
  essarch.proxy.misbehave('html 500', /^POST .*prepare/)
  const { id } = await dips.begin({ order, agreement })
  expect(() => dips.forget({ id })).toThrow('conflict')
  await until(async () => ((await dips.of({ order }))?.state === 'failed' ? true : undefined))
  await essarch.act('DELETE', `orders/${order}/`)
  await dips.forget({ id })
  expect([await dips.unfinished(undefined), await dips.of({ order })]).toEqual([[], null])
  await desk.stop()
})

test('a dissemination package goes on after the archive lost it, its work and its workspace', async () => {
  const apart = await startDialect('essarch')
  const opened = await apart.open()
  const { desk, dips, session } = opened
  const order = await placeOrder(opened, 'Lost', 30)
  const agreement = present((await dips.agreements(undefined))[0]).id
  const reach = (state: Dissemination['state'], ...items: Dissemination['items'][number]['state'][]) =>
    until(async () => {
      const task = await dips.of({ order })
      const isThere = task?.state === state && items.every((item, at) => task.items[at]?.state === item)
      return isThere ? task : undefined
    })
  let { archive } = apart
  /** What it works at, and what lies in its workspaces, lasts as long as it runs. */
  const restart = async () => {
    await archive.stop()
    archive = await startArchive(apart.data, '--dialect', 'essarch')
    apart.proxy.follow(archive.url)
    const { username, password } = archive
    await session.signIn({ url: apart.proxy.url, username, password })
  }
  apart.proxy.misbehave('html 500', /^POST .*create-dip/)
  const { id } = await dips.begin({ order, agreement })
  const { dip } = await reach('failed', 'copied', 'copied')
  await apart.act('DELETE', `information-packages/${present(dip)}/`)
  await until(async () =>
    (await apart.act('GET', `information-packages/${present(dip)}/`)).status === 404 ? true : undefined,
  )
  // It is asked for what lies there, and so begins no work.
  apart.proxy.misbehave('empty list', /workareas/)
  await dips.goOn({ id })
  const { items } = await reach('working', 'asked', 'asked')
  expect(items.map(({ step }) => step)).toEqual([null, null])
  await dips.stop({ id })
  await reach('stopped')

  await restart()
  apart.proxy.misbehave('html 500', /^POST .*add-to-dip/)
  await dips.goOn({ id })
  await reach('failed', 'there', 'there')

  await restart()
  apart.proxy.misbehave('empty list', /workareas/)
  await dips.goOn({ id })
  await reach('working', 'asked', 'asked')
  await dips.stop({ id })
  await reach('stopped')

  await restart()
  apart.proxy.misbehave('none')
  await dips.goOn({ id })
  expect((await reach('failed', 'to do', 'to do')).failure?.kind).toBe('not-found')
  await dips.goOn({ id })
  expect((await reach('done', 'copied', 'copied')).dip).not.toBe(dip)
  await desk.stop()
  await archive.stop()
  await apart.stop()
})

test.each(['drops the answer', 'drops the request'] as const)(
  'a dissemination package whose registration met "%s" is made once',
  async (fault) => {
    const desk = await essarch.open()
    const order = await placeOrder(desk, `Once, ${fault}`, 20)
    const agreement = present((await desk.dips.agreements(undefined))[0]).id
    essarch.proxy.misbehave(fault, /^POST .*information-packages\/$/)
    const { id } = await desk.dips.begin({ order, agreement })
    await until(async () => ((await desk.dips.of({ order }))?.state === 'failed' ? true : undefined))
    essarch.proxy.misbehave('none')
    await desk.dips.goOn({ id })
    const done = await until(async () => {
      const it = await desk.dips.of({ order })
      return it !== null && it.dip !== null ? it : undefined
    })
    await desk.dips.stop({ id })
    const { body } = await essarch.act(
      'GET',
      'information-packages/?view_type=flat&package_type=4&pager=none',
    )
    expect(
      (body as { object_identifier_value: string }[]).filter(
        (item) => item.object_identifier_value === done?.identifier,
      ),
    ).toHaveLength(1)
    await desk.desk.stop()
  },
)

test('somebody else’s change is never written over: it is shown field by field, and only what is chosen is sent', async () => {
  const { desk, changes, description } = await essarch.open()
  // The list is read when somebody looks at it first; until then it has no rows.
  const { id } = await until(async () => (await description.list(deliveries)).rows[0])
  const opened = await changes.open({ list: 'deliveries', id })
  expect(opened.fields.map(({ name }) => name)).toContain('description')
  await essarch.act('PATCH', `deliveries/${id}/`, { description: 'Theirs', reference_code: 'L/NEW' })
  const mine = { ...opened.values, name: 'Mine', description: 'Mine too' }
  const answer = await changes.save({ list: 'deliveries', id, seen: opened.values, values: mine })
  expect(answer.differences.map(({ name, theirs, isMine }) => [name, theirs, isMine])).toEqual([
    ['description', 'Theirs', true],
    ['reference_code', 'L/NEW', false],
  ])
  const now = async () => (await essarch.act('GET', `deliveries/${id}/`)).body as Record<string, unknown>
  expect(await now()).toMatchObject({
    name: opened.values['name'],
    description: 'Theirs',
    reference_code: 'L/NEW',
  })
  const chosen = { ...answer.now, name: 'Mine' }
  expect(
    (await changes.save({ list: 'deliveries', id, seen: answer.now, values: chosen })).differences,
  ).toEqual([])
  expect(await now()).toMatchObject({ name: 'Mine', description: 'Theirs', reference_code: 'L/NEW' })
  expect((await description.one({ list: 'deliveries', id })).title).toBe('Mine')
  await expect(changes.open({ list: 'languages', id: 'sv' })).rejects.toMatchObject({
    failure: { kind: 'not-allowed' },
  })
  await desk.stop()
})

test('what was seen at the desk is seen in the archive too, and nothing else', async () => {
  const { desk, alerts, connection, packages } = await essarch.open()
  const unseen = async () =>
    ((await essarch.act('GET', 'notifications/?seen=false&pager=none')).body as { id: number }[]).map(
      ({ id }) => id,
    )
  const old = await unseen()
  const rows = (await packages.list(flat)).rows.slice(30, 32)
  for (const { id } of rows)
    await essarch.act('POST', `information-packages/${id}/access/`, { extracted: true })
  const before = await until(async () => ((await unseen()).length === old.length + 2 ? unseen() : undefined))
  await connection.refresh(undefined)
  // It is told here first: only what was told can have been seen.
  const newest = await until(async () =>
    (await alerts.list(undefined)).rows.find(({ id, isUnread }) => id === before[0] && isUnread),
  )
  await alerts.see({ keys: newest.keys })
  await until(async () => ((await unseen()).length === before.length - 1 ? true : undefined))
  expect(await unseen()).toEqual(before.slice(1))
  await desk.stop()
})

test('what happens to a package is told over the channel at once, long before the next look', async () => {
  const shown: string[] = []
  // The proxy passes no channel on, so this desk speaks to the archive itself.
  const desk = openWindowless(path.join(essarch.folder, 'pushed'), {
    notice: ({ body }) => Promise.resolve(shown.push(body) > 0),
  })
  await desk.features.session.signIn({
    url: essarch.archive.url,
    username: 'archivist',
    password: essarch.archive.password,
  })
  await desk.goOn()
  await desk.features.connection.refresh(undefined)
  const row = (await desk.features.packages.list(flat)).rows[40]
  // Nothing settles in the archive unless somebody asks it something, as a clock of its own would.
  await essarch.act('POST', `information-packages/${row?.id ?? ''}/access/`, { extracted: true })
  await until(async () => {
    await essarch.act('GET', 'me/')
    return shown.some((body) => body.startsWith(row?.label ?? '?')) || undefined
  }, 15_000)
  await desk.stop()
})

test('an archive that speaks Swedish is understood by its status, and its own words are shown', async () => {
  const { desk, searches, session } = await essarch.open('archivist', { language: () => 'sv' })
  expect(await searches.store({ name: 'Kartor', address: 'kartor', isTold: false })).toMatchObject({
    refusal: { kind: 'not-allowed', detail: 'Du har inte tillåtelse att utföra denna åtgärd.' },
  })
  expect(await searches.list(undefined)).toContainEqual(
    expect.objectContaining({ name: 'Kartor', keptIn: 'desk' }),
  )
  await expect(
    session.signInAgain({ archive: desk.archives.last()?.id ?? '', password: 'fel' }),
  ).rejects.toMatchObject({
    failure: { kind: 'wrong-password' },
  })
  await desk.stop()
})

test('what somebody else creates is here with the next refresh', async () => {
  const { desk, connection, packages, description } = await essarch.open()
  await description.list(deliveries)
  await essarch.act('POST', 'deliveries/', { name: 'By a colleague', type: 1 })
  await connection.refresh(undefined)
  await packages.list(flat)
  await until(
    async () =>
      (await description.list({ ...deliveries, filter: 'colleague' })).rows.length === 1 ? true : undefined,
    20_000,
  )
  await desk.stop()
})
