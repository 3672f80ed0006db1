import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { appBench } from './app.ts'
import { archiveBench } from './archive.ts'
import { deskBench } from './desk.ts'
import { Figures, readFigures } from './figures.ts'
import { ingestBench } from './ingest.ts'
import { packingBench } from './packing.ts'
import { pagesBench } from './pages.ts'
import { readerBench } from './reader.ts'
import { roomBench } from './room.ts'
import { startBench } from './start.ts'
import { syncBench } from './sync.ts'
import { tenBench } from './ten.ts'
import { treeBench } from './tree.ts'

// Ratios within one run: against the plain alternative on the same machine in the same minutes. Absolute
// figures are for orientation only.
const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-bench-'))
/**
 * `npm run bench -- archive` runs that part alone; without names, all of them run but for `ten`, which takes
 * half an hour and is run only by its name. `quick` beside `packing` leaves out what takes long. `--against
 * FILE` compares with what an earlier run wrote to out/bench.json.
 */
const { values: options, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' } },
})
const wanted = (part: string) => parts.length === 0 || parts.includes(part)
// A file that is none is not to be found out after hours.
const before = options.against === undefined ? undefined : readFigures(options.against)
const figures = new Figures()
const written = path.resolve(import.meta.dirname, '../../out/bench.json')

try {
  if (wanted('archive')) await archiveBench(folder, figures)
  if (wanted('ingest')) await ingestBench(folder, figures)
  if (wanted('sync')) await syncBench(folder, figures)
  if (wanted('pages')) await pagesBench(folder, figures)
  if (wanted('app')) await appBench(folder, figures)
  if (wanted('room')) await roomBench(folder, figures)
  if (wanted('desk')) await deskBench(folder, figures)
  if (wanted('reader')) await readerBench(folder, figures)
  if (wanted('tree')) await treeBench(folder, figures)
  if (wanted('start')) await startBench(folder, figures)
  if (wanted('packing')) await packingBench(folder, parts.includes('quick'), figures)
  if (parts.includes('ten')) await tenBench(folder, figures)
  figures.end(written)
  if (before) figures.against(before)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
