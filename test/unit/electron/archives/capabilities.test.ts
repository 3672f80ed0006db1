import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openCapabilities } from '../../../../electron/archives/capabilities.ts'
import type { Archive } from '../../../../electron/archives/archive.ts'
import type { Capabilities } from '../../../../electron/contract/capabilities.ts'
import { Failed } from '../../../../electron/contract/failure.ts'
import { deniedWith, mayChange, mayCreate } from '../../../../electron/dialects/essarch/permissions.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { askCapabilities } from '../../../../electron/dialects/specification/capabilities.ts'
import { openClient } from '../../../archives/archive-client.ts'
import type { WhichPackages } from '../../../../electron/contract/packages.ts'
import { present } from '../../../support/present.ts'
import { until } from '../../../support/until.ts'
import { startDialect } from '../../../archives/dialects.ts'
import { openWindowless } from '../../../desks/windowless.ts'

let essarch: Awaited<ReturnType<typeof startDialect>>
let plain: Awaited<ReturnType<typeof startDialect>>
beforeAll(async () => {
  ;[essarch, plain] = await Promise.all([startDialect('essarch'), startDialect('specification')])
})
beforeEach(() => [essarch, plain].forEach(({ proxy }) => proxy.misbehave('none')))
afterAll(async () => {
  await essarch.stop()
  await plain.stop()
})

const all: WhichPackages = {
  view: 'tree',
  sort: 'label',
  descending: false,
  filter: '',
  open: [],
  offset: 0,
  limit: 500,
}
const wayIn = (learnt: { lists: { list: string; way: string }[] } | null, list: string) =>
  learnt?.lists.find((known) => known.list === list)?.way

test('an archive is asked at sign-in what it can do, and the answer is kept for the time without it', async () => {
  const { desk, capabilities } = await essarch.open()
  const learnt = await capabilities.read(undefined)
  expect(learnt).toMatchObject({
    isPaged: true,
    isCounting: true,
    hasViews: true,
    search: 'query string',
    signIn: 'Token',
    hasSession: true,
    packages: { files: true, events: true, copies: true, steps: true, access: true, dip: true },
    notifications: { markSeen: true },
    order: { linksPackages: false, types: [{ name: 'Reading room' }, { name: 'Digital copies' }] },
    user: { organization: '1', organizations: [{ name: 'Reading room' }, { name: 'Map department' }] },
  })
  expect(Date.parse(learnt?.tokenEnds ?? '') - Date.now()).toBeGreaterThan(9 * 3_600_000)
  expect(learnt?.features).toContainEqual({ name: 'archival descriptions', isOn: true })
  const ways = {
    agents: 'list',
    'structure-units': 'structure',
    tags: 'search',
    'me/searches': 'not allowed',
    'event-types': 'administration',
    'agent-types': 'administration',
    languages: 'never',
    events: 'never',
  }
  expect(Object.fromEntries(Object.keys(ways).map((list) => [list, wayIn(learnt, list)]))).toEqual(ways)
  essarch.proxy.misbehave('closes')
  await expect(capabilities.ask(undefined)).rejects.toHaveProperty('failure.kind')
  expect(await capabilities.read(undefined)).toEqual(learnt)
  await desk.stop()
})

test('an account of the role Archivist alone reads and orders, and no more', async () => {
  const { desk, capabilities, description } = await essarch.open('reader')
  const learnt = await capabilities.read(undefined)
  expect(
    ['deliveries', 'transfers', 'agents', 'orders', 'tags', 'structure-units'].map((list) =>
      wayIn(learnt, list),
    ),
  ).toEqual(['not allowed', 'not allowed', 'not allowed', 'list', 'not allowed', 'not allowed'])
  expect(await description.form({ list: 'deliveries' })).toEqual({ fields: null, way: 'not allowed' })
  expect(learnt?.packages.denied).toEqual([])
  const changeable = learnt?.lists.filter(({ isChangeable }) => isChangeable).map(({ list }) => list)
  expect(changeable).toContain('orders')
  expect(changeable).not.toContain('agents')
  await desk.stop()
})

