import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { cacheFileOf } from '../../electron/store/cache/caches.ts'
import { openDesk, seenIn, signIn, type Desk } from '../e2e/launch.ts'
import { openLocalCopy } from '../desks/local-copy.ts'
import { many } from './filled-records.ts'
import type { Figures } from './figures.ts'
import { smallPackageAt, writePackages } from './many-packages.ts'
import { median, seconds, table, timed, times } from './measure.ts'
import { sharedMemoryOf, sumOf } from './processes.ts'
import { serveApart } from './package-archive.ts'

const held = 1_000_000
const runs = 5
/** What is begun at a start is over by then, and what it needed for that is given back. */
const settledAfterMs = 30_000

/** A program that only opens a window. */
const makeBare = (folder: string) => {
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
  return bare
}

/** A local copy with a million packages, as an archive gives them, whose words are all in the index. */
const fill = (file: string) => {
  const copy = openLocalCopy(file)
  copy.hold('packages', many(held, smallPackageAt), '2026-01-01T00:00:00Z')
  copy.index()
  copy.close()
}

interface Start {
  what: string
  desk: Desk
  isThere: () => Promise<unknown>
  prepare?: () => void
}

/** Starts each in turn until something is there: seconds of each start, and MB of all processes at rest. */
const startInTurn = async (starts: Start[]) => {
  const measured = starts.map((start) => ({ ...start, spent: [] as number[], restingMB: 0 }))
  for (let run = 0; run < runs; run += 1)
    for (const one of measured) {
      one.prepare?.()
      one.spent.push(
        await timed(async () => {
          await one.desk.restart('started')
          await one.isThere()
        }),
      )
      if (run === runs - 1) {
        await one.desk.page.waitForTimeout(settledAfterMs)
        one.restingMB = process.platform === 'linux' ? sumOf(sharedMemoryOf(one.desk)) : 0
      }
      await one.desk.app.close()
    }
  return measured
}

/** A desk that was left at the packages of an archive that is gone, and the local copy of that. */
const signedIn = async (folder: string) => {
  const none = path.join(folder, 'none-to-start.json')
  await writePackages(none, 0)
  const { url, process } = await serveApart(none)
  const desk = await openDesk()
  const { page } = desk
  await signIn(desk, url, 'archivist', 'x')
  await page.getByRole('banner').getByText(new URL(url).host).waitFor()
  await page.evaluate(() => (location.hash = '#/packages'))
  await page.getByText('The archive shows you no packages yet.').waitFor()
  // The next start opens where this one ends, from when the window has come to its place.
  while (!existsSync(path.join(desk.userData, 'window.json'))) await page.waitForTimeout(100)
  process.disconnect()
  await desk.app.close()
  const [archive] = new DatabaseSync(path.join(desk.userData, 'desk.sqlite'))
    .prepare('select id from archive order by used desc')
    .all() as { id: string }[]
  return { desk, cache: cacheFileOf(desk.userData, archive?.id ?? '') }
}

/** From the start of the program to a usable list, with a million packages held and without a connection. */
export const startBench = async (folder: string, figures: Figures) => {
  const bareDesk = await openDesk({}, makeBare(folder))
  await bareDesk.app.close()
  const ofNone = await signedIn(folder)
  const ofMany = await signedIn(folder)
  const clear = (cache: string) => ['', '-wal', '-shm'].forEach((end) => rmSync(cache + end, { force: true }))
  clear(ofMany.cache)
  const made = path.join(folder, 'million.sqlite')
  fill(made)
  renameSync(made, ofMany.cache)
  const [bare, empty, full] = await startInTurn([
    { what: 'a bare window', desk: bareDesk, isThere: () => Promise.resolve() },
    {
      what: 'the list of an empty copy',
      desk: ofNone.desk,
      isThere: () =>
        seenIn(ofNone.desk.page, () =>
          document.body.innerText.includes('The archive shows you no packages yet.'),
        ),
      prepare: () => clear(ofNone.cache),
    },
    {
      what: `the first rows of ${held}`,
      desk: ofMany.desk,
      isThere: () =>
        seenIn(
          ofMany.desk.page,
          () => document.querySelectorAll('[role=row]')[5]?.checkVisibility() === true,
        ),
    },
  ])
  await Promise.all([bareDesk, ofNone.desk, ofMany.desk].map((desk) => desk.close()))
  if (!bare || !empty || !full) throw new Error('Three starts were measured.')

  const row = ({ what, spent, restingMB }: typeof bare) => ({
    what,
    'start to there': seconds(median(spent)),
    'of a bare window': times(median(spent) / median(bare.spent)),
    'memory at rest MB': restingMB,
  })
  table(
    'Start, signed in before and without a connection, in turn (median of 5; bars: 1.2 ×, 1.25 × the memory)',
    [bare, empty, full].map(row),
  )
  figures.note({
    what: `start with ${held} packages held / a bare window`,
    values: full.spent.map((one) => one / median(bare.spent)),
    unit: '×',
    bar: { most: 1.2 },
  })
  figures.note({
    what: `start with ${held} packages held / with none`,
    values: full.spent.map((one) => one / median(empty.spent)),
    unit: '×',
    bar: { most: 1.2 },
  })
  if (process.platform === 'linux')
    figures.note({
      what: `memory with ${held} packages held / a bare window`,
      values: [full.restingMB / bare.restingMB],
      unit: '×',
      bar: { most: 1.25 },
    })
}
