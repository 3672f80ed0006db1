import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FileComparison } from '../../../../electron/contract/comparisons.ts'
import type { WhichPackages } from '../../../../electron/contract/packages.ts'
import { present } from '../../../support/present.ts'
import { until } from '../../../support/until.ts'
import { startDialect } from '../../../archives/dialects.ts'
import { metsOf } from '../../../essarch/mets.ts'

let essarch: Awaited<ReturnType<typeof startDialect>>
beforeAll(async () => {
  essarch = await startDialect('essarch')
})
beforeEach(() => essarch.proxy.misbehave('none'))
afterAll(() => essarch.stop())

const flat: WhichPackages = {
  view: 'flat',
  sort: 'label',
  descending: false,
  filter: '',
  open: [],
  offset: 0,
  limit: 500,
}

/** A desk with two generations of one package, and two packages whose files a test lays. */
const openPairs = async () => {
  const told: FileComparison[] = []
  const { desk, comparisons, packages } = await essarch.open('archivist', {
    sendNewsOf: (_archive, name, payload) => {
      // The news of this name carries one.
      if (name === 'comparisons.progress') told.push(payload as FileComparison)
    },
  })
  const { rows } = await packages.list(flat)
  // Generations of the sample holdings carry the same identifier.
  const byIdentifier = [...Map.groupBy(rows, ({ identifier }) => identifier).values()]
  const [first, second] = present(byIdentifier.find((family) => family.length > 1))
  const laid = byIdentifier.flatMap(([row]) => row ?? []).slice(0, 2)
  const pair = { former: present(laid[0]).id, later: present(laid[1]).id }
  /** What the comparison comes to. */
  const compared = async (wanted = pair) => {
    told.length = 0
    const now = await comparisons.begin(wanted)
    return now.state === 'working' ? until(() => told.find(({ state }) => state !== 'working')) : now
  }
  return {
    desk,
    comparisons,
    generations: { former: present(first).id, later: present(second).id },
    pair,
    identifiers: laid.map(({ identifier }) => identifier),
    told,
    compared,
  }
}

type Contents = Record<string, string>
/** Lays files into the archive as those of a package, with its METS where it has one. */
const lay = (identifier: string, contents: Contents, isDescribed: boolean) => {
  const folder = path.join(essarch.data, 'packages-over-rest', identifier)
  rmSync(folder, { recursive: true, force: true })
  const files = Object.entries(contents).map(([name, text]) => ({ path: name, content: Buffer.from(text) }))
  for (const { path: name, content } of files) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
    utimesSync(file, 1_000, 1_000)
  }
  if (isDescribed) writeFileSync(path.join(folder, 'mets.xml'), metsOf(identifier, files))
}
const empty = { added: 0, removed: 0, changed: 0, redated: 0, respelled: 0, unknown: 0 }
const before = { 'content/a.txt': 'one', 'content/b/c.txt': 'two', 'content/b/d.txt': 'gone' }
const after = { 'content/a.txt': 'eno', 'content/b/c.txt': 'two', 'content/b/new/e.txt': 'new' }

test('generations are compared by the digests that the archive names, folder by folder', async () => {
  const { desk, comparisons, generations, compared } = await openPairs()
  // The sample holdings have a few files each, of which one tells whose it is.
  expect(await compared(generations)).toMatchObject({
    state: 'done',
    counts: { ...empty, changed: 1 },
    same: 6,
    by: { digest: 7 },
  })
  const at = (folder: string) => comparisons.folder({ ...generations, path: folder, change: null, offset: 0 })
  expect((await at('')).lines).toMatchObject([{ name: 'content', below: { changed: 1 } }])
  expect((await at('content')).lines).toMatchObject([{ name: 'bilder', below: { changed: 1 } }])
  expect(await comparisons.differing(generations)).toMatchObject({
    files: [
      { path: 'content/bilder/negativ.tif', former: { bytes: 3_000_000 }, later: { bytes: 3_000_000 } },
    ],
    total: 1,
  })
  const same = { former: generations.later, later: generations.later }
  expect(await compared(same)).toMatchObject({ state: 'done', counts: empty, same: 7 })
  expect(await comparisons.differing(same)).toEqual({ files: [], total: 0 })
  await desk.stop()
})