test('everybody who is signed in may order, as the archive lets everybody', async () => {
  const { desk, capabilities, orders, packages, connection } = await essarch.open('user')
  const learnt = await capabilities.read(undefined)
  expect(learnt?.user.permissions).not.toContain('ip.add_order')
  expect(learnt?.lists.find(({ list }) => list === 'orders')).toMatchObject({
    way: 'list',
    isChangeable: true,
  })
  const { id } = await orders.begin(undefined)
  await orders.save({ id, name: 'Without the permission', content: '' })
  await connection.refresh(undefined)
  await orders.add({
    id,
    packages: (await packages.list({ ...all, view: 'flat', limit: 1 })).rows.map((row) => row.id),
  })
  const placed = await orders.place({ id })
  await until(async () => ((await orders.one({ id: placed.id })).kind === 'archive' ? true : undefined))
  await desk.stop()
})

test('a dissemination package takes every permission that is asked for on its way', () => {
  const user = { isSuperuser: false, organizations: [], organization: null }
  const all = ['ip.prepare_dip', 'ip.add_informationpackage', 'ip.prepare_ip']
  const others = ['ip.see_other_user_ip_files', 'ip.get_from_storage']
  expect(deniedWith({ ...user, permissions: [...others, ...all] })).toEqual([])
  for (const lacking of all) {
    const permissions = [...others, ...all].filter((permission) => permission !== lacking)
    expect(deniedWith({ ...user, permissions })).toEqual(['dip'])
  }
})

test('how far an account may bring a package is said of it: to the end, until it is submitted, or not at all', async () => {
  for (const [username, submission, denied] of [
    ['reader', 'whole', []],
    ['producer', 'until submitted', ['access', 'dip']],
    ['user', 'not allowed', ['files', 'access', 'dip']],
  ] as const) {
    const { desk, capabilities } = await essarch.open(username)
    expect(await capabilities.read(undefined)).toMatchObject({ submission, packages: { denied } })
    await desk.stop()
  }
  const { desk, capabilities } = await plain.open()
  expect(await capabilities.read(undefined)).toMatchObject({ submission: 'no' })
  await desk.stop()
})

test('units of archives take a permission of their own, and those of templates another', () => {
  const user = { isSuperuser: false, organizations: [], organization: null }
  for (const model of ['structureunit', 'structureunit_instance']) {
    const may = { ...user, permissions: [`tags.add_${model}`] }
    expect([mayCreate(may, 'structure-units'), mayChange(may, 'structure-units')]).toEqual([true, false])
    const changes = { ...user, permissions: [`tags.change_${model}`] }
    expect(mayChange(changes, 'structure-units')).toBe(true)
  }
  expect(mayCreate({ ...user, permissions: ['tags.add_structure'] }, 'structure-units')).toBe(false)
})

test('an archive that says nothing beyond the specification but that it gives files is taken by it', async () => {
  const { desk, capabilities } = await plain.open()
  expect(await capabilities.read(undefined)).toMatchObject({
    isPaged: false,
    isCounting: true,
    hasViews: false,
    search: 'path',
    features: [],
    hasSession: false,
    packages: { files: true, events: false, steps: false, access: false, dip: false },
    user: { permissions: null, organization: null, organizations: [] },
  })
  const { lists } = (await capabilities.read(undefined)) ?? { lists: [] }
  expect(lists.filter(({ way }) => way !== 'list' && way !== 'never')).toEqual([])
  await desk.stop()
})

