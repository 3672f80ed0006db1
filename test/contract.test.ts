import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { Dropped } from '../electron/contract/checks.ts'
import { eachMember, type Contract, type Reply } from '../electron/contract/define.ts'
import { Failed } from '../electron/contract/failure.ts'
import { applicationContract, archiveContract } from '../electron/contract/index.ts'
import { longestId } from '../electron/contract/ids.ts'
import { TransferForm } from '../electron/contract/transfers.ts'
import { answering, answeringOf } from '../electron/ipc/answer.ts'

const id = randomUUID()
const form = {
  name: '',
  delivery: '',
  organization: '',
  address: '',
  person: '',
  email: '',
  description: '',
  identifier: '',
  tags: {},
  agreement: '',
}
const mapping = {
  source: 0,
  name: 1,
  delivery: null,
  agreement: null,
  identifier: null,
  description: null,
  organization: null,
  address: null,
  person: null,
  email: null,
  tags: {},
}
const which = { view: 'tree', sort: 'label', descending: false, filter: '', open: [], offset: 0, limit: 100 }
const narrowedList = {
  view: 'tree',
  sort: 'creator',
  descending: false,
  filter: '',
  filters: { state: ['Failed'], year: ['2024'] },
}
const narrowed = {
  kinds: [],
  states: [],
  policies: [],
  media: [],
  creators: ['Byggnadsnämnden'],
  types: [],
  agents: [],
  archives: [],
  indices: [],
  from: '',
  to: '2026-01-31',
}
const asked = { ...narrowed, q: 'brev', extensions: ['pdf'], page: 1 }
const found = { typed: 'brev', filters: narrowed, most: 5, group: null }
const happened = {
  filters: { source: ['event'] },
  filter: '',
  from: '',
  to: '',
  offset: 0,
  limit: 100,
}
const columns = [{ key: 'id', heading: 'Id' }]
const exported = { list: 'packages', ids: null, which, columns, format: 'csv', name: 'Packages', isAll: true }
const records = { list: 'agents', within: null, filter: '', open: [], offset: 0, limit: 100 }

