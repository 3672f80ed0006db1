import { specification } from '../../electron/dialects/specification.ts'
import { once } from 'node:events'
import { createReadStream, rmSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hash } from 'node:crypto'
import { toFacts } from '../../electron/dialects/specification/packages.ts'
import { readElements } from '../../electron/archive-client/split-array.ts'
import { openCacheFile } from '../../electron/store/cache/cache.ts'
import { openThread, type Thread } from '../../electron/sync/thread.ts'
import { nestedPackageAt, writePackages } from './many-packages.ts'
import { serveApart } from './package-archive.ts'
import type { Figures } from './figures.ts'
import { counted, median, seconds, table, timed } from './measure.ts'
import { builtFile } from '../support/built.ts'

const packages = 200_000
const rounds = 3

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

/** What a round spent, in seconds. */
interface Round {
  draining: number
  parsing: number
  inserting: number
  first: number
  again: number
}

/** `JSON.parse` of the same objects, and plain inserts of them into one table. */
const readPlainly = async (file: string, folder: string) => {
  let [parsing, inserting] = [0, 0]
  const plain = path.join(folder, 'plain.sqlite')
  remove(plain)
  const database = new DatabaseSync(plain)
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = normal; create table package (id text primary ' +
      'key, label text, state text, body text)',
  )
  const insert = database.prepare('insert into package (id, label, state, body) values (?, ?, ?, ?)')
  await inThousands(file, (elements) => {
    const texts = elements.map((element) => element.toString('utf8'))
    let records: { id: string; label: string; state: string }[] = []
    const began = performance.now()
    records = texts.map((text) => JSON.parse(text) as (typeof records)[number])
    const parsed = performance.now()
    database.exec('begin')
    records.forEach(({ id, label, state }, index) => insert.run(id, label, state, texts[index] ?? ''))
    database.exec('commit')
    parsing += (parsed - began) / 1000
    inserting += (performance.now() - parsed) / 1000
  })
  database.close()
  return { parsing, inserting }
}

/** The same into tables and indexes as the local copy needs them, with nothing compared or looked up. */
const insertIntoTables = async (file: string, folder: string) => {
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
    for (const { text, digest, facts } of rows) {
      place += 1
      addElement.run(place, digest, text.length)
      addHeld.run(facts.id, place, text)
      addPackage.run(
        facts.id,
        facts.type,
        facts.aic,
        facts.label,
        facts.identifier,
        facts.state,
        facts.stepState,
        facts.bytes,
        facts.generation,
        facts.policy,
        facts.since,
      )
    }
    tables.exec('commit')
    keeping += (performance.now() - began) / 1000
  })
  tables.close()
  remove(path.join(folder, 'tables.sqlite'))
  return keeping
}

const remove = (database: string) => {
  for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true })
}

/**
 * Reads one list in rounds: as the app does, and plainly.
 * @param seen is told after how many ms the first rows can be seen
 */
const openRounds = async (file: string, folder: string, seen: (ms: number) => void = () => undefined) => {
  const server = await serveApart(file)
  const copy = path.join(folder, 'copy.sqlite')
  const wanted = {
    access: { url: server.url, authorization: 'Token token', cookie: '' },
    routes: [{ kind: 'direct' as const }],
    language: 'en',
    subjects: ['packages' as const],
    hasViews: false,
    isAll: false,
  }
  const startThread = () => {
    const began = performance.now()
    let isSeen = false
    return openThread({
      script: builtFile('reading-worker.js'),
      fileOf: () => copy,
      dialectOf: () => specification,
      reportBug: (error) => (console.error(error), 'bench'),
      indexed: () => undefined,
      seen: () => {
        if (!isSeen) seen(performance.now() - began)
        isSeen = true
      },
    })
  }
  const readOnce = async (): Promise<Round> => {
    const draining = await timeDraining(server.url)
    const { parsing, inserting } = await readPlainly(file, folder)
    remove(copy)
    const thread = startThread()
    const read = () => timed(async () => void (await thread.read('a', wanted)))
    const first = await read()
    const again = await read()
    await thread.close()
    return { draining, parsing, inserting, first, again }
  }
  // The file comes from the disk the first time, and from memory after that.
  await timeDraining(server.url)
  const spent: Round[] = []
  for (let round = 0; round < rounds; round += 1) spent.push(await readOnce())
  return { spent, copy, startThread, close: () => server.process.disconnect() }
}

const plainly = ({ draining, parsing, inserting }: Round) => draining + parsing + inserting

/** The same bytes as ESSArch gives them, two packages in each element. */
const nestedBench = async (folder: string, figures: Figures) => {
  const file = path.join(folder, 'nested.json')
  await writePackages(file, packages / 2, nestedPackageAt)
  const { spent, copy, close } = await openRounds(file, folder)
  close()
  figures.note({
    what: `taking in ${packages / 2} AICs, an AIP in each / draining, JSON.parse and plain inserts`,
    values: spent.map((round) => round.first / plainly(round)),
    unit: '×',
  })
  figures.note({
    what: `the local copy of ${packages / 2} AICs, an AIP in each`,
    values: [statSync(copy).size / 1e6],
    unit: 'MB',
  })
}

/**
 * Refreshing a long list: against draining it, JSON.parse of the same objects and plain inserts of them. All
 * of them in each round, so that what else the machine does slows all of them.
 */
export const syncBench = async (folder: string, figures: Figures) => {
  const file = path.join(folder, 'packages.json')
  await writePackages(file, packages)
  const firstRows: number[] = []
  const { spent, copy, startThread, close } = await openRounds(file, folder, (ms) => firstRows.push(ms))
  counted('first rows', firstRows, rounds)
  const keeping = await insertIntoTables(file, folder)
  const anew = await timeReadingAnew(copy, startThread)
  close()
  const of = (what: keyof Round) => median(spent.map((round) => round[what]))
  table(
    `Refreshing ${packages} packages, ${Math.round(statSync(file).size / 1e6)} MB, in the threads that read`,
    [
      { what: 'drained', time: seconds(of('draining')) },
      { what: 'JSON.parse', time: seconds(of('parsing')) },
      { what: 'inserts into one bare table', time: seconds(of('inserting')) },
      { what: 'inserts into the same tables', time: seconds(keeping) },
      { what: 'Lectern, the first time', time: seconds(of('first')) },
      { what: 'Lectern, nothing has changed', time: seconds(of('again')) },
      { what: 'Lectern, another definition', time: seconds(anew) },
    ],
  )
  figures.note({
    what: `taking in ${packages} packages / draining, JSON.parse and plain inserts`,
    values: spent.map((round) => round.first / plainly(round)),
    unit: '×',
    bar: { most: 1.3 },
  })
  figures.note({
    what: `taking in ${packages} packages / inserts into the same tables`,
    values: spent.map((round) => round.first / keeping),
    unit: '×',
  })
  figures.note({
    what: `${packages} packages that have not changed / JSON.parse`,
    values: spent.map((round) => round.again / round.parsing),
    unit: '×',
    bar: { most: 0.9 },
  })
  console.log(`First rows to be seen ${Math.round(median(firstRows))} ms after the thread was started.`)
  await nestedBench(folder, figures)
  for (const name of ['plain', 'copy']) remove(path.join(folder, `${name}.sqlite`))
}
