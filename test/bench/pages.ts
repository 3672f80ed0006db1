import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { openClient } from '../../electron/archive-client/http.ts'
import { refreshedSubjects } from '../../electron/contract/subjects.ts'
import { specification } from '../../electron/dialects/specification.ts'
import { openElementThread } from '../../electron/sync/element-thread.ts'
import { readLists } from '../../electron/sync/read-lists.ts'
import { readParts } from '../../electron/sync/read-parts.ts'
import { builtFile } from '../built.ts'
import { openLocalCopy } from '../local-copy.ts'
import type { Figures } from './figures.ts'
import { counted, seconds, table, timed, times } from './measure.ts'
import type { Tally } from './paging-archive.ts'

/** Families of two packages each; fewer while one works on it. */
const families = Number(process.env['LECTERN_BENCH_FAMILIES'] ?? 100_000)
/** The archive takes a fiftieth of the recorded times; what is printed is multiplied by fifty. */
const share = 0.02
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

/**
 * Reading an archive that gives ten rows a page unless asked for more, as slowly as one was recorded: whole,
 * beside a tenth of it in pages of 200 one after the other, and what is new alone. All in one process, by the
 * threads that the app has, so that nothing but the archive is waited for.
 */
export const pagesBench = async (folder: string, figures: Figures) => {
  const child = fork(path.join(import.meta.dirname, 'paging-archive.ts'), [String(families), String(share)])
  const [url] = (await once(child, 'message')) as [string]
  const tell = async (what: { families?: number } = {}) => {
    child.send(what)
    const [tally] = (await once(child, 'message')) as [Tally]
    return tally
  }
  const reached = {
    access: { url, authorization: undefined, cookie: '' },
    routes: [{ kind: 'direct' as const }],
    language: 'en',
  }
  const wanted = { ...reached, subjects: refreshedSubjects, hasViews: true, isAll: true }
  const { pageMs, sizeParameter } = specification.conventions

  const readWhole = async (name: string, asFormerly: boolean) => {
    const copy = openLocalCopy(path.join(folder, `${name}.sqlite`))
    const many = asFormerly ? formerFamilies : families
    await tell({ families: many })
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
              pageMs: pageMs * share,
              sizeParameter: asFormerly ? null : sizeParameter,
            },
            routing,
          ),
      })
      if (failure) throw new Error(JSON.stringify(failure))
    })
    const tally = await tell()
    counted('packages', Array.from({ length: copy.cache.count('packages') }), 3 * many)
    counted('events', Array.from({ length: copy.cache.count('events') }), 6 * many)
    return { copy, took: took / share, ...tally }
  }
  const former = await readWhole('former', true)
  former.copy.close()
  const now = await readWhole('now', false)

  await tell({ families: families + added })
  const taken = await timed(async () => {
    const { failure } = await readParts(now.copy.writer, 'changes', reached, tools, new Map())
    if (failure) throw new Error(JSON.stringify(failure))
  })
  const news = { took: taken / share, ...(await tell()) }
  counted('new packages', Array.from({ length: now.copy.cache.count('packages') }), 3 * families + 2 * added)
  now.copy.close()
  child.disconnect()

  const row = (what: string, { took, requests, bytes, leastMs }: { took: number } & Tally) => ({
    what,
    'hours, as the recorded archive answers': (took / 3_600).toFixed(2),
    requests: requests.length,
    'MB sent': Math.round(bytes / 1e6),
    'time / its cores, never idle': times(took / (leastMs / 1_000)),
  })
  table(`${2 * families} packages of an archive that pages, at the speed of the recorded one`, [
    row('a tenth of them, 200 rows a page, one after the other', former),
    row('whole', now),
    row(`${added} new families since`, news),
  ])
  console.log(`Reading what is new took ${seconds(news.took)} as the recorded archive answers.`)
  const inFlat = now.requests.filter((asked) => asked.includes('view_type=flat'))
  figures.note({
    what: 'whole from pages: time / the archive’s cores, never idle',
    values: [now.took / (now.leastMs / 1_000)],
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