/** For every query and command of the contract: an input that is right, and one that is not. */
const examples: Record<string, [good: unknown, bad: unknown]> = {
  'session.status': [undefined, 1],
  'session.check': [{ url: 'https://a.example' }, { url: 1 }],
  'session.signIn': [
    { url: 'a', username: 'b', password: 'c' },
    { url: 'a', username: 'b' },
  ],
  'session.signInAgain': [{ archive: 'a', password: 'c' }, { password: 'c' }],
  'session.signInHere': [{ sample: true }, { sample: 'yes' }],
  'session.show': [{ archive: 'here' }, {}],
  'session.signOut': [{ archive: 'here' }, {}],
  'session.forget': [{ archive: 'here' }, {}],
  'notices.ready': [undefined, 1],
  'about.read': [undefined, {}],
  'updates.newer': [undefined, {}],
  'diagnostics.show': [undefined, {}],
  'diagnostics.save': [undefined, 'file.json'],
  'connection.refresh': [undefined, null],
  'connection.acceptShrunk': [{ subject: 'packages' }, {}],
  'packages.list': [which, { ...which, limit: 100_000 }],
  'packages.facet': [
    { ...narrowedList, field: 'year' },
    { ...narrowedList, field: 'password' },
  ],
  'packages.uniform': [narrowedList, { ...narrowedList, filters: { password: ['x'] } }],
  'packages.chosen': [
    { ...narrowedList, open: [], offset: 0, limit: 10_000 },
    { ...narrowedList, open: [], offset: 0, limit: 10_001 },
  ],
  'packages.now': [{ id }, {}],
  'packages.one': [{ id }, { id: 5 }],
  'search.ask': [asked, { ...asked, types: 'box' }],
  'find.ask': [found, { ...found, filters: { ...narrowed, from: 'last week' } }],
  'find.list': [
    { typed: 'brev', filters: narrowed, most: 50 },
    { typed: 'brev', filters: narrowed, most: 501 },
  ],
  'find.facets': [
    { typed: 'brev', filters: narrowed, most: 50 },
    { typed: 'brev', filters: { ...narrowed, creators: 'all' }, most: 50 },
  ],
  'find.choices': [undefined, {}],
  'searches.list': [undefined, {}],
  'searches.store': [
    { name: 'Letters', address: 'q=brev', isTold: true },
    { name: ' ', address: 'q=brev', isTold: true },
  ],
  'searches.fresh': [{ id: 'own:1' }, { id: '' }],
  'searches.see': [{ id: '1' }, {}],
  'searches.notify': [
    { id: '1', isTold: true },
    { id: '1', isTold: 'yes' },
  ],
  'searches.rename': [{ id: 'own:1', name: 'Other' }, { id: 'own:1' }],
  'searches.remove': [{ id: 'own:1' }, 'own:1'],
  'searches.export': [undefined, { path: '/etc/passwd' }],
  'searches.import': [undefined, '/etc/passwd'],
  'orders.list': [undefined, 1],
  'orders.one': [{ id: 'a' }, { id: 5 }],
  'orders.begin': [undefined, {}],
  'orders.save': [
    { id, name: 'Thursday', content: '' },
    { id, name: 'x'.repeat(256), content: '' },
  ],
  'orders.add': [
    { id: null, packages: [id] },
    { id: 'x', packages: [id] },
  ],
  'orders.addFile': [
    { package: id, path: 'a' },
    { package: id, path: '' },
  ],
  'orders.paste': [{ id, text: 'a\nb' }, { id }],
  'orders.takeOut': [
    { id, package: 'a' },
    { id, package: null },
  ],
  'orders.place': [{ id }, { id: '1' }],
  'orders.remove': [{ id }, {}],
  'orders.restore': [{ id }, undefined],
  'orders.setState': [
    { id: 'a', package: null, state: 'desk' },
    { id: 'a', package: null, state: 'lost' },
  ],
  'printing.rows': [
    { list: 'risky', which: { kind: 'few copies', offset: 0, limit: 1 } },
    { list: 'rows', which: { kind: 'few copies', offset: 0, limit: 1 } },
  ],
  'printing.print': [
    { name: 'Slips', place: 'orders/a', size: 'A5', on: 'pdf' },
    { name: 'Slips', place: 'orders/a', size: 'A3', on: 'pdf' },
  ],
  'activity.list': [happened, { ...happened, filters: { gossip: ['event'] } }],
  'activity.facet': [
    { filters: { source: ['event'] }, filter: '', from: '', to: '', field: 'agent' },
    { filters: {}, filter: '', from: '', to: '', field: 'gossip' },
  ],
  'activity.uniform': [
    { filters: { source: ['event'] }, filter: '', from: '', to: '' },
    { filters: {}, filter: '', from: 'last week', to: '' },
  ],
  'activity.check': [undefined, 1],
  'activity.export': [undefined, '/tmp/x'],
  'exports.save': [exported, { ...exported, list: 'passwords' }],
  'views.all': [undefined, 'practice'],
  'views.keep': [
    { list: 'packages', body: '{}' },
    { list: '', body: '{}' },
  ],
  'alerts.see': [{ keys: null }, { keys: [7] }],
  'packages.beginning': [
    { view: 'flat', sort: 'label', descending: true, filter: '', open: [], begins: 'z', from: 3 },
    { view: 'flat', sort: 'label', descending: true, filter: '', open: [], begins: '', from: 3 },
  ],
  'packages.line': [
    { view: 'tree', sort: 'label', descending: false, filter: '', open: [], id },
    { view: 'tree', sort: 'label', descending: false, filter: '', open: [] },
  ],
  'description.tree': [
    { open: ['u:a:1'], offset: 0, limit: 50 },
    { open: ['u:a:1'], offset: 0, limit: 501 },
  ],
  'description.treeBeginning': [
    { open: [], begins: 'z', from: 3 },
    { open: [], begins: '', from: 3 },
  ],
  'description.treePath': [
    { list: 'tags', id },
    { list: 'agents', id },
  ],
  'description.referred': [{ list: 'agents' }, { list: 'passwords' }],
  'description.facet': [
    { list: 'agents', within: null, filter: '', open: [], field: 'agent-types' },
    { list: 'agents', within: null, filter: '', open: [], field: 'passwords' },
  ],
  'description.uniform': [
    { list: 'agents', within: null, filter: '' },
    { list: 'passwords', within: null, filter: '' },
  ],
  'description.counts': [undefined, {}],
  'description.beginning': [
    { list: 'agents', within: null, filter: '', open: [], begins: 'z', from: 3 },
    { list: 'agents', within: null, filter: '', open: [], begins: 'z', from: -1 },
  ],
  'storage.risky': [
    { kind: 'one room', sort: 'bytes', descending: true, offset: 0, limit: 10 },
    { kind: 'burning', offset: 0, limit: 10 },
  ],
  'storage.overview': [undefined, 'all'],
  'storage.medium': [{ id }, {}],
  'transfers.list': [{ offset: 0, limit: 50 }, { offset: 0 }],
  'transfers.beginning': [{ begins: 'a', from: 0 }, { begins: 'a' }],
  'transfers.line': [{ id: 'a', sort: 'name' }, { sort: 'name' }],
  'transfers.groups': [undefined, []],
  'transfers.one': [{ id }, { id: '../../etc/passwd' }],
  'transfers.create': [undefined, {}],
  'transfers.createLike': [{ id }, {}],
  'transfers.save': [
    { id, form },
    { id, form: { ...form, name: 'x'.repeat(256) } },
  ],
  'transfers.add': [
    { id, what: 'folder' },
    { id, what: '/etc' },
  ],
  'transfers.removeSource': [{ id, path: '/a' }, { id }],
  'transfers.recount': [{ id }, { id: 'x' }],
  'transfers.obstacles': [{ id }, {}],
  'transfers.pack': [{ id }, { id: 'x' }],
  'transfers.arrange': [
    { id, packing: { form: 'tar', algorithm: 'sha512', isPolite: true } },
    { id, packing: { form: 'rar', algorithm: 'sha512', isPolite: true } },
  ],
  'transfers.chooseProfile': [{ id }, { id, path: '/etc/passwd' }.path],
  'transfers.dropProfile': [{ id }, {}],
  'transfers.chooseDescriptive': [{ id }, { id, path: '/etc/passwd' }.path],
  'transfers.dropDescriptive': [{ id }, {}],
  'transfers.pause': [{ id }, { id: '..' }],
  'transfers.goOn': [{ id }, 1],
  'transfers.cancel': [{ id }, undefined],
  'transfers.send': [{ id }, {}],
  'transfers.reopen': [{ id }, []],
  'transfers.remove': [{ id }, null],
  'transfers.restore': [{ id }, 'x'],
  'transfers.deliveries': [undefined, 1],
  'transfers.agreements': [undefined, 1],
  'transfers.agreementMakesRepresentations': [{ agreement: id }, { agreement: '' }],
  'transfers.agreementFields': [
    { agreement: id, from: 'archive' },
    { agreement: id, from: 'desk' },
  ],
  'transfers.sendNow': [{ id }, {}],
  'transfers.sendIntoFolder': [{ id }, {}],
  'transfers.sendAgain': [{ id }, {}],
  'transfers.lookAgain': [{ id }, {}],
  'transfers.createDelivery': [{ name: 'Ö' }, { name: '' }],
  'transfers.facet': [{ field: 'state', filters: { year: ['2026'] } }, { field: 'bytes' }],
  'transfers.uniform': [{ filter: 'brev' }, { filters: { bytes: ['1'] } }],
  'transfers.duplicates': [{ id }, {}],
  'transfers.receipt': [{ id }, { id: 'x' }],
  'transfers.history': [{ id }, { id: 'x' }],
  'transfers.handOver': [{ id }, '/etc'],
  'transfers.takeOver': [undefined, '/etc'],
  'transfers.sendOn': [{ check: id }, { path: '/etc' }],
  'checks.list': [undefined, {}],
  'checks.choose': [{ what: 'folder' }, { what: '/etc' }],
  'checks.stop': [{ id }, {}],
  'checks.close': [{ id }, { id: 1 }],
  'checks.save': [{ id }, { id: '../x' }],
  'batch.list': [undefined, 1],
  'batch.one': [
    { id, offset: 100 },
    { id, offset: -1 },
  ],
  'batch.open': [{ what: 'table' }, { what: '/etc/x.csv' }],
  'batch.map': [
    { id, mapping },
    { id, mapping: { ...mapping, source: -1 } },
  ],
  'batch.template': [{ id, transfer: null }, { id }],
  'batch.count': [{ id }, {}],
  'batch.run': [{ id, send: true }, { id }],
  'batch.stop': [{ id }, null],
  'batch.save': [{ id }, 'x'],
  'batch.remove': [{ id }, []],
  'description.list': [records, { ...records, list: 'users' }],
  'description.nodesOf': [{ packages: ['p1'] }, { packages: 'p1' }],
  'description.one': [{ list: 'me/searches', id: '1' }, { list: 'agents' }],
  'description.form': [{ list: 'tags' }, {}],
  'description.create': [
    {
      list: 'tags',
      values: { name: 'x', archive_type: true, packages: ['1'], names: [{ main: 'x', of: [{}] }] },
    },
    { list: 'tags', values: { name: {} } },
  ],
  'changes.open': [
    { list: 'agents', id: '1' },
    { list: 'users', id: '1' },
  ],
  'changes.save': [
    { list: 'agents', id: '1', seen: { name: 'a' }, values: { name: 'b' } },
    { list: 'agents', id: '1', values: { name: 'b' } },
  ],
  'capabilities.read': [undefined, {}],
  'capabilities.ask': [undefined, 1],
  'capabilities.chooseOrganization': [{ id: '1' }, { id: 1 }],
  'files.list': [
    { package: id, path: '' },
    { package: '', path: '' },
  ],
  'files.roles': [
    { package: id, path: 'a' },
    { package: '', path: '' },
  ],
  'files.download': [{ package: id, path: 'a' }, { package: id, path: 'a', target: '/etc/passwd' }.target],
  'files.downloads': [{ package: id }, {}],
  'files.unfinished': [undefined, {}],
  'reader.open': [
    { package: id, path: 'a/b.txt' },
    { package: id, path: '' },
  ],
  'reader.close': [{ key: 'abc' }, {}],
  'reader.check': [{ key: 'abc' }, {}],
  'reader.identify': [{ key: 'abc' }, {}],
  'reader.stopCheck': [{ key: 'abc' }, { key: 1 }],
  'reader.generations': [{ package: id, path: 'a' }, { package: id }],
  'reader.leaveGenerations': [{ package: id, path: 'a' }, { package: id }],
  'reader.alike': [{ package: id, path: 'a' }, { package: id }],
  'reader.index': [{ package: id }, {}],
  'reader.find': [
    { package: id, text: 'plan', format: null, offset: 0, limit: 50 },
    { package: id, text: 'plan', format: null, offset: 0, limit: 501 },
  ],
  'reader.thumbnails': [
    { package: id, paths: ['a'] },
    { package: id, paths: [''] },
  ],
  'reader.keepThumbnail': [
    { package: id, path: 'a', picture: 'AAAA' },
    { package: id, path: 'a', picture: 'no base64' },
  ],
  'reader.notes': [{ package: id, path: 'a' }, { path: 'a' }],
  'reader.addNote': [
    { package: id, path: 'a', text: 'Torn at the edge' },
    { package: id, path: 'a', text: ' ' },
  ],
  'reader.removeNote': [{ id }, { id: '1' }],
  'files.resume': [{ id }, { id: '../x' }],
  'files.stop': [{ id }, {}],
  'files.forget': [{ id }, { id: 1 }],
  'comparisons.begin': [{ former: id, later: id }, { former: id }],
  'comparisons.stop': [{ former: id, later: id }, { later: '' }],
  'comparisons.folder': [
    { former: id, later: id, path: 'content', change: 'added', offset: 0 },
    { former: id, later: id, path: 'content', change: 'moved', offset: 0 },
  ],
  'comparisons.differing': [{ former: id, later: id }, {}],
  'dips.of': [{ order: id }, {}],
  'dips.unfinished': [undefined, 1],
  'dips.agreements': [undefined, {}],
  'dips.begin': [{ order: id, agreement: id }, { order: id }],
  'dips.goOn': [{ id }, { id: 'x' }],
  'dips.stop': [{ id }, {}],
  'dips.forget': [{ id }, {}],
  'outbox.list': [undefined, {}],
  'outbox.values': [{ id }, {}],
  'outbox.hold': [{ id }, { id: 'x' }],
  'outbox.release': [{ id }, {}],
  'outbox.sendNow': [{ id }, undefined],
  'outbox.move': [
    { id, by: 1 },
    { id, by: 2 },
  ],
  'outbox.remove': [{ id }, { id: 1 }],
  'outbox.restore': [{ id }, null],
  'outbox.decide': [{ id, isThere: true }, { id }],
  'outbox.pause': [{ isPaused: true }, { isPaused: 'yes' }],
  'alerts.list': [undefined, {}],
  'settings.read': [undefined, {}],
  'network.status': [{ archive: 'a' }, {}],
  'network.signIn': [
    { proxy: 'a:1', username: 'b', password: 'c' },
    { proxy: 'a:1', username: '', password: 'c' },
  ],
  'network.signOut': [{ proxy: 'a:1' }, {}],
  'settings.change': [{ theme: 'dark' }, { proxyAddress: 'http://name:password@proxy:1' }],
  'settings.testNotice': [undefined, 1],
  'settings.showFolder': [undefined, '/etc'],
  'settings.report': [{ message: 'x' }, { message: 'x'.repeat(5001) }],
}

