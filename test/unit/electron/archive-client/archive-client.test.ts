import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAddress } from '../../../../electron/archive-client/check-address.ts'
import { readAddress } from '../../../../electron/archive-client/address.ts'
import { openClient, readList } from '../../../archives/archive-client.ts'
import { events } from '../../../../electron/dialects/specification/activity.ts'
import { readStep } from '../../../../electron/dialects/essarch/work.ts'
import { informationPackages, toPackage } from '../../../../electron/dialects/specification/packages.ts'
import { recordsOf } from '../../../../electron/dialects/specification/records.ts'
import { obtainToken, readMe } from '../../../../electron/dialects/specification/session.ts'
import { media, objects, policies } from '../../../../electron/dialects/specification/storage.ts'
import { Failed, type Failure } from '../../../../electron/contract/failure.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { listOf } from '../../../../electron/dialects/dialect.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { startFaultyServer, type Fault } from '../../../faults/faulty-server.ts'

const place = scratch()
let archive: RunningArchive
let proxy: Awaited<ReturnType<typeof startFaultyServer>>
beforeAll(async () => {
  archive = await startArchive(place.folder, '--sample')
  proxy = await startFaultyServer(archive.url)
})
afterAll(async () => {
  await proxy.stop()
  await archive.stop()
  place[Symbol.dispose]()
})

const failureOf = async (work: Promise<unknown>): Promise<Failure | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Failed ? error.failure : Promise.reject(error as Error)),
  )
const client = (url = proxy.url, authorization = archive.basic) => openClient(url, authorization, () => 'en')

describe('bad servers', () => {
  const wanted: [Fault, Partial<Failure>][] = [
    ['html', { kind: 'server-broke', detail: 'html', status: 200 }],
    ['html 500', { kind: 'server-broke', detail: 'html', status: 500 }],
    ['half a body', { kind: 'server-broke', detail: 'cut-off' }],
    ['not json', { kind: 'server-broke', detail: 'not-json' }],
    ['an object', { kind: 'server-broke', detail: 'unexpected' }],
    ['endless', { kind: 'server-broke', detail: 'too-long' }],
    ['closes', { kind: 'offline' }],
    ['unauthorized', { kind: 'signed-out' }],
  ]
  test.each(wanted)('%s', async (fault, failure) => {
    proxy.misbehave(fault)
    const asking = client()
    expect(await failureOf(asking.list('events/'))).toMatchObject(failure)
    await asking.close()
    proxy.misbehave('none')
  })
  test('nobody there', async () => {
    expect(await failureOf(client('http://127.0.0.1:9').get('me/'))).toMatchObject({
      kind: 'offline',
      detail: 'ECONNREFUSED',
    })
  })
})

test('a token is obtained, and a wrong password is told from a wrong server', async () => {
  const asking = client(archive.url, undefined)
  const obtained = await obtainToken(asking, archive)
  expect(await readMe(client(archive.url, `Token ${obtained?.token}`))).toEqual({
    username: 'archivist',
    fullName: 'Reading Room',
  })
  expect(await failureOf(obtainToken(asking, { username: archive.username, password: 'wrong' }))).toEqual({
    kind: 'wrong-password',
  })
})

test('the sample holdings are read whole', async () => {
  const asking = client(archive.url)
  const packages = (await readList(asking, informationPackages)).rows.map(({ raw }) => toPackage(raw))
  expect(packages.filter(({ type }) => type === 'AIC')).toHaveLength(42)
  expect(packages.filter(({ type }) => type === 'AIP')).toHaveLength(112)
  expect(packages.every(({ unknown }) => Object.keys(unknown).length === 0)).toBe(true)
  const aip = packages.find(({ type }) => type === 'AIP')
  expect(aip?.profiles.map(({ type }) => type).sort()).toEqual([
    'aic_description',
    'aip',
    'aip_description',
    'dip',
    'preservation_metadata',
    'sip',
    'submit_description',
    'transfer_project',
    'workflow',
  ])
  expect((await readList(asking, objects)).rows).toHaveLength(311)
  expect((await readList(asking, media)).rows.map(({ model }) => model.location)).toContain(
    'Rock vault, Säter',
  )
  expect((await readList(asking, policies)).rows[0]?.model).toMatchObject({
    isActive: true,
    ingestFolder: `${place.folder}/ingest`,
  })
})