test.each(['html 500', 'not json', 'empty list', 'an object', 'mutated'] as const)(
  'an archive that answers a probe with "%s" is no worse off than before',
  async (fault) => {
    essarch.proxy.misbehave(
      fault,
      /^(OPTIONS|GET \/api\/features|GET \/api\/languages|GET \/api\/order-types)/,
    )
    const { desk, capabilities, packages } = await essarch.open()
    expect((await packages.list(all)).rows.length).toBeGreaterThan(40)
    expect((await capabilities.read(undefined))?.asked).toMatch(/^20/)
    await desk.stop()
  },
)

test('lists are read before an archive that answers late has said all that it can do', async () => {
  essarch.proxy.misbehave('stalls', /^OPTIONS/)
  const folder = `${essarch.folder}/late`
  const desk = openWindowless(folder)
  await desk.features.session.signIn({
    url: essarch.proxy.url,
    username: 'archivist',
    password: essarch.archive.password,
  })
  await until(async () => ((await desk.features.packages.list(all)).rows.length > 40 ? true : undefined))
  const early = await desk.features.capabilities.read(undefined)
  expect([early?.hasViews, wayIn(early, 'tags')]).toEqual([true, 'unknown'])
  essarch.proxy.misbehave('none')
  expect(wayIn(await desk.features.capabilities.ask(undefined), 'tags')).toBe('search')
  await desk.stop()
})

test('before the first rows an archive is asked little; the rest follows when they are there', async () => {
  let described = 0
  essarch.proxy.tell((request) => (described += request.startsWith('OPTIONS') ? 1 : 0))
  essarch.proxy.misbehave('holds', /^GET \/api\/information-packages\/(\?page_size=200)?$/)
  const desk = openWindowless(`${essarch.folder}/first-rows`)
  const { session, alerts, storage, capabilities } = desk.features
  await session.signIn({
    url: essarch.proxy.url,
    username: 'archivist',
    password: essarch.archive.password,
  })
  await until(async () => ((await storage.overview(undefined)).media.length > 0 ? true : undefined))
  await until(async () => ((await alerts.list(undefined)).asOf === null ? undefined : true))
  expect(described).toBeGreaterThan(0)
  expect(described).toBeLessThanOrEqual(20)
  essarch.proxy.misbehave('none')
  await essarch.proxy.goOn()
  await until(async () => (wayIn(await capabilities.read(undefined), 'tags') === 'search' ? true : undefined))
  expect(described).toBeGreaterThan(50)
  essarch.proxy.tell(() => undefined)
  await desk.stop()
})

test('an order that is placed while an archive is asked for the first time says what it has to say there', async () => {
  const ofOrders = /^OPTIONS \/api\/orders\/$/
  const asked = Promise.withResolvers<undefined>()
  essarch.proxy.tell((request) => ofOrders.test(request) && asked.resolve(undefined))
  essarch.proxy.misbehave('holds', ofOrders)
  const desk = openWindowless(`${essarch.folder}/early-order`)
  const { session, packages, orders, capabilities } = desk.features
  const { password } = essarch.archive
  await session.signIn({ url: essarch.proxy.url, username: 'archivist', password })
  const { rows } = await until(async () => {
    const listed = await packages.list(all)
    return listed.asOf === null ? undefined : listed
  })
  const { id } = await orders.begin(undefined)
  await orders.save({ id, name: 'Early', content: '' })
  await orders.add({ id, packages: [present(rows[0]).id] })
  await asked.promise
  const placing = orders.place({ id })
  expect((await capabilities.read(undefined))?.asked).toBeNull()
  essarch.proxy.misbehave('none')
  await essarch.proxy.goOn()
  const placed = await placing
  expect((await orders.one({ id: placed.id })).kind).toBe('archive')
  essarch.proxy.tell(() => undefined)
  await desk.stop()
})