const called: string[] = []
/** The archives that somebody is signed in to, of whom every call is answered with its own input. */
const archiveOf = (id: string) => {
  if (id !== 'a') throw new Failed({ kind: 'signed-out' })
  return id
}
const log = (error: unknown) => (error as Error).message
const answerApplication = answering(
  applicationContract,
  eachMember(applicationContract, (name) => (input: unknown) => {
    called.push(name)
    return input
  }) as never,
  log,
)
const answerArchive = answeringOf(
  archiveContract,
  eachMember(archiveContract, (name) => (archive: string, input: unknown) => {
    called.push(`${name} of ${archive}`)
    return input
  }) as never,
  archiveOf,
  log,
)
const callsOf = (contract: Contract) =>
  Object.values(eachMember(contract, (name, { kind }) => ({ name, kind })))
    .flatMap((feature) => Object.values(feature) as { name: string; kind: string }[])
    .filter(({ kind }) => kind !== 'news')
    .map(({ name }) => name)
const archiveCalls = callsOf(archiveContract)
const calls = [...callsOf(applicationContract), ...archiveCalls]

test('every call has examples', () => {
  expect(Object.keys(examples).sort()).toEqual([...calls].sort())
})

test.each(Object.entries(examples))(
  '%s reads its input before anybody acts on it',
  async (name, [good, bad]) => {
    called.length = 0
    const isOfArchive = archiveCalls.includes(name)
    const answer = (input: unknown) =>
      isOfArchive ? answerArchive('a', name, input) : answerApplication(name, input)
    const expected = [isOfArchive ? `${name} of a` : name]
    expect(await answer(good)).toEqual({ value: good })
    expect(called).toEqual(expected)
    expect(await answer(bad)).toHaveProperty('failure.kind', expect.stringMatching(/^(bug|not-found)$/))
    expect(called).toEqual(expected)
  },
)

