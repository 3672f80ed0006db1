import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openClient } from '../../../../electron/archive-client/http.ts'
import { submission } from '../../../../electron/dialects/essarch/submissions.ts'
import { conventions } from '../../../../electron/dialects/specification/conventions.ts'
import { present } from '../../../support/present.ts'
import { until } from '../../../support/until.ts'
import { startDialect } from '../../../archives/dialects.ts'
import { uploadPlace } from '../../../desks/upload-place.ts'

/** A call to a real ESSArch, and what it answered. */
interface Recording {
  name: string
  user: string | null
  method: string
  path: string
  sent: unknown
  status: number
  headers: Record<string, string>
  body: unknown
}

/** What was met in a place of a body: JSON types, the keys of objects, the elements of lists. */
interface Shape {
  types: Set<string>
  keys: Map<string, Shape>
  elements: Shape | undefined
}

/** Objects whose keys are data; their values are alike. */
const keyedByData =
  /(^|\.)(agents|altrecordids|params|params_parsed|filters|submission_agreement_data\.data)$/

/** What a described field may say of itself, each where it has it. */
const attributesOf = /\.actions\.POST\.|\.filters\./
const isAttribute = /^(label|help_text|(min|max)_(length|value)|choices)$/

/** Differences that stay: which recordings, where in the answer, and why. */
const differences: { recordings: RegExp; where: RegExp; why: string }[] = [
  {
    recordings: new RegExp(
      '^list-(access-aids|appraisal-jobs|authority-types|agent-tag-relation-types|consign-methods|groups|' +
        'conversion-jobs|io-queue|organizations|parameters|profile-ip|robots|site|stats|steps|sysinfo|' +
        'tasks|users|workarea-entries)$',
    ),
    where: /^status: 404/,
    why: 'lists that the desk never asks',
  },
  { recordings: /^create-units-of-instance$/, where: /^status/, why: 'the desk asks for the units of all' },
  {
    recordings: /^(search-|error-400-search)/,
    where: /^header Allow/,
    why: 'the search is the local archive’s own, and nobody reads the methods it names',
  },
  { recordings: /^search-extension$/, where: /_filter_type\.meta/, why: 'a counter that nobody reads' },
  { recordings: /^create-locations-tree$/, where: /children/, why: 'asked before a place lay in another' },
  {
    recordings: /^(list-locations|locations-after-500)$/,
    where: /children\[\]\.children/,
    why: 'a deeper tree than recorded',
  },
  { recordings: /^list-profiles$/, where: /: missing$/, why: 'of profiles the desk shows name and type' },
  {
    recordings: /^options-(events|information-packages|notifications|storage-mediums|submission-agreements)$/,
    where: /actions\.POST\.\w+: missing$/,
    why: 'the desk sends no POST to these lists of its own accord',
  },
  {
    recordings: /^options-(agents|orders|structure-units|structures)$/,
    where: /actions\.POST\.\w+\.(child|children)(\.children\.(create|revise)_date)?: missing$/,
    why: 'fields that no form shows: read only, or unknown to the specification',
  },
  {
    recordings: /^options-agents$/,
    where: /places\.child\.children/,
    why: 'places of agents are topographies there, which the specification does not know',
  },
  {
    recordings: /^tar-files-content$/,
    where: /not recorded/,
    why: 'files, where one folder alone was recorded',
  },
  {
    recordings: /^error-500-delivery-same/,
    where: /^status/,
    why: 'ids of places and deliveries never meet',
  },
  { recordings: /^error-delete-/, where: /^status: 405/, why: 'the desk deletes nothing' },
  {
    recordings: /^create-(access-aid|agent-tag-relation|authority|order)-type$/,
    where: /^status/,
    why: 'vocabularies of the administration that the desk does not make',
  },
  { recordings: /^create-event$/, where: /^status: 405/, why: 'the desk writes no events' },
]

