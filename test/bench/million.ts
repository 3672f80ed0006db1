import { cpSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDesk, signIn, type Desk } from '../e2e/launch.ts'
import { cacheFileOf } from '../../electron/store/cache/caches.ts'
import { openLocalCopy } from '../desks/local-copy.ts'
import { processesOf, residentMemoryOf, sharedMemoryOf, sumOf } from './processes.ts'
import { packageAt, smallPackageAt, writePackages } from './many-packages.ts'
import { many } from './filled-records.ts'
import type { Figures } from './figures.ts'
import { counted, median, percentile, seconds, sound, table, timed } from './measure.ts'
import { serveApart } from './package-archive.ts'

const packages = 1_000_000
const copiesOfEach = 2
const media = 40
const at = '2026-01-01T00:00:00Z'
/** Under what the holdings of the bench are kept. */
const archive = 'a'

/** A local copy of a million packages with two copies each, its words indexed. */
const makeCopy = (file: string) => {
  const copy = openLocalCopy(file)
  const copyAt = (number: number) => ({
    id: `c${number}`,
    ip: packageAt(Math.floor(number / copiesOfEach)).id,
    medium_id: `LTO-${number % media}`,
    storage_medium: `m${number % media}`,
    target_name: `Tape ${number % 3}`,
    target_target: 'LTO',
    content_location_type: 300,
    content_location_value: `/ess/store/LTO-${number % media}/${number}.tar`,
    last_changed_local: at,
    container: true,
  })
  copy.hold('packages', many(packages, smallPackageAt), at)
  copy.hold(
    'media',
    many(media, (number) => ({
      id: `m${number}`,
      medium_id: `LTO-${number}`,
      status: 20,
      location: `Room ${number % 5}`,
      storage_target: 't',
    })),
    at,
  )
  copy.hold('objects', many(packages * copiesOfEach, copyAt), at)
  copy.index()
  copy.close()
}

/** Types into the search and notes how long after each key the answer to what is typed then was drawn. */
const typeInto = async (words: string[]) => {
  const box = document.querySelector<HTMLInputElement>('input[type=search]')
  const spent: number[] = []
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
  for (const word of words)
    for (let length = 1; length <= word.length && box; length += 1) {
      const typed = word.slice(0, length)
      await new Promise((pause) => setTimeout(pause, 60))
      const began = performance.now()
      box.value = typed
      box.dispatchEvent(new InputEvent('input', { bubbles: true }))
      const last = `“${typed.trim().split(' ').at(-1)}”`
      const isShown = () =>
        [...document.querySelectorAll('main p')].some(
          ({ textContent }) => textContent.includes('Read as:') && textContent.includes(last),
        )
      // What stands there when a frame is called is drawn in that frame.
      await frame()
      while (!isShown()) {
        if (performance.now() - began > 10_000) throw new Error(`“${typed}” was not answered in 10 s.`)
        await frame()
      }
      spent.push(performance.now() - began)
    }
  return spent
}

/** Jumps to rows all over the list and notes how long it took until they were drawn. */
const jumpAbout = async (jumps: number) => {
  const list = document.querySelector<HTMLElement>('[role=treegrid], [role=grid]')
  const spent: number[] = []
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
  for (let jump = 0; jump < jumps && list; jump += 1) {
    const top = Math.floor((((jump * 7919) % 1000) / 1000) * (list.scrollHeight - list.clientHeight))
    await new Promise((pause) => setTimeout(pause, 80))
    const began = performance.now()
    list.scrollTop = top
    const isDrawn = () => {
      const { top: from, bottom: to } = list.getBoundingClientRect()
      const rows = [...list.querySelectorAll('.row')].filter(
        (row) => row.getBoundingClientRect().bottom > from + 40 && row.getBoundingClientRect().top < to,
      )
      return rows.length > 5 && rows.every((row) => row.querySelector('[role=gridcell]'))
    }
    await frame()
    while (!isDrawn()) {
      if (performance.now() - began > 10_000) throw new Error(`No rows were drawn at ${top} in 10 s.`)
      await frame()
    }
    spent.push(performance.now() - began)
  }
  return spent
}

/** Scrolls through the list and notes how long each frame took. */
const scrollOn = async (frames: number) => {
  const list = document.querySelector<HTMLElement>('[role=treegrid], [role=grid]')
  const spent: number[] = []
  let before = await new Promise<number>((drawn) => requestAnimationFrame(drawn))
  for (let index = 0; index < frames && list; index += 1) {
    list.scrollTop += 240
    const now = await new Promise<number>((drawn) => requestAnimationFrame(drawn))
    spent.push(now - before)
    before = now
  }
  return spent
}

/** Seconds of processor time that all processes of the desk have taken (Linux). */
const spentBy = (desk: Desk) =>
  processesOf(desk).reduce((sum, { pid }) => {
    try {
      const [, , , , , , , , , , , user = '0', system = '0'] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return sum + (Number(user) + Number(system)) / 100
    } catch {
      return sum
    }
  }, 0)

