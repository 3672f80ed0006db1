import { specification } from '../../electron/dialects/specification.ts'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, rmSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hash } from 'node:crypto'
import { toFacts } from '../../electron/dialects/specification/packages.ts'
import { readElements } from '../../electron/archive-client/split-array.ts'
import { openCacheFile } from '../../electron/store/cache.ts'
import { openThread, type Thread } from '../../electron/sync/thread.ts'
import { writePackages } from './many-packages.ts'
import type { Figures } from './figures.ts'
import { counted, seconds, table, timed, times } from './measure.ts'
import { builtFile } from '../built.ts'

const packages = 200_000

/** Serves the file from a process of its own. */
export const serveApart = async (file: string): Promise<{ url: string; process: ChildProcess }> => {
  const child = fork(path.join(import.meta.dirname, 'many-packages.ts'), ['serve', file])
  return {
    url: await new Promise<string>((ready) => child.once('message', (url) => ready(url as string))),
    process: child,
  }
}

/**
 * The texts of the elements, a thousand at a time, so that the plain alternatives do not pay for the
 * splitting.
 */
const inThousands = async (file: string, work: (elements: Buffer[]) => void) => {
  let some: Buffer[] = []
  const flush = () => {
    work(some)
    some = []
  }
  await readElements(createReadStream(file, { highWaterMark: 256 * 1024 }), {
    take: (element) => void (some.push(Buffer.from(element)) >= 1000 && flush()),
  })
  flush()
}

/** How long the bytes of the list alone take to arrive, of which nothing is made. */
const timeDraining = (url: string) =>
  timed(async () => {
    const [answer] = (await once(get(`${url}/api/information-packages/`), 'response')) as [IncomingMessage]
    for await (const _part of answer);
  })

/** How long a window waits after an update that reads a long list in another way. */
const timeReadingAnew = async (copy: string, startThread: () => Thread) => {
  const database = new DatabaseSync(copy)
  database.exec(`update definition set reader = 'of an earlier version'`)
  database.close()
  const thread = startThread()
  const took = await timed(async () => void (await thread.open('a', specification)))
  await thread.close()
  return took
}

