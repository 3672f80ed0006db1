import { existsSync, renameSync } from 'node:fs'
import path from 'node:path'
import { fillCopy } from '../fill-copy.ts'
import type { Mix } from '../filled-records.ts'
import type { Figures } from '../figures.ts'
import { seconds, timed } from '../measure.ts'
import { openDeskOver } from './desk.ts'
import { keysOverTenMillion } from './keys.ts'
import { listOfTenMillion } from './list.ts'
import { searchTenMillion } from './search.ts'

const list: Mix = { packages: 10_000_000, copies: 0, nodes: 0 }
const words: Mix = { packages: 4_000_000, copies: 2_000_000, nodes: 4_000_000 }
const beside: Mix = { packages: 5_000, copies: 5_000, nodes: 5_000 }
const othersBeside = 9

/** A copy that is half filled has another name: an earlier run may have been broken off. */
const filled = async (folder: string, name: string, mix: Mix, isIndexed: boolean) => {
  const file = path.join(folder, `${name}.sqlite`)
  if (existsSync(file)) return file
  const half = path.join(folder, `${name}-${Date.now()}.sqlite`)
  const took = await timed(() => fillCopy(half, mix, isIndexed))
  renameSync(half, file)
  console.log(`Filled a local copy (${name}: ${JSON.stringify(mix)}) in ${seconds(took)}.`)
  return file
}

/**
 * The whole app over ten million rows: a list of them at every scale, search in as many by their words with
 * nine archives beside, and keys while lists are read. It takes half an hour and 35 GB of disk, which is why
 * it is run only by its name; LECTERN_BENCH_TEN names a folder in which the copies are kept for the next run.
 */
export const tenMillionBench = async (folder: string, figures: Figures) => {
  const kept = process.env['LECTERN_BENCH_TEN'] ?? folder
  const listed = await filled(kept, 'list', list, false)
  const indexed = await filled(kept, 'words', words, true)
  const other = await filled(folder, 'beside', beside, true)

  await listOfTenMillion(listed, list.packages, figures)

  const others = Array.from({ length: othersBeside }, () => ({ file: other, isShared: false }))
  const searching = await openDeskOver({ files: [{ file: indexed, isShared: true }, ...others] })
  await searchTenMillion(searching, words, figures)
  await searching.close()

  const files = [{ file: listed, isShared: true }]
  for (const [meanwhile, gives] of [
    ['while nothing is read', undefined],
    ['while ten million packages are compared', 'information-packages'],
    ['while copies arrive', 'storage-objects'],
  ] as const) {
    const rows = list.packages
    const desk = await openDeskOver({ files, ...(gives ? { gives: { list: gives, rows } } : {}) })
    await keysOverTenMillion(desk, meanwhile, figures)
    await desk.close()
  }
}