/** The desk over a million packages: searching, jumping, scrolling, and doing nothing. */
export const millionBench = async (folder: string, figures: Figures) => {
  // A copy takes minutes to make; one of an earlier run may be used again.
  const kept = process.env['LECTERN_BENCH_COPY']
  const made = kept ?? path.join(folder, 'million.sqlite')
  if (!existsSync(made))
    console.log(`Made a local copy of ${packages} packages in ${seconds(await timed(() => makeCopy(made)))}.`)

  const none = path.join(folder, 'nothing.json')
  await writePackages(none, 0)
  const server = await serveApart(none)
  const desk = await openDesk()
  await signIn(desk, server.url, 'archivist', 'x')
  await desk.page.getByRole('banner').getByText('as of').waitFor()
  server.process.disconnect()
  await desk.app.close()
  const known = new DatabaseSync(path.join(desk.userData, 'desk.sqlite'))
  known.exec(`update archive set id = '${archive}', body = json_set(body, '$.id', '${archive}')`)
  known.close()
  cpSync(made, cacheFileOf(desk.userData, archive))

  await desk.restart('started')
  const { page } = desk
  const open = async (place: string) => {
    await page.evaluate((wanted) => (location.hash = `#/${wanted}`), place)
    await page.waitForTimeout(2_000)
  }
  const atStart = sharedMemoryOf(desk)
  await open('search')
  await page.evaluate(typeInto, ['lto-7'])
  const words = [
    'ritningar till kvarteret',
    'volym 4711',
    'SE/STA/123456',
    'LTO-12',
    'preserved',
    'kvarteret 97 volym',
  ]
  const keys = counted('keys', await page.evaluate(typeInto, words), words.join('').length)
  table(
    'Search as it is typed, a million packages and two million copies held (bar: p95 50 ms from key ' +
      'to frame)',
    [
      {
        keys: keys.length,
        'p50 ms': Math.round(median(keys)),
        'p95 ms': Math.round(percentile(keys, 0.95)),
        'most ms': Math.round(Math.max(...keys)),
      },
    ],
  )

  figures.note({
    what: 'search as it is typed over a million packages, key to frame, p95',
    values: [percentile(keys, 0.95)],
    unit: 'ms',
    bar: { most: 50 },
  })

  await open('packages')
  await page.getByRole('row').nth(3).waitFor()
  const jumps: { order: string; spent: number[] }[] = []
  for (const heading of ['Changed', 'Label', 'State', 'Size', 'Copies']) {
    if (heading !== 'Changed') await page.getByRole('button', { name: heading, exact: true }).click()
    await page.waitForTimeout(4_000)
    jumps.push({ order: heading, spent: counted('jumps', await page.evaluate(jumpAbout, 40), 40) })
  }
  await page.getByRole('searchbox').fill('97')
  await page.waitForTimeout(5_000)
  jumps.push({ order: 'filtered by "97"', spent: counted('jumps', await page.evaluate(jumpAbout, 40), 40) })
  table(
    'A jump to a row anywhere in the list (bar: p95 50 ms from jump to frame)',
    jumps.map(({ order, spent }) => ({
      order,
      jumps: spent.length,
      'p50 ms': Math.round(median(spent)),
      'p95 ms': Math.round(percentile(spent, 0.95)),
      'most ms': Math.round(Math.max(...spent)),
    })),
  )
  for (const { order, spent } of jumps)
    figures.note({
      what: `a jump in the list by ${order}, p95`,
      values: [percentile(spent, 0.95)],
      unit: 'ms',
      bar: { most: 50 },
    })
  await page.getByRole('searchbox').fill('')
  await page.waitForTimeout(3_000)
  const frames = counted('frames', await page.evaluate(scrollOn, 900), 900)
  table('Scrolling (bar: no frame over 50 ms)', [
    {
      frames: frames.length,
      'p50 ms': Math.round(median(frames)),
      'p99 ms': Math.round(percentile(frames, 0.99)),
      'most ms': Math.round(Math.max(...frames)),
      'over 50 ms': frames.filter((spent) => spent > 50).length,
    },
  ])

  figures.note({
    what: 'a frame while a list is scrolled, p99',
    values: [percentile(frames, 0.99)],
    unit: 'ms',
    bar: { most: 16.7 },
  })

  const resident = sumOf(residentMemoryOf(desk))
  const shared = sharedMemoryOf(desk)
  await open('desk')
  await page.waitForTimeout(10_000)
  const before = spentBy(desk)
  const watched = 60
  await page.waitForTimeout(watched * 1_000)
  const idle = (spentBy(desk) - before) / watched
  const rested = sharedMemoryOf(desk)
  table('What it takes (bars: 700 MB in all processes, 0.5 % of a processor when idle)', [
    {
      'MB, shared counted once': sumOf(shared),
      'of that at the start': sumOf(atStart),
      'after a minute of rest': sumOf(rested),
      'MB, as each process counts': resident,
      'idle %': sound('idle', idle * 100, '%').toFixed(2),
    },
  ])
  figures.note({ what: 'a processor while idle', values: [idle * 100], unit: '%', bar: { most: 0.5 } })
  figures.note({ what: 'memory of all processes', values: [sumOf(shared)], unit: 'MB', bar: { most: 700 } })
  table(
    'Which process holds it, MB',
    Object.entries(shared).map(([process, megabytes]) => ({
      process,
      'at the start': atStart[process] ?? 0,
      'after scrolling': megabytes,
      'after a minute of rest': rested[process] ?? 0,
    })),
  )
  await desk.close()
}