test('what one may do with a package is few things, however many permissions an archive names', () => {
  const recorded = readFileSync(path.join(import.meta.dirname, '../../../recorded/essarch.jsonl'), 'utf8')
  const preserved = recorded
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; body: { permissions: string[] } })
    .find(({ name }) => name === 'sip-archivist-23-preserved-detail')
  expect(preserved?.body.permissions).toHaveLength(132)
  expect(toPackage(preserved?.body).acts).toEqual([
    'view',
    'open files',
    'search',
    'fetch',
    'order',
    'disseminate',
    'send',
    'begin generation',
    'delete',
  ])
  const permissions = ['delete_informationpackage', 'preserve', 'change_sa']
  const sip = { id: 'a', package_type: 0, archived: false, permissions }
  expect(toPackage(sip).acts).toEqual(['ingest', 'change', 'delete'])
  expect(toPackage({ ...sip, package_type: 2, archived: true }).acts).toEqual([])
  expect(toPackage({ ...sip, last_generation: true }).acts).toEqual(['ingest', 'change'])
  expect(toPackage({ ...sip, package_type: 1 }).acts).toEqual(['delete'])
  expect(toPackage({ id: 'a', permissions: ['view_topography', 'query', 'a_new_one'] }).acts).toEqual([
    'search',
  ])
})

test('a profile that is attached is not one that is not, in whichever way its kind is written', () => {
  const { profiles, profilesNotAttached } = toPackage({
    id: 'a',
    'profile_AIP Description': null,
    profile_Import: null,
    profile_aip_description: { id: 'p', profile: 'q', profile_type: 'aip_description' },
  })
  expect(profiles.map(({ type }) => type)).toEqual(['aip_description'])
  expect(profilesNotAttached).toEqual(['Import'])
})

test('tasks that failed because one before them did were never begun', async () => {
  const flow = (id: string, status: string, started: string | null) => ({
    id,
    flow_type: 'task',
    label: id,
    status,
    time_started: started,
  })
  const children = [
    flow('a', 'SUCCESS', '2026-01-01T00:00:00Z'),
    flow('b', 'FAILURE', '2026-01-01T00:00:01Z'),
    flow('c', 'FAILURE', null),
  ]
  const { tasks } = await readStep(
    {
      get: (path) => Promise.resolve(path.startsWith('steps/') ? { id: 's', status: 'FAILURE' } : {}),
      list: () => Promise.resolve(children),
      answer: () => Promise.reject(new Error('Nobody asks.')),
    },
    's',
  )
  expect(tasks.map(({ state }) => state)).toEqual(['done', 'failed', 'not begun'])
})

test('what an archive writes may be called like what every object has', async () => {
  const step = await readStep(
    {
      get: () => Promise.resolve({ id: 's', status: 'constructor' }),
      list: () => Promise.resolve([]),
      answer: () => Promise.reject(new Error('Nobody asks.')),
    },
    's',
  )
  expect(step.state).toBe('waiting')
  const event = { id: 1, eventType: 'constructor', eventDateTime: '2026-01-02T03:04:05Z' }
  expect(events.read(event, 0).rows[0]?.model.receipt).toBeNull()
})

test('a name that nobody would see is none, and an id that no page could ask for is named', () => {
  const titleOf = (record: unknown) => recordsOf('ref-codes').read(record, 0).rows[0]?.model.title
  expect(titleOf({ id: 'a', name: ' \n' })).toBe('a')
  expect(titleOf({ id: 'b', name: ' ', repository_code: 'STA' })).toBe('STA')
  const { unreadable } = recordsOf('ref-codes').read({ id: 'å'.repeat(301), name: 'SE' }, 0)
  expect(unreadable.map(({ why }) => why)).toEqual(['Expected an id of at most 300 characters'])
  expect(toPackage({ id: 'a', label: ' ' }).label).toBe('')
})