test('who asks for a record by an id that none can have is told that there is none; nothing else is excused', async () => {
  called.length = 0
  const kindOf = async (name: string, input: unknown) => (await answerArchive('a', name, input)) as unknown
  const none = { failure: { kind: 'not-found', what: '' } }
  expect(await kindOf('transfers.one', { id: 'no-uuid' })).toEqual(none)
  expect(await kindOf('packages.one', { id: 'x'.repeat(301) })).toEqual(none)
  expect(await kindOf('batch.one', { id: 'x', offset: 0 })).toEqual(none)
  expect(await kindOf('description.one', { list: 'agents', id: '' })).toEqual(none)
  for (const [name, input] of [
    ['transfers.one', {}],
    ['transfers.one', { id: 5 }],
    ['transfers.pause', { id: 'no-uuid' }],
    ['batch.one', { id: 'x', offset: -1 }],
    ['description.one', { list: 'nothing', id: '' }],
  ] as const)
    expect(await kindOf(name, input)).toHaveProperty('failure.kind', 'bug')
  expect(called).toEqual([])
})

test('an agreement that a draft may be sent under can be asked about, however long its id', async () => {
  const agreement = 'a'.repeat(longestId)
  expect(v.is(TransferForm, { ...form, agreement })).toBe(true)
  for (const [name, input] of [
    ['transfers.agreementFields', { agreement, from: 'local copy' }],
    ['transfers.agreementMakesRepresentations', { agreement }],
  ] as const)
    expect(await answerArchive('a', name, input)).toEqual({ value: input })
})

