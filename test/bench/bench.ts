import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { _electron } from 'playwright'
import { openDesk, type Desk } from '../e2e/launch.ts'
import { appBench, processesOf } from './app.ts'
import { archiveBench } from './archive.ts'
import { deskBench } from './desk.ts'
import { packingBench } from './packing.ts'
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
 * leaves out what takes long.
 */
const wanted = (part: string) => process.argv.length < 3 || process.argv.includes(part)

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
  if (wanted('archive')) await archiveBench(folder)
  if (wanted('sync')) await syncBench(folder)
  if (wanted('app')) await appBench(folder)
  if (wanted('room')) await roomBench(folder)
  if (wanted('desk')) await deskBench(folder)
  if (wanted('reader')) await readerBench(folder)
  if (wanted('tree')) await treeBench(folder)
  if (wanted('start')) await starting()
  if (wanted('packing')) await packingBench(folder, process.argv.includes('quick'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
