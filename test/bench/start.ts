import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { cacheFileOf } from '../../electron/store/cache/caches.ts'
import { openDesk, seenIn, type Desk } from '../e2e/launch.ts'
import { openLocalCopy } from '../local-copy.ts'
import type { Figures } from './figures.ts'
import { smallPackageAt, writePackages } from './many-packages.ts'
import { median, seconds, table, timed, times } from './measure.ts'
import { sharedMemoryOf } from './processes.ts'
import { serveApart } from './sync.ts'

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
  const all = function* () {
    for (let number = 0; number < held; number += 1) yield smallPackageAt(number)
  }
  copy.hold('packages', all(), '2026-01-01T00:00:00Z')
  copy.index()
  copy.close()
}

const total = (desk: Desk) => Object.values(sharedMemoryOf(desk)).reduce((sum, each) => sum + each, 0)

/** Starts until something is there, again and again: seconds of each, and MB of all processes at rest. */
const startsOf = async (
  desk: Desk,
  isThere: () => Promise<unknown>,
  prepare: () => void = () => undefined,
) => {
  const spent: number[] = []
  let restingMB = 0
  for (let run = 0; run < runs; run += 1) {
    prepare()
    spent.push(
      await timed(async () => {
        await desk.restart('started')
        await isThere()
      }),
    )
    if (run === runs - 1) {
      await desk.page.waitForTimeout(settledAfterMs)
      restingMB = process.platform === 'linux' ? total(desk) : 0
    }
    await desk.app.close()
  }
  return { spent, restingMB }
}

/** A desk that was left at the packages of an archive that is gone, and the local copy of that. */
const signedIn = async (folder: string) => {
  const none = path.join(folder, 'none-to-start.json')
  await writePackages(none, 0)
  const { url, process } = await serveApart(none)
  const desk = await openDesk()
  const { page } = desk
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('User name').fill('archivist')
  await page.getByLabel('Password').fill('x')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
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
  const bare = await startsOf(bareDesk, () => Promise.resolve())
  await bareDesk.close()

  const { desk, cache } = await signedIn(folder)
  const clear = () => ['', '-wal', '-shm'].forEach((end) => rmSync(cache + end, { force: true }))
  const empty = await startsOf(
    desk,
    () => seenIn(desk.page, () => document.body.innerText.includes('The archive shows you no packages yet.')),
    clear,
  )
  clear()
  const made = path.join(folder, 'million.sqlite')
  fill(made)
  renameSync(made, cache)
  const full = await startsOf(desk, () =>
    seenIn(desk.page, () => document.querySelectorAll('[role=row]')[5]?.checkVisibility() === true),
  )
  await desk.close()

  const row = (what: string, { spent, restingMB }: typeof bare) => ({
    what,
    'start to there': seconds(median(spent)),
    'of a bare window': times(median(spent) / median(bare.spent)),
    'memory at rest MB': restingMB,
  })
  table('Start, signed in before and without a connection (median of 5; bars: 1.2 ×, 1.25 × the memory)', [
    row('a bare window', bare),
    row('the list of an empty copy', empty),
    row(`the first rows of ${held}`, full),
  ])
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
