import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { _electron } from 'playwright'
import { openDesk, type Desk } from '../e2e/launch.ts'
import { appBench, processesOf } from './app.ts'
import { archiveBench } from './archive.ts'
import { deskBench } from './desk.ts'
import { Figures, readFigures } from './figures.ts'
import { packingBench } from './packing.ts'
import { pagesBench } from './pages.ts'
import { readerBench } from './reader.ts'
import { roomBench } from './room.ts'
import { syncBench } from './sync.ts'
import { treeBench } from './tree.ts'
import { median, medianOf, memoryOf, seconds, table, timed, times } from './measure.ts'

// Ratios within one run: against the plain alternative on the same machine in the same minutes. Absolute
// figures are for orientation only.
const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-bench-'))
/**
 * `npm run bench -- archive` runs that part alone; without names, all of them run. `quick` beside `packing`
 * leaves out what takes long. `--against FILE` compares with what an earlier run wrote to out/bench.json.
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

/** From the start of the program to the first row of the list, against a program that only opens a window. */
const starting = async () => {
  const bare = path.join(folder, 'bare')
  mkdirSync(bare)
  writeFileSync(
    path.join(bare, 'package.json'),
    JSON.stringify({ name: 'bare', main: 'main.mjs', type: 'module' }),
  )
  writeFileSync(
    path.join(bare, 'main.mjs'),
    `import { app, BrowserWindow } from 'electron'\napp.whenReady().then(() => new ` +
      `BrowserWindow().loadURL('data:text/html,<h1>bare</h1>'))`,
  )
  const empty = await medianOf(async (run) => {
    const app = await _electron.launch({
      args: [bare, `--user-data-dir=${path.join(folder, `bare-${run}`)}`],
      env: process.env as Record<string, string>,
    })
    await (await app.firstWindow()).locator('h1').waitFor()
    await app.close()
  })
  const desk = await openDesk()
  await desk.page.locator('.carried button').nth(1).click()
  await desk.page.getByRole('link', { name: 'Packages' }).click()
  await desk.page.getByRole('row', { name: /Oxen/ }).waitFor()
  const ours: number[] = []
  for (let run = 0; run < 3; run += 1) {
    await desk.app.close()
    ours.push(
      await timed(async () => {
        await desk.restart('started')
        await desk.page.getByRole('link', { name: 'Packages' }).click()
        await desk.page.getByRole('row', { name: /Oxen/ }).waitFor()
      }),
    )
  }
  figures.note({
    what: 'start to the first row / a bare window',
    values: ours.map((run) => run / empty),
    unit: '×',
    bar: { most: 1.2 },
  })
  table(
    'Start: from the command to the first row of 42 packages, signed in before (median of 3, against ' +
      'an app that only opens a window and ends)',
    [
      {
        'first row': seconds(median(ours)),
        'bare window': seconds(empty),
        ratio: times(median(ours) / empty),
      },
    ],
  )
  memory(desk)
  await desk.close()
}

/** Memory of each process of the desk at rest, read from /proc (Linux only). */
const memory = (desk: Desk) => {
  const rows = processesOf(desk)
    .map(({ name, pid }) => ({ process: name, 'resident MB': memoryOf(pid) }))
    .filter((row) => row['resident MB'] > 0)
  if (rows.length > 0) table('Memory of each process at rest', rows)
}

try {
  if (wanted('archive')) await archiveBench(folder, figures)
  if (wanted('sync')) await syncBench(folder, figures)
  if (wanted('pages')) await pagesBench(folder, figures)
  if (wanted('app')) await appBench(folder, figures)
  if (wanted('room')) await roomBench(folder, figures)
  if (wanted('desk')) await deskBench(folder, figures)
  if (wanted('reader')) await readerBench(folder, figures)
  if (wanted('tree')) await treeBench(folder, figures)
  if (wanted('start')) await starting()
  if (wanted('packing')) await packingBench(folder, parts.includes('quick'), figures)
  figures.end(written)
  if (before) figures.against(before)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
