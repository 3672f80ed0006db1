import { createHash } from 'node:crypto'
import { readdirSync, renameSync } from 'node:fs'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { startBuiltArchive } from '../archives/archive.ts'
import { makeBag } from '../packages/bags.ts'
import type { Figures } from './figures.ts'
import { median, memoryOf, seconds, table, timed } from './measure.ts'

/** Another number, for who wants to know how it grows. */
const bags = Number(process.env['LECTERN_BENCH_BAGS'] ?? 10_000)
const rounds = 3
const atOnce = 2

const makeBags = (folder: string) => {
  for (let number = 0; number < bags; number += 1)
    makeBag(path.join(folder, `bag-${number}`), { 'External-Identifier': `SE/${number}` })
}

/** Writes a file as one that must not be lost: on the disk before it has its name, and then its name too. */
const writeSafely = async (folder: string, name: string, content: Buffer) => {
  const file = path.join(folder, name)
  const handle = await open(`${file}.partial`, 'w')
  await handle.writeFile(content)
  await handle.sync()
  await handle.close()
  createHash('sha256')
    .update(await readFile(`${file}.partial`))
    .digest()
  await rename(`${file}.partial`, file)
  const within = await open(folder, 'r')
  await within.sync()
  await within.close()
}

/** The same at the speed of the disk: files are read and hashed, written to all media and read back. */
const storePlainly = async (from: string, media: string[]) => {
  for (const medium of media) await mkdir(medium, { recursive: true })
  const waiting = readdirSync(from)
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const bag = path.join(from, name)
      const files = readdirSync(bag, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
      const contents: Buffer[] = []
      for (const file of files) {
        const content = await readFile(path.join(file.parentPath, file.name))
        createHash('sha256').update(content).digest()
        contents.push(content)
      }
      for (const medium of media) await writeSafely(medium, `${name}.tar`, Buffer.concat(contents))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** What a round took, in seconds, and the most memory of its archive, in MB. */
interface Round {
  plain: number
  archive: number
  memory: number
}

/** The same bags one way and the other, the archive an empty one. */
const takeIn = async (waiting: string, folder: string): Promise<Round> => {
  const archive = await startBuiltArchive(path.join(folder, 'archive'))
  const media = ((await archive.get('storage-mediums/')) as unknown[]).map((_, nth) =>
    path.join(folder, 'plain', `${nth}`),
  )
  const plain = await timed(() => storePlainly(waiting, media))
  const count = async () => {
    const listing = `${archive.url}/api/information-packages/?page=1&page_size=1`
    const { headers } = await fetch(listing, { headers: { authorization: archive.basic } })
    return Number(headers.get('count'))
  }
  const archived = await timed(async () => {
    for (const name of readdirSync(waiting))
      renameSync(path.join(waiting, name), path.join(archive.data, 'ingest', name))
    while ((await count()) < bags) await new Promise((later) => setTimeout(later, 200))
  })
  const memory = process.platform === 'linux' ? memoryOf(archive.pid, 'VmHWM') : 0
  await archive.stop()
  return { plain, archive: archived, memory }
}

/**
 * Small bags that arrive all at once, until each is checked, copied, read back and preserved. Both ways in
 * each round, so that what else the disk does slows both. Nothing is removed before the end: where ext4 has
 * no journal, what was removed in the last minutes slows the making of files.
 */
export const ingestBench = async (folder: string, figures: Figures) => {
  const spent: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    const within = path.join(folder, `ingest-${round}`)
    makeBags(path.join(within, 'bags'))
    spent.push(await takeIn(path.join(within, 'bags'), within))
  }
  const memory = Math.max(...spent.map((round) => round.memory))
  const of = (what: keyof Round) => median(spent.map((round) => round[what]))
  table(`${bags} small bags into the local archive (against the same bytes hashed, written and read back)`, [
    { what: 'plain', time: seconds(of('plain')) },
    { what: 'the archive', time: seconds(of('archive')), 'most memory MB': memory },
  ])
  figures.note({
    what: `${bags} small bags taken in / written and read back plainly`,
    values: spent.map((round) => round.archive / round.plain),
    unit: '×',
    bar: { most: 1 },
  })
  if (memory > 0)
    figures.note({
      what: `most memory of the archive that takes in ${bags} small bags`,
      values: [memory],
      unit: 'MB',
      bar: { most: 200 },
    })
}
