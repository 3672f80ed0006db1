import { fork, type ChildProcess } from 'node:child_process'
import { createReadStream, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readElements } from '../../electron/archive-client/split-array.ts'
import { openThread } from '../../electron/sync/thread.ts'
import { writePackages } from './many-packages.ts'
import { seconds, table, timed, times } from './measure.ts'

const packages = 200_000

/** Serves the file from a process of its own. */
export const serveApart = async (file: string): Promise<{ url: string; process: ChildProcess }> => {
  const child = fork(path.join(import.meta.dirname, 'many-packages.ts'), ['serve', file])
  return { url: await new Promise<string>((ready) => child.once('message', (url) => ready(url as string))), process: child }
}

/** The texts of the elements, a thousand at a time, so that the plain alternatives do not pay for the splitting. */
const inThousands = async (file: string, work: (elements: Buffer[]) => void) => {
  let some: Buffer[] = []
  const flush = () => {
    work(some)
    some = []
  }
  await readElements(createReadStream(file, { highWaterMark: 256 * 1024 }), { take: (element) => void (some.push(element) >= 1000 && flush()) })
  flush()
}

/** Refreshing a long list: against JSON.parse of the same objects and plain inserts of them. */
export const syncBench = async (folder: string) => {
  const file = path.join(folder, 'packages.json')
  await writePackages(file, packages)
  const server = await serveApart(file)

  let [parsing, inserting] = [0, 0]
  const plain = new DatabaseSync(path.join(folder, 'plain.sqlite'))
  plain.exec('pragma journal_mode = wal; pragma synchronous = normal; create table package (id text primary key, label text, state text, body text)')
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

  let firstRows = 0
  const began = performance.now()
  const thread = openThread({
    script: new URL('../../electron/sync/worker.ts', import.meta.url),
    file: path.join(folder, 'copy.sqlite'),
    bug: (error) => (console.error(error), 'bench'),
    seen: () => (firstRows ||= performance.now() - began),
  })
  const wanted = { archive: 'a', access: { url: server.url, authorization: 'Token token' }, language: 'en', subjects: ['packages' as const], isAll: false }
  const read = () => timed(async () => void (await thread.read(wanted)))
  const first = await read()
  const again = await read()
  await thread.close()
  server.process.disconnect()
  table(`Refreshing ${packages} packages, ${Math.round(statSync(file).size / 1e6)} MB, in the thread that reads`, [
    { what: 'the first time', time: seconds(first), 'JSON.parse': seconds(parsing), 'plain inserts': seconds(inserting), ratio: times(first / (parsing + inserting)), bar: '1.5 × parse and inserts' },
    { what: 'nothing has changed', time: seconds(again), 'JSON.parse': seconds(parsing), 'plain inserts': '', ratio: times(again / parsing), bar: '1.1 × parse' },
  ])
  console.log(`First rows to be seen ${Math.round(firstRows)} ms after the thread was started.`)
  rmSync(path.join(folder, 'plain.sqlite'), { force: true })
}
