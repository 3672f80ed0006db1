import { parseArgs } from 'node:util'
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
  for (const address of Object.keys(creations)) {
    const { status, body } = await get(`${address}/`, 'OPTIONS')
    const canCreate = status === 200 && typeof body === 'object' && body !== null && 'actions' in body
    if (!canCreate)
      findings.push({
        path: `POST /api/${address}/`,
        expected: 'described by OPTIONS',
        found: status === 200 ? 'no POST' : String(status),
      })
  }
  return findings
}

/**
 * Where each archive differs, one line a difference: what the specification says, and what was found in each;
 * empty where it is as it should be.
 */
const report = (columns: { name: string; findings: Finding[] }[]) => {
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
}

/** What an archive of this computer differs in, in one of the two dialects. */
const ofDialect = async (dialect: 'specification' | 'essarch') => {
  using place = scratch()
  const archive = await startArchive(place.folder, '--sample', '--dialect', dialect)
  const findings = await ask(archive.url, archive.basic)
  await archive.stop()
  return findings
}

const theirs = await ofDialect('essarch')
if (values.url !== undefined) {
  const secret = Buffer.from(`${values.username ?? ''}:${process.env['LECTERN_PASSWORD'] ?? ''}`).toString(
    'base64',
  )
  const found = await ask(values.url, `Basic ${secret}`)
  report([
    { name: values.url, findings: found },
    { name: 'as ESSArch does', findings: theirs },
  ])
  // A difference that ESSArch is known for is one that the desk knows how to deal with.
  process.exitCode = found.every(({ path }) => theirs.some((it) => it.path === path)) ? 0 : 1
} else {
  const ours = await ofDialect('specification')
  report([
    { name: 'the local archive', findings: ours },
    { name: 'as ESSArch does', findings: theirs },
  ])
  process.exitCode = ours.length === 0 ? 0 : 1
}
