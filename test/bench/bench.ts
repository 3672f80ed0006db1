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
import { millionBench } from './million.ts'
import { startBench } from './start.ts'
import { syncBench } from './sync.ts'
import { tenMillionBench } from './ten-million/bench.ts'
import { treeBench } from './tree.ts'

// Ratios within one run: against the plain alternative on the same machine in the same minutes. Absolute
// figures are for orientation only.

/**
 * `npm run bench -- archive` runs that part alone; without names, all of them run but for `ten-million`,
 * which takes half an hour and is run only by its name. `quick` beside `packing` leaves out what takes long.
 * `--against FILE` compares with what an earlier run wrote to out/bench.json.
 */
const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' } },
})
const benches: Record<string, (folder: string, figures: Figures) => Promise<void>> = {
  archive: archiveBench,
  ingest: ingestBench,
  sync: syncBench,
  pages: pagesBench,
  app: appBench,
  million: millionBench,
  desk: deskBench,
  reader: readerBench,
  tree: treeBench,
  start: startBench,
  packing: (folder, figures) => packingBench(folder, named.includes('quick'), figures),
  'ten-million': tenMillionBench,
}
const parts = named.filter((name) => name !== 'quick')
const unknown = parts.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`)
const wanted = (part: string) => (parts.length === 0 ? part !== 'ten-million' : parts.includes(part))
// A file that is none is not to be found out after hours.
const before = options.against === undefined ? undefined : readFigures(options.against)
const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-bench-'))
const figures = new Figures()
const written = path.resolve(import.meta.dirname, '../../out/bench.json')

/** Parts that ended with an error: what was measured of them and of the others is told all the same. */
const broken: string[] = []
try {
  for (const [part, bench] of Object.entries(benches))
    if (wanted(part))
      await bench(folder, figures).catch((error: unknown) => {
        console.error(`${part} could not be measured:`, error)
        broken.push(part)
      })
  figures.end(written)
  if (before) figures.against(before)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (broken.length > 0) {
  console.error(`Not measured to the end: ${broken.join(', ')}.`)
  // What they had opened would keep this from ending.
  process.exit(1)
}