/** Recordings that are not sent to the double, and why. */
const notSent: { recordings: RegExp; why: string }[] = [
  { recordings: /^bag-/, why: 'a bag in a folder, which the archive does not preserve' },
  { recordings: /^newgen2?-/, why: 'the same calls as newgen3, and two without an id' },
  { recordings: /^dip-detail$/, why: 'a package of its own; packages are compared in seven other answers' },
  { recordings: /^(upload-|ip-delete)/, why: 'uploads of a package that is gone by then' },
  {
    recordings: /^create-structure-publish$/,
    why: 'units are sent after it, which a published structure does not take',
  },
  { recordings: /^refused-empty/, why: 'the same answers as refused-format, of another step' },
]

const recordings = readFileSync(path.join(import.meta.dirname, '../../../recorded/essarch.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recording)

const accounts: Record<string, string> = { archivist: 'reader', superuser: 'administrator' }

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

const merge = (shape: Shape, value: unknown, where: string): Shape => {
  shape.types.add(typeOf(value))
  if (Array.isArray(value)) {
    for (const element of value) shape.elements = merge(shape.elements ?? nothing(), element, `${where}[]`)
    return shape
  }
  if (typeof value !== 'object' || value === null) return shape
  for (const [key, below] of Object.entries(value)) {
    // Which profiles a package has is data; that it may have them is said by the titles beside them.
    if ('profile_SIP' in value && /^profile_[a-z_]+$/.test(key)) continue
    if (attributesOf.test(where) && isAttribute.test(key)) continue
    const name = keyedByData.test(where) ? '*' : key
    shape.keys.set(name, merge(shape.keys.get(name) ?? nothing(), below, `${where}.${name}`))
  }
  return shape
}
const nothing = (): Shape => ({ types: new Set(), keys: new Map(), elements: undefined })

/** Where two shapes differ; null fits any, and of an empty list nothing below is known. */
const between = (recorded: Shape, given: Shape, where: string): string[] => {
  const known = [...recorded.types].filter((type) => type !== 'null')
  const types = [...given.types].filter((type) => type !== 'null')
  if (known.length === 0 || types.length === 0) return []
  const strange = types.filter((type) => !known.includes(type))
  if (strange.length > 0) return [`${where}: ${strange.join()} in place of ${known.join()}`]
  const { elements } = recorded
  const isData = keyedByData.test(where)
  return [
    ...[...recorded.keys].flatMap(([key, below]) => {
      const there = given.keys.get(key)
      if (there) return between(below, there, `${where}.${key}`)
      return isData || !given.types.has('object') ? [] : [`${where}.${key}: missing`]
    }),
    ...[...given.keys.keys()]
      .filter((key) => !recorded.keys.has(key) && known.includes('object') && !isData)
      .map((key) => `${where}.${key}: not recorded`),
    ...(elements && given.elements ? between(elements, given.elements, `${where}[]`) : []),
  ]
}

const kindOf = (type: string | null | undefined) => (type ?? '').split(';')[0]

/** There are further pages: the rows are more than were asked for. */
const isCut = (recorded: Recording, count: string | null) => {
  const { searchParams } = new URL(recorded.path, 'http://archive/')
  const size = Number(searchParams.get('page_size') ?? 10) || 10
  return searchParams.get('pager') !== 'none' && Number(count ?? 0) > size
}

let essarch: Awaited<ReturnType<typeof startDialect>>
/** Ids of the recorded database, and those of the double that stand for them. */
const ids = new Map<string, string>()

const standIn = (text: string) => [...ids].reduce((said, [from, to]) => said.replaceAll(from, to), text)

const send = async (recorded: Recording) => {
  const { method, sent, user } = recorded
  const isChunk = /-upload-\w+-chunk\d$/.test(recorded.name)
  const body = isChunk
    ? chunkOf(recorded)
    : recorded.name === 'newgen3-upload'
      ? addedChunk()
      : typeof sent === 'string' || sent === null
        ? undefined
        : standIn(JSON.stringify(sent))
  const { password } = present(
    [essarch.archive, ...essarch.archive.others].find(
      ({ username }) => username === (accounts[user ?? ''] ?? 'reader'),
    ),
  )
  const authorization =
    recorded.name === 'error-401-bad-token'
      ? 'Token nothing'
      : user !== null && `Basic ${Buffer.from(`${accounts[user]}:${password}`).toString('base64')}`
  return fetch(`${essarch.archive.url}/api/${standIn(recorded.path)}`, {
    method,
    headers: {
      ...(authorization === false ? {} : { authorization }),
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body }),
  })
}

/** What the double answers otherwise than was recorded, a line each. */
const compare = async (recorded: Recording): Promise<string[]> => {
  const answer = await send(recorded)
  const text = await answer.text()
  if (answer.status !== recorded.status) return [`status: ${answer.status} in place of ${recorded.status}`]
  const has = (name: string) => answer.headers.has(name)
  const count = answer.headers.get('Count')
  const headers = ['Count', 'Allow'].flatMap((name) =>
    has(name) === name in recorded.headers
      ? []
      : [`header ${name}: ${has(name) ? 'not recorded' : 'missing'}`],
  )
  if (text === '' && recorded.body === '') return headers
  const type = kindOf(answer.headers.get('Content-Type'))
  const wanted = kindOf(recorded.headers['Content-Type'])
  if (type !== wanted) return [...headers, `header Content-Type: ${type} in place of ${wanted}`]
  if (count !== null && has('Link') !== isCut(recorded, count)) headers.push('header Link: not by the count')
  const allowed = (methods: string | null | undefined) => (methods ?? '').split(', ').sort().join(', ')
  if (
    recorded.method === 'OPTIONS' &&
    allowed(answer.headers.get('Allow')) !== allowed(recorded.headers['Allow'])
  )
    headers.push(`header Allow: ${answer.headers.get('Allow')} in place of ${recorded.headers['Allow']}`)
  if (type !== 'application/json' || recorded.method === 'HEAD') return headers
  const shapes = between(
    merge(nothing(), recorded.body, ''),
    merge(nothing(), text === '' ? '' : JSON.parse(text), ''),
    '',
  )
  return [...headers, ...shapes.map((line) => `body ${line}`)]
}

const ask = async (address: string) =>
  (await (await send({ ...present(recordings[0]), method: 'GET', path: address })).json()) as Record<
    string,
    unknown
  >[]

const firstOf = async (address: string, fits = (_: Record<string, unknown>) => true) =>
  String(present((await ask(address)).find(fits))['id'])

/** Waits until the work at a package has come to its end. */
const settled = (identifier: string) =>
  until(async () => {
    const address = `information-packages/?view_type=flat&object_identifier_value=${identifier}`
    const found = present((await ask(address))[0])
    return found['step_state'] === 'STARTED' ? undefined : found
  })

/** A chunk of a file, by what was asked of it once it was there. */
const chunkOf = (recorded: Recording) => {
  const asked = present(
    recordings.find(({ name }) => name === recorded.name.replace(/-chunk\d$/, '-chunk-asked')),
  )
  const form = new FormData()
  for (const [name, value] of new URL(asked.path, 'http://archive/').searchParams) form.set(name, value)
  form.set('flowChunkNumber', present(recorded.name.at(-1)))
  form.set('file', new Blob(['x'.repeat(Number(form.get('flowChunkSize')))]), 'chunk')
  return form
}

/** The chunk that was added to a new generation; the form that carried it was not recorded. */
const addedChunk = () => {
  const form = new FormData()
  form.set('flowChunkNumber', '1')
  form.set('flowRelativePath', 'tillagg.txt')
  form.set('destination', 'hamn-1950-gen1/content')
  form.set('file', new Blob(['tillagg']), 'chunk')
  return form
}

const inOrder = ({ name }: Recording) => name.replace('chunk-asked', 'chunk~')

/** The recorded submission from nothing to preserved, each call after the work before it has ended. */
const submit = async (steps: Recording[]): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>()
  for (const step of steps.toSorted((a, b) => (inOrder(a) < inOrder(b) ? -1 : 1))) {
    found.set(step.name, await compare(step))
    if (step.name === 'sip-archivist-01-create')
      ids.set('9e9a25ac-95a9-4d93-b8ac-946d94e7e660', String((await settled('sip-a3'))['id']))
    if (step.method === 'POST') await settled('sip-a3')
  }
  return found
}