test.each([
  'nobody.there',
  'session.nothing',
  'constructor.name',
  '__proto__.toString',
  'session.changed',
  '',
  5,
])('%s is no call', async (name) => {
  expect(await answerApplication(name, undefined)).toHaveProperty('failure.kind', 'bug')
  expect(await answerArchive('a', name, undefined)).toHaveProperty('failure.kind', 'bug')
})

test('what concerns an archive is asked of one that somebody is signed in to', async () => {
  called.length = 0
  const ask = (archive: unknown) => answerArchive(archive, 'orders.list', undefined)
  expect(await ask('b')).toEqual({ failure: { kind: 'signed-out' } })
  for (const wrong of [undefined, 5, '', 'x'.repeat(101)])
    expect(await ask(wrong)).toHaveProperty('failure.kind', 'bug')
  expect(await answerApplication('orders.list', undefined)).toHaveProperty('failure.kind', 'bug')
  expect(called).toEqual([])
})

test('what is dropped is taken wherever the window is, also at a file with the longest path', () => {
  const at = `#/reader/${id}?path=${encodeURIComponent('å'.repeat(4_000))}`
  expect(v.parse(Dropped, { paths: ['/a'], at, archive: 'here' })).toMatchObject({ at })
})

test('a failure travels as a value, anything else as a bug with a reference', async () => {
  const failing = (error: Error) =>
    answering(
      { session: applicationContract.session },
      { session: { status: () => Promise.reject(error) } },
      () => 'ref-1',
    )
  expect(await failing(new Failed({ kind: 'signed-out' }))('session.status', undefined)).toEqual({
    failure: { kind: 'signed-out' },
  } satisfies Reply<never>)
  expect(await failing(new Error('secret path'))('session.status', undefined)).toEqual({
    failure: { kind: 'bug', reference: 'ref-1' },
  })
})