/** Refreshing a long list: against draining it, JSON.parse of the same objects and plain inserts of them. */
export const syncBench = async (folder: string, figures: Figures) => {
  const file = path.join(folder, 'packages.json')
  await writePackages(file, packages)
  const server = await serveApart(file)
  const draining = await timeDraining(server.url)

  let [parsing, inserting] = [0, 0]
  const plain = new DatabaseSync(path.join(folder, 'plain.sqlite'))
  plain.exec(
    'pragma journal_mode = wal; pragma synchronous = normal; create table package (id text primary ' +
      'key, label text, state text, body text)',
  )
  const insert = plain.prepare('insert into package (id, label, state, body) values (?, ?, ?, ?)')
  await inThousands(file, (elements) => {
    const texts = elements.map((element) => element.toString('utf8'))
    let records: { id: string; label: string; state: string }[] = []
    const began = performance.now()
    records = texts.map((text) => JSON.parse(text) as (typeof records)[number])
    const parsed = performance.now()
    plain.exec('begin')
    records.forEach(({ id, label, state }, index) => insert.run(id, label, state, texts[index] ?? ''))
    plain.exec('commit')
    parsing += (parsed - began) / 1000
    inserting += (performance.now() - parsed) / 1000
  })
  plain.close()

  // The same once more into tables and indexes as the local copy needs them to show a list, with nothing
  // compared or looked up.
  let keeping = 0
  const tables = openCacheFile(path.join(folder, 'tables.sqlite'))
  const addElement = tables.prepare(
    `insert into element (subject, place, digest, bytes, rows) values ('packages', ?, ?, ?, 1)`,
  )
  const addHeld = tables.prepare(
    `insert into held (subject, id, element, nth, position, model, raw)
        values ('packages', ?, ?, 0, 0, '', ?)`,
  )
  const addPackage = tables.prepare(
    `insert into package (id, type, aic, label, identifier, state, stepState, bytes, generation, isLast,
      policy, archived, since, shownState, shownBytes, shownSince, words, folded)
     values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1, ?10, 1, ?11, ?6, ?8, ?11, ?4, ?4)`,
  )
  let place = 0
  await inThousands(file, (elements) => {
    const rows = elements.map((element) => ({
      text: element.toString('utf8'),
      digest: hash('sha1', element, 'buffer'),
      facts: toFacts(JSON.parse(element.toString('utf8'))),
    }))
    const began = performance.now()
    tables.exec('begin')
    for (const { text, digest, facts: it } of rows) {
      place += 1
      addElement.run(place, digest, text.length)
      addHeld.run(it.id, place, text)
      addPackage.run(
        it.id,
        it.type,
        it.aic,
        it.label,
        it.identifier,
        it.state,
        it.stepState,
        it.bytes,
        it.generation,
        it.policy,
        it.since,
      )
    }
    tables.exec('commit')
    keeping += (performance.now() - began) / 1000
  })
  tables.close()

  let firstRows = 0
  const copy = path.join(folder, 'copy.sqlite')
  const began = performance.now()
  const startThread = () =>
    openThread({
      script: builtFile('reading-worker.js'),
      fileOf: () => copy,
      dialectOf: () => specification,
      reportBug: (error) => (console.error(error), 'bench'),
      indexed: () => undefined,
      seen: () => (firstRows ||= performance.now() - began),
    })
  const thread = startThread()
  const wanted = {
    access: { url: server.url, authorization: 'Token token', cookie: '' },
    routes: [{ kind: 'direct' as const }],
    language: 'en',
    subjects: ['packages' as const],
    hasViews: false,
    isAll: false,
  }
  const read = () => timed(async () => void (await thread.read('a', wanted)))
  const first = await read()
  const again = await read()
  await thread.close()
  const anew = await timeReadingAnew(copy, startThread)
  server.process.disconnect()
  table(
    `Refreshing ${packages} packages, ${Math.round(statSync(file).size / 1e6)} MB, in the thread that reads`,
    [
      {
        what: 'the first time',
        time: seconds(first),
        drained: seconds(draining),
        'JSON.parse': seconds(parsing),
        inserts: `${seconds(inserting)} into one bare table`,
        ratio: times(first / (draining + parsing + inserting)),
        bar: '1.3 × all three',
      },
      {
        what: 'the first time',
        time: seconds(first),
        drained: seconds(draining),
        'JSON.parse': seconds(parsing),
        inserts: `${seconds(keeping)} into the same tables`,
        ratio: times(first / (draining + parsing + keeping)),
        bar: '',
      },
      {
        what: 'nothing has changed',
        time: seconds(again),
        drained: '',
        'JSON.parse': seconds(parsing),
        inserts: '',
        ratio: times(again / parsing),
        bar: '0.9 × parse',
      },
      {
        what: 'another definition',
        time: seconds(anew),
        drained: '',
        'JSON.parse': seconds(parsing),
        inserts: `${seconds(keeping)} into the same tables`,
        ratio: times(anew / (parsing + keeping)),
        bar: '',
      },
    ],
  )
  figures.note({
    what: `taking in ${packages} packages / draining, JSON.parse and plain inserts`,
    values: [first / (draining + parsing + inserting)],
    unit: '×',
    bar: { most: 1.3 },
  })
  figures.note({
    what: `${packages} packages that have not changed / JSON.parse`,
    values: [again / parsing],
    unit: '×',
    bar: { most: 0.9 },
  })
  counted('first rows', firstRows > 0 ? [firstRows] : [], 1)
  console.log(`First rows to be seen ${Math.round(firstRows)} ms after the thread was started.`)
  for (const name of ['plain', 'tables', 'copy']) rmSync(path.join(folder, `${name}.sqlite`), { force: true })
}
