import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { _electron } from 'playwright'
import { packBag } from '../../electron/packaging/bag.ts'
import { openDesk, type Desk } from '../e2e/launch.ts'
import { appBench, processesOf } from './app.ts'
import { archiveBench } from './archive.ts'
import { syncBench } from './sync.ts'
import { treeBench } from './tree.ts'
import { median, medianOf, memoryOf, seconds, table, timed, times } from './measure.ts'

// Ratios within one run: against the plain alternative on the same machine in the same minutes. Absolute figures are for orientation only.
const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-bench-'))
/** `npm run bench -- archive` runs that part alone; without names, all of them run. */
const wanted = (part: string) => process.argv.length < 3 || process.argv.includes(part)
const worker = new URL('../../electron/packaging/worker.ts', import.meta.url)

/** Packing against the same work by plain tools: copy, then a checksum of every file of source and copy, two at a time. */
const packing = async () => {
  const makeSet = (name: string, count: number, bytes: number) => {
    const source = path.join(folder, name)
    for (let index = 0; index < count; index += 1) {
      const inside = path.join(source, String(Math.floor(index / 200)))
      mkdirSync(inside, { recursive: true })
      writeFileSync(path.join(inside, `${index}.bin`), randomBytes(Math.min(bytes, 1_000_000)).toString('latin1').padEnd(bytes, 'x').slice(0, bytes), 'latin1')
    }
    return { name, source, count, bytes: count * bytes }
  }
  const sets = [makeSet('4 files of 150 MB', 4, 150_000_000), makeSet('5 000 files of 20 kB', 5_000, 20_000)]
  const target = path.join(folder, 'target')
  const clear = () => rmSync(target, { recursive: true, force: true })
  const hashAll = (where: string) => `find "${where}" -type f -print0 | xargs -0 -n 32 -P 2 openssl dgst -sha256 > /dev/null`
  const rows = []
  for (const { name, source, count, bytes } of sets) {
    execFileSync('sh', ['-c', `find "${source}" -type f -print0 | xargs -0 cat > /dev/null`])
    const limit = await medianOf(() => execFileSync('sh', ['-c', `cp -r "${source}" "${target}"`]), clear)
    const plain = await medianOf(() => execFileSync('sh', ['-c', `cp -r "${source}" "${target}" && ${hashAll(source)} && ${hashAll(target)}`]), clear)
    const quiet = { worker, signal: new AbortController().signal, onPlan: () => undefined, onProgress: () => undefined }
    const ours = await medianOf(() => packBag([source], target, [], quiet), clear)
    clear()
    rows.push({
      ...{ set: name, files: count, 'Lectern packs': seconds(ours), 'plain tools': seconds(plain), 'copy alone': seconds(limit) },
      ...{ 'Lectern / plain': times(ours / plain), 'Lectern / copy alone': times(ours / limit), 'MB/s': Math.round(bytes / 1e6 / ours) },
    })
  }
  table('Packing: copy, sha256 of the source, read back and compare (median of 3; plain tools: cp -r, then openssl dgst -sha256 of both sides, two at a time)', rows)
}

/** From the start of the program to the first row of the list, against a program that only opens a window. */
const starting = async () => {
  const bare = path.join(folder, 'bare')
  mkdirSync(bare)
  writeFileSync(path.join(bare, 'package.json'), JSON.stringify({ name: 'bare', main: 'main.mjs', type: 'module' }))
  writeFileSync(path.join(bare, 'main.mjs'), `import { app, BrowserWindow } from 'electron'\napp.whenReady().then(() => new BrowserWindow().loadURL('data:text/html,<h1>bare</h1>'))`)
  const empty = await medianOf(async (run) => {
    const app = await _electron.launch({ args: [bare, `--user-data-dir=${path.join(folder, `bare-${run}`)}`], env: process.env as Record<string, string> })
    await (await app.firstWindow()).locator('h1').waitFor()
    await app.close()
  })
  const desk = await openDesk()
  await desk.page.locator('.here button').nth(1).click()
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
  table('Start: from the command to the first row of 42 packages, signed in before (median of 3, against an app that only opens a window and ends)', [
    { 'first row': seconds(median(ours)), 'bare window': seconds(empty), ratio: times(median(ours) / empty) },
  ])
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
  if (wanted('tree')) await treeBench(folder)
  if (wanted('start')) await starting()
  if (wanted('packing')) await packing()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