/** A package of this account's own, with its files, until its upload is finished. */
const uploaded = async (identifier: string, files: [file: string, text: string][]) => {
  await submission.create(client, { identifier, label: 'Bar' })
  const { id } = present(await submission.find(client, identifier))
  const agreement = present((await submission.agreements(client))[0]).id
  await submission.agree(client, id, agreement)
  await submission.lock(client, id, agreement)
  await submission.prepare(client, id)
  await settled(identifier)
  for (const [file, text] of files)
    await submission.sendChunk(client, uploadPlace(id), file, { number: 1, bytes: Buffer.from(text) })
  return id
}

/** The id of a package in the work area. */
const inWorkArea = (identifier: string) =>
  until(async () => {
    const found = (await ask(`workareas/?object_identifier_value=${identifier}`))[0]
    return found?.['step_state'] === 'SUCCESS' ? found['id'] : undefined
  })

/**
 * Calls in an order of their own, by the ends of their names, each after the work before it has ended.
 * @param identifier of the package that the first of them makes in the work area, whose recorded id is `id`
 */
const inTurn = async (name: string, ends: string[], identifier: string, id: string) => {
  const told = new Map<string, string[]>()
  for (const [index, end] of ends.entries()) {
    const recorded = present(recordings.find((call) => call.name === `${name}-${end}`))
    told.set(recorded.name, await compare(recorded))
    if (index === 0) standFor(id, await inWorkArea(identifier))
    else if (/^(workarea-)?(receive|preserve)$/.test(end)) await settled(identifier)
  }
  return told
}

