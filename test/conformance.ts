import { parseArgs } from 'node:util'
import { listNamed } from '../electron/contract/lists.ts'
import { mayCreate } from '../electron/dialects/essarch/permissions.ts'
import { scratch, startArchive } from './archive.ts'
import { compare } from './compare.ts'
import { creations, others, specification } from './specification.ts'

// Compares archives with the specification: every list with its fields, types and nulls, and what OPTIONS
// says of creating. Beside it stands how ESSArch differs, by the double of it.
//   npm run conformance [-- --url https://archive.example.org --username NAME]    the password is in
// LECTERN_PASSWORD
const { values } = parseArgs({ options: { url: { type: 'string' }, username: { type: 'string' } } })

interface Finding {
  path: string
  expected: string
  found: string
}

const ask = async (url: string, authorization: string) => {
  const get = async (address: string, method = 'GET') => {
    try {
      const answer = await fetch(`${url.replace(/\/+$/, '')}/api/${address}`, {
        method,
        headers: { authorization, accept: 'application/json' },
        signal: AbortSignal.timeout(60_000),
      })
      const text = await answer.text()
      return {
        status: answer.status,
        body: ((answer.headers.get('content-type') ?? '').includes('json')
          ? JSON.parse(text)
          : text) as unknown,
      }
    } catch (error) {
      return { status: 0, body: (error as Error).message }
    }
  }
  const findings: Finding[] = []
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
  return { findings, described, user: toUser((await get('me/')).body) }
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
  for (const { name, findings } of columns) {
    const verdict =
      findings.length === 0 ? 'everything is as the specification says' : `${findings.length} differences`
    console.log(
      `${name}: ${Object.keys(specification).length} lists, ${Object.keys(creations).length} paths ` +
        `that create, ${Object.keys(others).length} others; ${verdict}`,
    )
  }
  const differing = new Map(
    columns.flatMap(({ findings }) => findings.map((it) => [it.path, it.expected] as const)),
  )
  const rows = [...differing].map(([where, expected]) => ({
    path: where,
    specification: expected,
    ...Object.fromEntries(
      columns.map(({ name, findings }) => [name, findings.find((it) => it.path === where)?.found ?? '']),
    ),
  }))
  if (rows.length > 0) console.table(rows)
  sayWhatOptionsProve(columns)
}

/** What an archive of this computer differs in, in one of the two dialects. */
const ofDialect = async (dialect: 'specification' | 'essarch') => {
  using place = scratch()
  const archive = await startArchive(place.folder, '--sample', '--dialect', dialect)
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
  process.exitCode = found.findings.every(({ path }) => theirs.findings.some((it) => it.path === path))
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