test('what was added, removed and changed is found by digests, and without them by sizes and dates', async () => {
  const { desk, pair, identifiers, comparisons, compared } = await openPairs()
  const [former = '', later = ''] = identifiers
  lay(former, before, true)
  lay(later, after, true)
  expect(await compared()).toMatchObject({
    counts: { ...empty, added: 1, removed: 1, changed: 1 },
    same: 1,
    by: { digest: 2 },
  })
  expect(
    (await comparisons.differing(pair)).files.map(({ change, path: name }) => `${change} ${name}`),
  ).toEqual(['changed content/a.txt', 'removed content/b/d.txt', 'added content/b/new/e.txt'])
  await desk.stop()
  // Without a METS of both, each folder is asked for, where one has its METS; the file of another content has
  // the same size and date.
  lay(later, after, false)
  const walking = await openPairs()
  expect(await walking.compared()).toMatchObject({
    counts: { ...empty, added: 1, removed: 2 },
    same: 2,
    by: { digest: 0, 'size and date': 2 },
  })
  await walking.desk.stop()
})

test('a tar that is not the same is compared by what lies in it', async () => {
  const { desk, pair, identifiers, comparisons, compared } = await openPairs()
  const tarOf = async (contents: Contents) => {
    const tar = pack()
    for (const [name, text] of Object.entries(contents)) tar.entry({ name, mtime: new Date(1_000) }, text)
    tar.finalize()
    return (await buffer(tar)).toString('latin1')
  }
  const [former = '', later = ''] = identifiers
  lay(former, { 'content/x.tar': await tarOf({ 'bag/a': '1', 'bag/b': '2' }) }, true)
  lay(later, { 'content/x.tar': await tarOf({ 'bag/a': '1', 'bag/b': '22', 'bag/c': '3' }) }, true)
  expect(await compared()).toMatchObject({ counts: { ...empty, added: 1, changed: 1 }, same: 1 })
  expect((await comparisons.differing(pair)).files.map(({ path: name }) => name)).toEqual([
    'content/x.tar/bag/b',
    'content/x.tar/bag/c',
  ])
  await desk.stop()
})

test('one who may not see files hears so, and so does one whose archive cannot be reached', async () => {
  const { desk, comparisons, pair, compared } = await openPairs()
  essarch.proxy.misbehave('forbidden', /files/)
  expect(await compared()).toMatchObject({ state: 'failed', failure: { kind: 'not-allowed' } })
  essarch.proxy.misbehave('closes', /files/)
  expect(await compared()).toMatchObject({ state: 'failed', failure: { kind: 'offline' } })
  // What failed is begun anew when somebody asks again.
  essarch.proxy.misbehave('none')
  expect((await compared()).state).toBe('done')
  await expect(async () => comparisons.differing({ former: pair.later, later: 'x' })).rejects.toMatchObject({
    failure: { kind: 'not-found' },
  })
  await desk.stop()
})

test('a comparison is stopped at once, and begun anew', async () => {
  const { desk, comparisons, pair, told, compared } = await openPairs()
  essarch.proxy.misbehave('holds', /files/)
  expect((await comparisons.begin(pair)).state).toBe('working')
  await comparisons.stop(pair)
  expect(told.at(-1)?.state).toBe('stopped')
  essarch.proxy.misbehave('none')
  expect((await compared()).state).toBe('done')
  await desk.stop()
})

test('what was found is told again until one of the packages changes, or somebody signs out', async () => {
  const { desk, comparisons, pair, identifiers, compared } = await openPairs()
  const [former = '', later = ''] = identifiers
  lay(former, before, true)
  lay(later, before, true)
  expect(await compared()).toMatchObject({ state: 'done', counts: empty })
  lay(later, after, true)
  await desk.features.connection.refresh(undefined)
  // Nothing that the archive tells of them differs.
  expect(await comparisons.begin(pair)).toMatchObject({ state: 'done', counts: empty })
  const { status } = await essarch.act('PATCH', `information-packages/${pair.later}/`, { label: 'Another' })
  expect(status).toBe(200)
  await desk.features.connection.refresh(undefined)
  expect(await compared()).toMatchObject({
    state: 'done',
    counts: { ...empty, added: 1, removed: 1, changed: 1 },
  })
  const { session } = desk.features
  const account = present((await session.status(undefined)).archives[0]).account
  await session.signOut({ archive: account.archive })
  const accounts = [essarch.archive, ...essarch.archive.others]
  const { password } = present(accounts.find(({ username }) => username === account.username))
  await session.signIn({ url: essarch.proxy.url, username: account.username, password })
  await expect(async () => comparisons.differing(pair)).rejects.toMatchObject({
    failure: { kind: 'not-found' },
  })
  await desk.stop()
})