/** A folder that lies in the reception, and a new generation, until each is preserved. */
const byWorkArea = async () => {
  mkdirSync(path.join(essarch.data, 'reception', 'dir-ok', 'content'), { recursive: true })
  writeFileSync(path.join(essarch.data, 'reception', 'dir-ok', 'content', 'brev.txt'), 'Ett brev')
  const folder = '2904c731-097a-403b-8516-529618b489e0'
  const laid = await inTurn('dir', ['receive', 'workarea-receive', 'preserve', 'files'], 'dir-ok', folder)
  standFor('09982af2-c1fb-4876-856d-7550e63bd107', ids.get(folder))
  standFor('user=6', `user=${String(((await client.get('me/')) as { id: unknown }).id)}`)
  const ends = ['access', 'workareas', 'workarea-files', 'upload', 'merge', 'receive', 'preserve', 'detail']
  const generation = 'd62fe02d-0b0e-4303-8dd7-392a8dec4e3c'
  return [...laid, ...(await inTurn('newgen3', ends, 'hamn-1950-gen1', generation))]
}

/** Lays a SIP into the reception as it was recorded, with the description that the desk writes. */
const layContainer = (identifier: string, said: { agreement?: string; sha256?: string } = {}) => {
  const folder = path.join(essarch.data, 'reception')
  const root = path.join(essarch.data, 'sips', identifier)
  for (const name of ['documentation', 'metadata', 'representations/rep1/data', 'schemas']) {
    mkdirSync(path.join(root, name), { recursive: true })
    writeFileSync(path.join(root, name, 'brev.txt'), 'Ett brev')
  }
  for (const name of ['METS.xml', 'representations/rep1/METS.xml'])
    writeFileSync(path.join(root, name), '<mets/>')
  const container = path.join(folder, `${identifier}.tar`)
  execFileSync('tar', ['-cf', container, '-C', path.dirname(root), identifier])
  const bytes = readFileSync(container)
  const described = submission.describeContainer({
    identifier,
    label: 'Vattenledningen åren 1921–1932',
    agreement: said.agreement ?? present(ids.get('7c139e9a-973c-4c99-b66d-27bc74c75b44')),
    type: 'E-ARK SIP 2.2.0',
    software: 'Lectern 1.0',
    archivist: 'Vattenverket',
    organization: 'Byggnadsnämnden',
    person: '',
    start: '1921-01-01',
    end: '1932-12-31',
    made: new Date(),
    file: {
      name: `${identifier}.tar`,
      bytes: bytes.length,
      sha256: said.sha256 ?? createHash('sha256').update(bytes).digest('hex'),
    },
  })
  writeFileSync(path.join(folder, `${identifier}.xml`), described)
}

