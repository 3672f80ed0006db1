import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { openClient } from '../../electron/archive-client/http.ts'
import { refreshedSubjects } from '../../electron/contract/subjects.ts'
import { specification } from '../../electron/dialects/specification.ts'
import { openElementThread } from '../../electron/sync/element-thread.ts'
import { readLists } from '../../electron/sync/read-lists.ts'
import { readIncrement } from '../../electron/sync/read-increment.ts'
import { builtFile } from '../support/built.ts'
import { openLocalCopy } from '../desks/local-copy.ts'
import type { Figures } from './figures.ts'
import { counted, seconds, table, timed, times } from './measure.ts'
import type { Tally } from './paging-archive.ts'

/** Families of two packages each; fewer while one works on it. */
const families = Number(process.env['LECTERN_BENCH_FAMILIES'] ?? 100_000)
/** The archive takes a fiftieth of the recorded times; what is printed is multiplied by fifty. */
const share = 0.02
/**
 * Where so many families are read at a fifth of the recorded times, what this computer does meanwhile counts
 * five times as much as beside a real archive, and not fifty times.
 */
const slowly = { families: families / 20, share: 0.2 }
/** What is read in the former way, which takes its time: a tenth of the families. */
const formerFamilies = Math.ceil(families / 10)
const added = 20

const reportBug = (error: unknown) => {
  throw error
}
const tools = {
  now: () => new Date(),
  elementThread: openElementThread(builtFile('element-worker.js'), reportBug),
  reportBug,
}

/** An archive of a process of its own, and how it is reached. */
const startArchive = async (many: number, paceShare: number) => {
  const script = path.join(import.meta.dirname, 'paging-archive.ts')
  const child = fork(script, [String(many), String(paceShare)])
  const [url] = (await once(child, 'message')) as [string]
  return {
    share: paceShare,
    reached: {
      access: { url, authorization: undefined, cookie: '' },
      routes: [{ kind: 'direct' as const }],
      language: 'en',
    },
    tell: async (what: { families?: number } = {}) => {
      child.send(what)
      const [tally] = (await once(child, 'message')) as [Tally]
      return tally
    },
    end: () => child.disconnect(),
  }
}
type PagingArchive = Awaited<ReturnType<typeof startArchive>>

/**
 * Reads all of an archive into a new copy.
 * @returns the copy, and how many seconds the archive would have taken at the recorded speed
 */
const readWhole = async (file: string, archive: PagingArchive, many: number, asFormerly = false) => {
  const { pageMs, sizeParameter } = specification.conventions
  const copy = openLocalCopy(file)
  await archive.tell({ families: many })
  const wanted = { ...archive.reached, subjects: refreshedSubjects, hasViews: true, isAll: true }
  const took = await timed(async () => {
    const { failure } = await readLists(copy.writer, wanted, {
      ...tools,
      open: (address, authorization, language, conventions, routing) =>
        openClient(
          address,
          authorization,
          language,
          {
            ...conventions,
            pageMs: pageMs * archive.share,
            sizeParameter: asFormerly ? null : sizeParameter,
          },
          routing,
        ),
    })
    if (failure) throw new Error(JSON.stringify(failure))
  })
  const tally = await archive.tell()
  counted('packages', Array.from({ length: copy.cache.count('packages') }), 3 * many)
  counted('events', Array.from({ length: copy.cache.count('events') }), 6 * many)
  return { copy, took: took / archive.share, ...tally }
}
/** How much longer a reading took than the archive's cores worked, had all of them been busy all the time. */
const idleness = ({ took, leastMs }: { took: number; leastMs: number }) => took / (leastMs / 1_000)

/**
 * Reading an archive that gives ten rows a page unless asked for more, as slowly as one was recorded: whole,
 * beside a tenth of it in pages of 200 one after the other, and what is new alone. All in one process, by the
 * threads that the app has, so that nothing but the archive is waited for.
 */
export const pagesBench = async (folder: string, figures: Figures) => {
  const archive = await startArchive(families, share)
  const former = await readWhole(path.join(folder, 'former.sqlite'), archive, formerFamilies, true)
  former.copy.close()
  const now = await readWhole(path.join(folder, 'now.sqlite'), archive, families)

  await archive.tell({ families: families + added })
  const taken = await timed(async () => {
    const { failure } = await readIncrement(
      now.copy.writer,
      { what: 'changes', reached: archive.reached, gaps: new Map() },
      tools,
    )
    if (failure) throw new Error(JSON.stringify(failure))
  })
  const news = { took: taken / share, ...(await archive.tell()) }
  counted('new packages', Array.from({ length: now.copy.cache.count('packages') }), 3 * families + 2 * added)
  now.copy.close()
  archive.end()

  const slow = await startArchive(slowly.families, slowly.share)
  const few = await readWhole(path.join(folder, 'few.sqlite'), slow, slowly.families)
  few.copy.close()
  slow.end()

  const row = (what: string, { took, requests, bytes, leastMs }: { took: number } & Tally) => ({
    what,
    'hours, as the recorded archive answers': (took / 3_600).toFixed(2),
    requests: requests.length,
    'MB sent': Math.round(bytes / 1e6),
    'time / its cores, never idle': times(idleness({ took, leastMs })),
  })
  table(`${2 * families} packages of an archive that pages, at the speed of the recorded one`, [
    row('a tenth of them, 200 rows a page, one after the other', former),
    row('whole', now),
    row('a twentieth of them at a fifth of its speed', few),
    row(`${added} new families since`, news),
  ])
  console.log(`Reading what is new took ${seconds(news.took)} as the recorded archive answers.`)
  const inFlat = now.requests.filter((asked) => asked.includes('view_type=flat'))
  figures.note({
    what: 'whole from pages, fifty times as fast: time / the archive’s cores, never idle',
    values: [idleness(now)],
    unit: '×',
  })
  figures.note({
    what: 'a twentieth from pages, five times as fast: time / the archive’s cores, never idle',
    values: [idleness(few)],
    unit: '×',
    bar: { most: 1.2 },
  })
  figures.note({
    what: 'whole from pages: requests / pages of 200',
    values: [now.requests.length / families / (former.requests.length / formerFamilies)],
    unit: '×',
    bar: { most: 0.5 },
  })
  figures.note({
    what: 'whole from pages: bytes / pages of 200',
    values: [now.bytes / families / (former.bytes / formerFamilies)],
    unit: '×',
    bar: { most: 1.01 },
  })
  figures.note({
    what: 'whole from pages: requests for a second view of packages',
    values: [inFlat.length],
    unit: '',
    bar: { most: 3 },
  })
  figures.note({
    what: `what is new from pages: time / whole`,
    values: [news.took / now.took],
    unit: '×',
    bar: { most: 0.01 },
  })
  figures.note({
    what: 'what is new from pages: requests',
    values: [news.requests.length],
    unit: '',
    bar: { most: 40 },
  })
}
