import { renameSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { listNamed } from '../../electron/contract/lists.ts'
import { mayCreate } from '../../electron/dialects/essarch/permissions.ts'
import { startArchive } from '../archives/archive.ts'
import { scratch } from '../support/scratch.ts'
import { until } from '../support/until.ts'
import { makeBag } from '../packages/bags.ts'
import { compare } from './compare.ts'
import { creations, others, specification, type FieldType } from './specification.ts'

// Compares archives with the specification: every list with its fields, types and nulls, and what OPTIONS
// says of creating; and what they give of the files in packages, which it does not speak of, with HTTP.
// Beside it stands how ESSArch differs, by the double of it.
//   npm run conformance [-- --url https://archive.example.org --username NAME]    the password is in
// LECTERN_PASSWORD
const { values } = parseArgs({ options: { url: { type: 'string' }, username: { type: 'string' } } })

interface Finding {
  path: string
  expected: string
  found: string
}

type Get = (
  address: string,
  method?: string,
  more?: Record<string, string>,
) => Promise<{ status: number; headers: Headers; body: unknown }>
type Entry = Record<string, unknown>

/** Packages whose files are asked for, until one has some: of many only descriptions are here. */
const mostLookedInto = 20

/** Ids of packages that are no AIC, a few of them. */
const packagesIn = (body: unknown): string[] =>
  (Array.isArray(body) ? (body as Entry[]) : [])
    .flatMap((row) =>
      Array.isArray(row['information_packages']) && row['information_packages'].length > 0
        ? (row['information_packages'] as Entry[])
        : [row],
    )
    .map((row) => String(row['id']))
    .slice(-mostLookedInto)

const entryFields: Record<string, FieldType[]> = { name: ['string'], type: ['string'] }
const fileFields: Record<string, FieldType[]> = { ...entryFields, size: ['integer'], modified: ['string'] }

/** The first file below a folder, with how the folders on the way differ. */
const firstFile = async (
  list: (inside: string) => Promise<Entry[]>,
  inside = '',
): Promise<string | undefined> => {
  const entries = await list(inside)
  const pathOf = ({ name }: Entry) => (inside === '' ? String(name) : `${inside}/${String(name)}`)
  const file = entries.find(({ type, size }) => type === 'file' && Number(size) > 0)
  if (file) return pathOf(file)
  for (const folder of entries.filter(({ type }) => type === 'dir')) {
    const found = await firstFile(list, pathOf(folder))
    if (found !== undefined) return found
  }
  return undefined
}

/** What an archive gives of the files in a package, and how far it does so as RFC 9110 has it. */
const compareFiles = async (get: Get): Promise<{ files: string; findings: Finding[] }> => {
  const below = (id: string, inside: string) =>
    `information-packages/${id}/files/?${new URLSearchParams({ path: inside }).toString()}`
  const name = '/api/information-packages/…/files/'
  const findings: Finding[] = []
  const note = (path: string, expected: string, found: string) =>
    expected === found ? undefined : findings.push({ path, expected, found })
  const described = await get(below('00000000-0000-0000-0000-000000000000', ''), 'OPTIONS')
  if (!/\bGET\b/.test(described.headers.get('allow') ?? '')) return { files: 'not given', findings }
  for (const id of packagesIn((await get('information-packages/')).body)) {
    const root = await get(below(id, ''))
    if (root.status !== 200 || !Array.isArray(root.body) || root.body.length === 0) continue
    const list = async (inside: string) => {
      const { body } = await get(below(id, inside))
      const entries = Array.isArray(body) ? (body as Entry[]) : []
      const files = entries.filter(({ type }) => type === 'file')
      for (const { field, expected, found } of [
        ...compare(entryFields, entries),
        ...compare(fileFields, files),
      ])
        note(`${name} ${field}`, expected, found)
      return entries
    }
    const file = await firstFile(list)
    if (file === undefined) continue
    const part = await get(below(id, file), 'GET', { range: 'bytes=0-0' })
    note(`GET ${name} with Range`, '206', String(part.status))
    const { headers } = await get(below(id, file), 'HEAD')
    note(`HEAD ${name} ETag`, 'given', headers.has('etag') ? 'given' : 'none')
    note(`${name} nothing`, '404', String((await get(below(id, 'nothing/here'))).status))
    return { files: 'given', findings }
  }
  return { files: 'given, and none in the packages that were looked into', findings }
}

const ask = async (url: string, authorization: string) => {
  const get = async (address: string, method = 'GET', more: Record<string, string> = {}) => {
    try {
      const answer = await fetch(`${url.replace(/\/+$/, '')}/api/${address}`, {
        method,
        headers: { authorization, accept: 'application/json', ...more },
        signal: AbortSignal.timeout(60_000),
      })
      const text = await answer.text()
      return {
        status: answer.status,
        headers: answer.headers,
        body: ((answer.headers.get('content-type') ?? '').includes('json')
          ? JSON.parse(text)
          : text) as unknown,
      }
    } catch (error) {
      return { status: 0, headers: new Headers(), body: (error as Error).message }
    }
  }
  const { files, findings } = await compareFiles(get)
  for (const [address, fields] of Object.entries(specification)) {
    const { status, body } = await get(`${address}/`)
    if (status !== 200 || !Array.isArray(body))
      findings.push({
        path: `GET /api/${address}/`,
        expected: '200, an array',
        found: status === 200 ? typeof body : String(status),
      })
    else
      for (const { field, expected, found } of compare(fields, body))
        findings.push({ path: `/api/${address}/ ${field}`, expected, found })
  }
  for (const [address, fields] of Object.entries(others)) {
    const { status, body } = await get(address)
    if (status !== 200)
      findings.push({ path: `GET /api/${address}`, expected: '200, an object', found: String(status) })
    else
      for (const { field, expected, found } of compare(fields, [body]))
        findings.push({ path: `/api/${address} ${field}`, expected, found })
  }
  const agents = await get('agents/archives=00000000-0000-0000-0000-000000000000')
  if (agents.status !== 200 || !Array.isArray(agents.body))
    findings.push({
      path: 'GET /api/agents/archives=…',
      expected: '200, an array',
      found: String(agents.status),
    })
  const described: string[] = []
  for (const address of Object.keys(creations)) {
    const { status, body } = await get(`${address}/`, 'OPTIONS')
    const canCreate = status === 200 && typeof body === 'object' && body !== null && 'actions' in body
    if (canCreate) described.push(address)
    else
      findings.push({
        path: `POST /api/${address}/`,
        expected: 'described by OPTIONS',
        found: status === 200 ? 'no POST' : String(status),
      })
  }
  return { findings, files, described, user: toUser((await get('me/')).body) }
}

type Compared = Awaited<ReturnType<typeof ask>>

/** What an account may, where `me/` says it (ESSArch). */
const toUser = (body: unknown): Parameters<typeof mayCreate>[0] => {
  const me = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const { permissions } = me
  return {
    permissions: Array.isArray(permissions) ? permissions.map(String) : null,
    isSuperuser: me['is_superuser'] === true,
    organizations: [],
    organization: null,
  }
}

/**
 * What the answers to OPTIONS leave open: ESSArch describes every POST to everyone, and refuses some from
 * everybody.
 */
const sayWhatOptionsProve = (columns: ({ name: string } & Compared)[]) => {
  console.log(
    'OPTIONS prove which lists an archive knows, and what a new record would say. They prove neither that ' +
      'this account may make one, nor that anybody can: ESSArch describes POST /api/structure-units/ and ' +
      'refuses it even from superusers.',
  )
  for (const { name, described, user } of columns) {
    const refused = described.filter((path) => {
      const list = listNamed(path)
      return list !== undefined && !mayCreate(user, list)
    })
    const said =
      user.permissions === null
        ? 'me/ names no permissions; whether a POST is taken is only known by sending one'
        : refused.length === 0
          ? 'me/ permits every POST that is described'
          : `described, but not permitted by me/: ${refused.join(', ')}`
    console.log(`${name}: ${said}`)
  }
}

/**
 * Where each archive differs, one line a difference: what the specification says, and what was found in each;
 * empty where it is as it should be.
 */
const report = (columns: ({ name: string } & Compared)[]) => {
  for (const { name, findings, files } of columns) {
    const verdict =
      findings.length === 0 ? 'everything is as the specification says' : `${findings.length} differences`
    console.log(
      `${name}: ${Object.keys(specification).length} lists, ${Object.keys(creations).length} paths ` +
        `that create, ${Object.keys(others).length} others; files in packages are ${files}; ${verdict}`,
    )
  }
  const differing = new Map(
    columns.flatMap(({ findings }) => findings.map((finding) => [finding.path, finding.expected] as const)),
  )
  const rows = [...differing].map(([where, expected]) => ({
    path: where,
    specification: expected,
    ...Object.fromEntries(
      columns.map(({ name, findings }) => [
        name,
        findings.find((finding) => finding.path === where)?.found ?? '',
      ]),
    ),
  }))
  if (rows.length > 0) console.table(rows)
  sayWhatOptionsProve(columns)
}

/** What an archive of this computer differs in, in one of the two dialects. */
const ofDialect = async (dialect: 'specification' | 'essarch') => {
  using place = scratch()
  const archive = await startArchive(place.folder, '--sample', '--dialect', dialect)
  if (dialect === 'specification') {
    // The sample is descriptions only; this one has files.
    const bag = makeBag(path.join(place.folder, '.bag'), { 'External-Identifier': 'with-files' })
    renameSync(bag, path.join(place.folder, 'ingest', 'with-files'))
    await until(
      async () =>
        JSON.stringify(await archive.get('information-packages/')).includes('with-files') || undefined,
    )
  }
  const compared = await ask(archive.url, archive.basic)
  await archive.stop()
  return compared
}

const theirs = await ofDialect('essarch')
if (values.url !== undefined) {
  const secret = Buffer.from(`${values.username ?? ''}:${process.env['LECTERN_PASSWORD'] ?? ''}`).toString(
    'base64',
  )
  const found = await ask(values.url, `Basic ${secret}`)
  report([
    { name: values.url, ...found },
    { name: 'as ESSArch does', ...theirs },
  ])
  // A difference that ESSArch is known for is one that the desk knows how to deal with.
  process.exitCode = found.findings.every(({ path }) =>
    theirs.findings.some((finding) => finding.path === path),
  )
    ? 0
    : 1
} else {
  const ours = await ofDialect('specification')
  report([
    { name: 'the local archive', ...ours },
    { name: 'as ESSArch does', ...theirs },
  ])
  process.exitCode = ours.findings.length === 0 ? 0 : 1
}