/** Containers with descriptions in the reception: one until it is preserved, two that are refused. */
const byContainer = async () => {
  const told = new Map<string, string[]>()
  const sendInOrder = async (name: string, ends: string[]) => {
    for (const end of ends) {
      const recorded = present(recordings.find((call) => call.name === `eark-w3a-${name}-${end}`))
      told.set(recorded.name, await compare(recorded))
      const identifier = /ip-reception\/([\w-]+)\/receive/.exec(recorded.path)?.[1]
      const id = /information-packages\/([\w-]+)\/preserve/.exec(recorded.path)?.[1]
      if (identifier !== undefined && recorded.status === 200) {
        const { id: made } = await settled(identifier)
        for (const { path: address, name: called } of recordings)
          if (called.startsWith(`eark-w3a-${name}-`) && address.startsWith('information-packages/'))
            standFor(present(address.split('/')[1]), made)
      }
      if (id !== undefined) await settled('w3a-full-a764c9')
    }
  }
  layContainer('w3a-full-a764c9')
  await sendInOrder('full', [
    '01-reception',
    '02-reception-detail',
    '03-receive',
    '04-received-detail',
    '05-files',
    '11-preserve',
    '12-preserved-detail',
    '13-files-1',
    '13-files-2',
    '13-files-3',
    '13-files-rep',
  ])
  layContainer('w3a-nosa-9db79c', { agreement: '' })
  await sendInOrder('nosa', ['01-reception', '02-reception-detail', '03-receive'])
  layContainer('w3a-wrongsum-1f1419', { sha256: '0'.repeat(64) })
  await sendInOrder('wrongsum', ['03-receive', 'failed-receive-detail'])
  return told
}

const standFor = (given: string, own: unknown) => ids.set(given, String(own))