test.each([
  ['an id', '{"id": 9007199254740993}', 'id'],
  ['the id of another record', '{"id": "a", "policy": 9007199254740993}', 'policy'],
  ['that of a record within it', '{"id": "a", "policy": {"id": 9007199254740993}}', 'policy'],
])(
  '%s that is an integer too large to be read exactly is said, and stands for no other',
  (_, json, field) => {
    const packages = present(listOf(specification, 'packages'))
    const read = (text: string) => packages.read(JSON.parse(text), 3)
    expect(read(json).unreadable.map(({ path, why }) => [path, why])).toEqual([
      [
        `/api/information-packages/[3].${field}`,
        'Expected an id that can be read exactly but received a number of more than 53 bits',
      ],
    ])
    expect(read(json).rows).toEqual([])
    expect(read(json.replace('9007199254740993', '9007199254740991')).rows).toHaveLength(1)
  },
)

test('a record with little in it is read, and what is new in one is kept', () => {
  expect(toPackage({ id: 'a' })).toMatchObject({
    id: 'a',
    label: '',
    bytes: 0,
    agents: [],
    acts: [],
    unknown: {},
  })
  expect(
    toPackage({
      id: 'a',
      object_size: 'many',
      agents: [],
      label: null,
      access_rights: 'closed',
      policy: { id: 'p', name: 'x' },
    }),
  ).toMatchObject({
    bytes: 0,
    agents: [],
    label: '',
    policy: 'p',
    unknown: { access_rights: 'closed' },
  })
  expect(() => toPackage({ label: 'no id' })).toThrow(/id/)
  expect(() => toPackage({ id: '', label: 'an empty id' })).toThrow(/Expected an id/)
  expect(() => toPackage({ id: 'x'.repeat(301) })).toThrow(/Expected an id of at most 300 characters/)
  expect(toPackage({ id: 'x', aic: '', policy: { id: '' } })).toMatchObject({ aic: null, policy: null })
})

test('addresses as people type them', () => {
  expect(readAddress('archive.example.org')?.href).toBe('https://archive.example.org/')
  expect(readAddress(' localhost:8642 ')?.href).toBe('http://localhost:8642/')
  expect(readAddress('https://a.example/essarch/api/me/')?.href).toBe('https://a.example/essarch')
  // As a browser shows it where one signs in, or has signed out.
  for (const page of ['/', '/#/login', '/?ref=logout', '/?next=/api/me/', '/api/?format=json#top'])
    expect(readAddress(`https://a.example/essarch${page}`)?.href).toMatch(
      /^https:\/\/a\.example\/essarch\/?$/,
    )
  expect(
    ['htp:/bad', 'https:/a.example', 'a.example:', 'mailto:x'].map((typed) => readAddress(typed)),
  ).toEqual(Array.from({ length: 4 }, () => undefined))
  expect(readAddress('a.example:8443/essarch')?.href).toBe('https://a.example:8443/essarch')
  expect(['', 'a b', 'ftp://x', 'https://user:pw@x', 'http://'].map((typed) => readAddress(typed))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

describe('an address is checked step by step', () => {
  const outcomes = async (typed: string) =>
    Object.fromEntries((await checkAddress(typed, ['api/me/'])).map(({ name, outcome }) => [name, outcome]))
  test('all steps pass on an archive', async () => {
    expect(await outcomes(archive.url)).toEqual({
      address: 'passed',
      host: 'passed',
      connection: 'passed',
      answers: 'passed',
      scheme: 'passed',
    })
  })
  test('the first step that fails is named', async () => {
    expect(await outcomes('not an address')).toMatchObject({ address: 'failed', host: 'not reached' })
    expect(await outcomes('https://no-such-host.invalid')).toMatchObject({
      address: 'passed',
      host: 'failed',
      connection: 'not reached',
      tls: 'not reached',
    })
    expect(await outcomes('http://127.0.0.1:9')).toMatchObject({
      host: 'passed',
      connection: 'failed',
      answers: 'not reached',
    })
    expect(await outcomes(archive.url.replace('http:', 'https:'))).toMatchObject({
      connection: 'passed',
      tls: 'failed',
      answers: 'not reached',
    })
    proxy.misbehave('html')
    expect(await outcomes(proxy.url)).toMatchObject({
      connection: 'passed',
      answers: 'failed',
      scheme: 'not reached',
    })
    proxy.misbehave('none')
  })
})