test('the same holdings read in both dialects are the same list, copies and policies included', async () => {
  const [theirs, ours] = [await essarch.open('administrator'), await plain.open('administrator')]
  const rowsOf = async ({ packages }: typeof theirs) =>
    (await packages.list(all)).rows.map(
      ({ id, label, identifier, state, bytes, copies, wanted, generations, changed }) => ({
        id,
        label,
        identifier,
        state,
        bytes,
        copies,
        generations,
        wanted,
        changed: Date.parse(changed),
      }),
    )
  const [there, here] = [await rowsOf(theirs), await rowsOf(ours)]
  expect(there).toEqual(here)
  expect(there.every(({ wanted }) => wanted !== null)).toBe(true)
  const mediaOf = async ({ storage }: typeof theirs) =>
    (await storage.overview(undefined)).media.map(({ name, status, location, usedBytes, target }) => ({
      name,
      status,
      location,
      usedBytes,
      hasTarget: target !== null,
    }))
  expect(await mediaOf(theirs)).toEqual(await mediaOf(ours))
  const [first] = there
  const pageOf = async ({ packages }: typeof theirs) => {
    const page = await packages.one({ id: first?.id ?? '' })
    return {
      copies: page.copies.map(({ mediumId, status, location }) => [mediumId, status, location]),
      events: page.timeLine.map(({ time, what }) => [Date.parse(time), what]),
      agreement: page.agreementName,
      digest: page.package.digest,
    }
  }
  expect(await pageOf(theirs)).toEqual(await pageOf(ours))
  for (const { desk } of [theirs, ours]) await desk.stop()
})

test('packages that stand in no AIC are found beside those that do, and stay with the next refresh', async () => {
  const { desk, packages, session, connection } = await essarch.open()
  const before = (await packages.list(all)).total
  await essarch.act('POST', 'information-packages/', { label: 'Alone', package_type: 4, orders: [] })
  for (let look = 0; look < 3; look += 1) {
    await connection.refresh(undefined)
    const { rows, total } = await packages.list(all)
    expect([total, rows.filter(({ label }) => label === 'Alone').map(({ type }) => type)]).toEqual([
      before + 1,
      ['DIP'],
    ])
  }
  expect((await session.status(undefined)).archives[0]?.connection.unreadable).toEqual([])
  await desk.stop()
})

test('what is created goes the way that the archive has, and its own form is the same one', async () => {
  const { desk, description } = await essarch.open()
  const choicesOf = async (list: 'structure-units' | 'tags', name: string) =>
    (await description.form({ list })).fields?.find((field) => field.name === name)?.choices ?? []
  const [structure] = await choicesOf('structure-units', 'structure')
  const [type] = await choicesOf('structure-units', 'type')
  const unit = await description.create({
    list: 'structure-units',
    values: {
      name: 'Maps',
      reference_code: 'Z9',
      structure: structure?.value ?? '',
      type: type?.value ?? '',
    },
  })
  expect(unit).toEqual({ id: expect.any(String) as string, queued: null })
  expect(await description.one({ list: 'structure-units', id: unit.id ?? '' })).toMatchObject({
    title: 'Maps',
  })

  const [agent] = await choicesOf('tags', 'agent')
  const types = await choicesOf('tags', 'type')
  const archiveType = types.find(({ text }) => text.startsWith('Archive'))?.value ?? ''
  const made = await description.create({
    list: 'tags',
    values: {
      name: 'Archive of maps',
      type: archiveType,
      structure: structure?.value ?? '',
      agent: agent?.value ?? '',
    },
  })
  expect(await description.one({ list: 'tags', id: made.id ?? '' })).toMatchObject({
    title: 'Archive of maps',
  })
  const volume = types.find(({ text }) => text.startsWith('Volume'))?.value ?? ''
  const node = await description.create({
    list: 'tags',
    values: {
      name: 'Volume 1',
      type: volume,
      reference_code: 'M/1',
      parent: made.id ?? '',
      structure: structure?.value ?? '',
    },
  })
  expect(await description.one({ list: 'tags', id: node.id ?? '' })).toMatchObject({
    title: 'Volume 1',
    path: [{ title: 'Archive of maps' }],
  })
  await desk.stop()
})