/** What of the recorded database is named by its id, and what of the double's stands for it. */
const findStandIns = async () => {
  standFor('7c139e9a-973c-4c99-b66d-27bc74c75b44', await firstOf('submission-agreements/?published=true'))
  const type = await firstOf('agent-types/')
  for (const given of ['b7650183-334c-4f43-bc6d-ac4dc02292af', 'ac8321b9-1c80-4888-9282-0f98886f2f89'])
    standFor(given, type)
  standFor('98d0b258-b652-48e9-92a5-af1247624d3a', await firstOf('ref-codes/'))
  const agent = await firstOf('agents/')
  for (const given of ['80e59347-a938-4ff2-8d72-c8215a85643f', '00c96fbe-1d31-4de2-8064-26234735ee89'])
    standFor(given, agent)
  const open = await firstOf('structures/', (item) => item['published'] !== true)
  for (const given of ['cdb46357-4be0-4d08-85ce-7c43afd88508', 'd35dc23c-2402-404c-843a-b9d4adf01663'])
    standFor(given, open)

  const trap = await uploaded('trap', [
    ['content/p', 'first'],
    ['content/p_1', 'second'],
  ])
  await submission.merge(client, uploadPlace(trap), 'content/p', 1)
  standFor('b6214eca-0ea3-4f64-aa10-7b0b08a603c4', trap)
  const refused = await uploaded('refused', [['content/a.docx', 'x']])
  await submission.merge(client, uploadPlace(refused), 'content/a.docx', 1)
  await submission.finishUpload(client, refused)
  await submission.make(client, refused)
  await settled('refused')
  standFor('dd1c797a-612f-4d06-af2f-0f5ccb4f497e', refused)
  standFor('7e340760-f72e-411f-9d87-af0f9fff4e1b', refused)

  // A package of the sample holdings, whose preserving fails.
  const [kept, other] = await ask('information-packages/?view_type=flat')
  standFor('10f3f677-30e2-49c9-bb23-1a4d03b692ce', other?.['id'])
  standFor('5c6a158b-f509-41f6-b939-add6b0878351', kept?.['id'])
  standFor('4d292333-0e68-4a32-bfda-04b55ff2fcc3', kept?.['id'])
  await client.post(`information-packages/${String(kept?.['id'])}/preserve/`, { structure_unit: 'nothing' })
  await settled(String(kept?.['object_identifier_value']))
  const workflow = async (id: unknown) => ask(`information-packages/${String(id)}/workflow/?hidden=false`)
  const failed = (await workflow(refused)).find((step) => step['status'] === 'FAILURE')
  const [preserving] = await workflow(kept?.['id'])
  const below = await ask(`steps/${String(failed?.['id'])}/children/`)
  const failure = below.find((step) => step['status'] === 'FAILURE' && step['flow_type'] === 'task')
  for (const recorded of recordings) {
    const [, list, id = ''] = /^(steps|tasks)\/([\w-]+)\//.exec(recorded.path) ?? []
    if (list === 'steps')
      standFor(id, recorded.name.startsWith('work-') ? preserving?.['id'] : failed?.['id'])
    if (list === 'tasks') standFor(id, failure?.['id'])
  }
}

const isIn = ({ name }: Recording, pattern: RegExp) => pattern.test(name)

let found = new Map<string, string[]>()
let client: ReturnType<typeof openClient>
beforeAll(async () => {
  vi.stubEnv('ESSARCH_TASK_MS', '5')
  essarch = await startDialect('essarch')
  const { password } = present(essarch.archive.others.find(({ username }) => username === 'reader'))
  const proof = `Basic ${Buffer.from(`reader:${password}`).toString('base64')}`
  client = openClient(essarch.archive.url, proof, () => 'en', conventions)
  await findStandIns()
  const sent = recordings
    .filter((recording) => recording.user === null || recording.user in accounts)
    .filter((recording) => !notSent.some(({ recordings: these }) => isIn(recording, these)))
  found = await submit(sent.filter(({ name }) => name.startsWith('sip-archivist-')))
  for (const [name, lines] of [...(await byWorkArea()), ...(await byContainer())]) found.set(name, lines)
  const isReading = ({ method }: Recording) => method !== 'POST' && method !== 'DELETE' && method !== 'PUT'
  const others = sent.filter(({ name }) => !found.has(name))
  const writes = others.filter((recording) => !isReading(recording))
  for (const recorded of [
    ...others.filter(isReading),
    ...writes.filter(({ status }) => status >= 400),
    ...writes.filter(({ status }) => status < 400),
  ])
    found.set(recorded.name, await compare(recorded))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await client.stop()
  await essarch.stop()
})

const isListed = (name: string, line: string) =>
  differences.some(({ recordings: these, where }) => these.test(name) && where.test(line))

test('the double answers as a real ESSArch did, but for what is listed', () => {
  const all = [...found].flatMap(([name, lines]) => lines.map((line) => [name, line] as const))
  expect(all.filter(([name, line]) => !isListed(name, line)).map((item) => item.join(' '))).toEqual([])
})

test('a listed difference is one', () => {
  const all = [...found].flatMap(([name, lines]) => lines.map((line) => ({ name, line })))
  const gone = differences.filter(
    ({ recordings: these, where }) => !all.some(({ name, line }) => these.test(name) && where.test(line)),
  )
  expect(gone).toEqual([])
  expect(
    notSent.filter(({ recordings: these }) => !recordings.some((recording) => isIn(recording, these))),
  ).toEqual([])
})