test('to make a node the tags are not asked for that files of packages are, of which there are any number', async () => {
  const { desk, description } = await essarch.open()
  const form = (await description.form({ list: 'tags' })).fields ?? []
  const choice = (name: string, text = '') =>
    form.find((field) => field.name === name)?.choices.find((one) => one.text.startsWith(text))?.value ?? ''
  essarch.proxy.misbehave('html 500', /^GET \/api\/tags\/(?!\?index=(archive|component))/)
  const said = { structure: choice('structure'), agent: choice('agent') }
  const archive = await description.create({
    list: 'tags',
    values: { name: 'Archive of plans', type: choice('type', 'Archive'), ...said },
  })
  expect(archive.queued).toBeNull()
  const node = await description.create({
    list: 'tags',
    values: {
      name: 'Plans of 1921',
      type: choice('type', 'Volume'),
      reference_code: 'P/1',
      parent: archive.id ?? '',
      structure: said.structure,
    },
  })
  expect(node.queued).toBeNull()
  await desk.stop()
})

test('a unit whose answer was lost below its structure is found, and made once', async () => {
  const { desk, description, outbox } = await essarch.open()
  const form = (await description.form({ list: 'structure-units' })).fields ?? []
  const first = (name: string) => form.find((field) => field.name === name)?.choices[0]?.value ?? ''
  const structure = first('structure')
  const asked: string[] = []
  essarch.proxy.tell((request) => void (/^GET .*structure-units\//.test(request) && asked.push(request)))
  essarch.proxy.misbehave('drops the answer', /^POST .*units/)
  const { queued } = await description.create({
    list: 'structure-units',
    values: { name: 'Sent once', reference_code: 'Q1', structure, type: first('type') },
  })
  essarch.proxy.misbehave('none')
  await outbox.sendNow({ id: queued ?? '' })
  const found = await until(async () => (await outbox.list(undefined)).found.find(({ id }) => id === queued))
  expect(found.wasFound).toBe(true)
  // Before it was sent and after its answer was lost it was looked for, and not among all units; the list of
  // all may be read meanwhile for who searches.
  const lookups = asked.filter((request) => request.includes(`structure=${structure}`))
  expect(lookups.length).toBeGreaterThan(1)
  essarch.proxy.tell(() => undefined)
  const { body } = await essarch.act('GET', 'structure-units/?pager=none')
  expect((body as { name: string }[]).filter(({ name }) => name === 'Sent once')).toHaveLength(1)
  await desk.stop()
})

test('what nobody creates over the interface is said to be so, and no form is shown', async () => {
  const { desk, description } = await essarch.open('administrator')
  expect(await description.form({ list: 'event-types' })).toEqual({ fields: null, way: 'administration' })
  expect(await description.form({ list: 'agent-relation-types' })).toEqual({
    fields: null,
    way: 'administration',
  })
  expect(await description.form({ list: 'languages' })).toEqual({ fields: null, way: 'never' })
  await desk.stop()
})

test('an order names what it asks for in words, since this archive links nothing but DIPs, and is read again as it was placed', async () => {
  const { desk, orders, packages } = await essarch.open()
  const wanted = (await packages.list({ ...all, view: 'flat' })).rows.slice(0, 2).map(({ id }) => id)
  const { id } = await orders.begin(undefined)
  await orders.save({ id, name: 'For Thursday', content: 'Window seat, please' })
  await orders.add({ id, packages: wanted })
  const placed = await orders.place({ id, type: '2' })
  const page = await until(async () => {
    const it = await orders.one({ id: placed.id })
    return it.kind === 'archive' ? it : undefined
  })
  expect([page.name, page.content, page.packages]).toEqual(['For Thursday', 'Window seat, please', 2])
  const { body } = await essarch.act('GET', `orders/${placed.id}/`)
  expect(body).toMatchObject({
    label: 'For Thursday',
    type: { name: 'Digital copies' },
    information_packages: [],
  })
  await desk.stop()
})

test('another organization changes what may be done, and everything is read again', async () => {
  const { desk, capabilities, packages, session } = await essarch.open()
  const count = async () => (await packages.list(all)).total
  const before = await count()
  expect((await capabilities.chooseOrganization({ id: '2' })).user.organization).toBe('2')
  // Much less is seen, and nobody is asked whether that is right.
  await until(async () => ((await count()) < before * 0.7 ? true : undefined))
  expect((await session.status(undefined)).archives[0]?.connection.shrunk).toEqual([])
  expect((await essarch.act('GET', 'me/')).body).toMatchObject({
    current_organization: { name: 'Map department' },
  })
  await expect(capabilities.chooseOrganization({ id: '99' })).rejects.toMatchObject({
    failure: { kind: 'refused' },
  })
  await capabilities.chooseOrganization({ id: '1' })
  await until(async () => ((await count()) === before ? true : undefined))
  await desk.stop()
})

test('what an archive without pages can do is known without taking in its lists', async () => {
  let sent = 0
  const part = Buffer.alloc(1024 * 1024, ' ')
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const isWhole = request.method === 'GET' && request.url?.startsWith('/api/information-packages/?')
    if (!isWhole) return void response.end(request.method === 'OPTIONS' ? '{}' : '[]')
    const send = () => {
      if (response.destroyed) return
      sent += part.length
      if (response.write(part)) setImmediate(send)
      else response.once('drain', send)
    }
    response.write('[')
    send()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const archive = openClient(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'Token t',
    () => 'en',
  )
  const learnt = await askCapabilities(archive, {
    signIn: { signIn: 'Token', tokenEnds: null, hasSession: false },
    now: new Date(),
    known: null,
    shaped: () => undefined,
    rowsShown: Promise.resolve(),
  })
  expect(learnt.hasViews).toBe(false)
  expect(sent).toBeLessThan(64 * part.length)
  await archive.close()
  server.closeAllConnections()
  server.close()
})

test('that an archive gives files of packages is known before any row is shown', async () => {
  const server = createServer(({ url }, response) => {
    const body = url?.startsWith('/api/me/') ? {} : []
    response.writeHead(200, { Allow: 'GET', 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const archive = openClient(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'Token t',
    () => 'en',
  )
  const rowsShown = Promise.withResolvers<undefined>()
  const early = Promise.withResolvers<Capabilities>()
  const whole = askCapabilities(archive, {
    signIn: { signIn: 'Token', tokenEnds: null, hasSession: false },
    now: new Date(),
    known: null,
    shaped: early.resolve,
    rowsShown: rowsShown.promise,
  })
  expect(await early.promise).toMatchObject({ asked: null, packages: { files: true, events: false } })
  rowsShown.resolve(undefined)
  expect((await whole).packages).toMatchObject({ files: true, events: true })
  await archive.close()
  server.close()
})

test('a server that breaks while it is asked says nothing of what it can do', async () => {
  /** One that breaks at the first questions of each path and method, so often. */
  const answersAfter = async (times: number, breaking = /^/, broken = 502) => {
    const asked = new Map<string, number>()
    const server = createServer(({ method, url }, response) => {
      const question = `${method} ${url}`
      const count = (asked.get(question) ?? 0) + 1
      asked.set(question, count)
      const body = url?.startsWith('/api/me/') ? {} : []
      const [status, text] =
        count <= times && breaking.test(question)
          ? [broken, '<html>Bad gateway</html>']
          : [200, JSON.stringify(body)]
      response.writeHead(status, { Allow: 'GET, POST, PATCH', 'Content-Type': 'application/json' }).end(text)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return {
      server,
      client: openClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'Token t', () => 'en'),
    }
  }
  const question = {
    signIn: { signIn: 'Token', tokenEnds: null, hasSession: false },
    now: new Date(),
    known: null,
    shaped: () => undefined,
    rowsShown: Promise.resolve(),
  } as const
  const passing = await answersAfter(2)
  const learnt = await askCapabilities(passing.client, question)
  expect(learnt).toMatchObject({ submission: 'whole', packages: { files: true } })
  expect(learnt.lists.every(({ reads }) => reads === 'yes')).toBe(true)
  passing.server.close()
  const known = { ...learnt, submission: 'until submitted' } as const
  const broken = await answersAfter(Infinity, /merge/)
  expect((await askCapabilities(broken.client, question)).submission).toBe('unknown')
  expect((await askCapabilities(broken.client, { ...question, known })).submission).toBe('until submitted')
  broken.server.close()
  const busy = await answersAfter(Infinity, /merge/, 429)
  expect((await askCapabilities(busy.client, { ...question, known })).submission).toBe('until submitted')
  const address = busy.client.url
  const late = Object.assign({}, busy.client, {
    described: () =>
      Promise.reject(
        new Failed({ kind: 'server-broke', address, status: 0, detail: 'too-slow', excerpt: '' }),
      ),
  })
  expect((await askCapabilities(late, { ...question, known })).submission).toBe('until submitted')
  busy.server.close()
})

test.each([
  [429, {}],
  [503, { 'Retry-After': '120' }],
])('an archive that asks to be left alone (%i) says nothing of what it can do', async (status, more) => {
  const asked: string[] = []
  const server = createServer(({ method, url }, response) => {
    const isBusy = method === 'OPTIONS'
    if (isBusy) asked.push(url ?? '')
    response
      .writeHead(isBusy ? status : 200, { 'Content-Type': 'application/json', ...more })
      .end(isBusy ? '{"detail": "Request was throttled."}' : url?.startsWith('/api/me/') ? '{}' : '[]')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const asking = askCapabilities(
    openClient(url, 'Token t', () => 'en'),
    {
      signIn: { signIn: 'Token', tokenEnds: null, hasSession: false },
      now: new Date(),
      known: null,
      shaped: () => undefined,
      rowsShown: Promise.resolve(),
    },
  )
  await expect(asking).rejects.toMatchObject({ failure: { kind: 'server-broke', status } })
  expect(new Set(asked).size, 'is not pressed').toBe(asked.length)
  server.closeAllConnections()
  server.close()
})

test('a server that breaks again and again is asked anew every few minutes, and not at each look', async () => {
  let questions = 0
  const server = createServer(({ method, url }, response) => {
    questions += 1
    const isBroken = method === 'OPTIONS'
    const text = isBroken ? 'Bad gateway' : url?.startsWith('/api/me/') ? '{}' : '[]'
    response.writeHead(isBroken ? 502 : 200, { 'Content-Type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = openClient(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'Token t',
    () => 'en',
  )
  let kept: Capabilities | null = null
  let now = new Date('2026-01-01T12:00:00Z')
  const capabilities = openCapabilities({
    archive: {
      id: 'a',
      account: () => ({ scheme: 'Token', endsAt: null }),
      access: () => undefined,
      dialect: () => specification,
      client: () => client,
      findClient: () => client,
    } as unknown as Archive,
    store: {
      capabilities: () => kept,
      keepCapabilities: (_id, learnt) => void (kept = learnt),
    },
    now: () => now,
    changed: () => undefined,
  })
  const look = async () => {
    await capabilities.askIfOld()
    capabilities.rowsShown()
    await capabilities.whenAsked()
  }
  await look()
  expect(capabilities.known()).toMatchObject({ submission: 'unknown', asked: now.toISOString() })
  const atFirst = questions
  await look()
  now = new Date(now.getTime() + 60_000)
  await look()
  expect(questions).toBe(atFirst)
  now = new Date(now.getTime() + 300_000)
  await look()
  expect(questions).toBeGreaterThan(atFirst)
  await client.close()
  server.closeAllConnections()
  server.close()
})
