import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright'
import { openDesk, signIn } from '../e2e/launch.ts'
import { writePackages } from './many-packages.ts'
import type { Figures } from './figures.ts'
import { counted, median, percentile, seconds, table, timed } from './measure.ts'
import { residentMemoryOf, sumOf } from './processes.ts'
import { serveApart } from './package-archive.ts'

const packages = 200_000
/** So long the window is left alone once everything is there, and watched then. */
const restMs = 10_000

/** How a window answers: presses of a key, and when the list had its first row. */
interface Watched {
  pressed: number
  /** How long after it was due each press was drawn, in ms; a list that is not there yet is not pressed. */
  late: number[]
  /** How long after it was due each timer was called, in ms: so long something else kept the window. */
  blocked: number[]
  /** By the clock of this computer, in ms; 0 before it is there. */
  firstRowAt: number
}
interface Watch extends Watched {
  isOver: boolean
  ended: Promise<void>
}

/** Presses a key in the list every 50 ms, until it is over and at least 20 were pressed. */
const watchPage = () => {
  const timerMs = 4
  const list = () => document.querySelector('[role=treegrid]')
  const look = new MutationObserver(() => {
    if (!list()?.querySelector('[role=gridcell]')) return
    seen.firstRowAt = Date.now()
    look.disconnect()
  })
  const press = async () => {
    let due = performance.now() + 50
    while (!seen.isOver || seen.pressed < 20) {
      await new Promise((then) => setTimeout(then, due - performance.now()))
      const pressed = list()
      if (pressed) {
        const key = seen.pressed % 2 === 0 ? 'ArrowDown' : 'ArrowUp'
        seen.pressed += 1
        pressed.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      }
      await new Promise((drawn) => requestAnimationFrame(drawn))
      if (pressed) seen.late.push(performance.now() - due)
      due = Math.max(due + 50, performance.now())
    }
  }
  const watchTimers = async () => {
    while (!seen.isOver) {
      const isShown = seen.firstRowAt > 0
      const due = performance.now() + timerMs
      await new Promise((then) => setTimeout(then, timerMs))
      // What opening the page takes is taken without fetching too.
      if (isShown) seen.blocked.push(performance.now() - due)
    }
  }
  const seen: Watch = {
    pressed: 0,
    late: [],
    blocked: [],
    firstRowAt: list()?.querySelector('[role=gridcell]') ? Date.now() : 0,
    isOver: false,
    ended: Promise.resolve(),
  }
  look.observe(document.body, { childList: true, subtree: true })
  seen.ended = press()
  void watchTimers()
  Object.assign(window, { seen })
}

const endWatch = (page: Page): Promise<Watched> =>
  page.evaluate(async () => {
    const { seen } = window as unknown as { seen: Watch }
    seen.isOver = true
    await seen.ended
    const { pressed, late, blocked, firstRowAt } = seen
    return { pressed, late, blocked, firstRowAt }
  })

/** The same window, asked as much, while nothing arrives. */
const watchAtRest = async (page: Page): Promise<Watched> => {
  await page.waitForTimeout(restMs)
  await page.evaluate(watchPage)
  await page.waitForTimeout(restMs)
  return await endWatch(page)
}

/** A locator would look through the whole page each time, and keep it from what is measured. */
const isFetched = () =>
  document.querySelector('header')?.textContent.includes('as of') === true &&
  document.querySelector('[role=gridcell]') !== null

/** The window while a long list is fetched: what it takes, and how soon it answers. */
export const appBench = async (folder: string, figures: Figures) => {
  const file = path.join(folder, 'app-packages.json')
  await writePackages(file, packages)
  // An archive does not work on the reader's computer.
  const server = await serveApart(file, true)
  const sent = new Promise<number>((first) =>
    server.process.on(
      'message',
      (message) =>
        typeof message === 'object' &&
        message !== null &&
        'firstByteAt' in message &&
        first(Number(message.firstByteAt)),
    ),
  )
  const desk = await openDesk()
  const { page } = desk
  const signInAt = async (url: string) => {
    await signIn(desk, url, 'archivist', 'x')
    await page.getByRole('banner').getByText(new URL(url).host).waitFor()
  }
  // An archive without packages first, so that what the page itself takes is there already.
  const none = path.join(folder, 'none.json')
  await writePackages(none, 0)
  const without = await serveApart(none)
  await signInAt(without.url)
  await page.evaluate(() => (location.hash = '#/packages'))
  await page.getByText('The archive shows you no packages yet.').waitFor()
  await page.waitForTimeout(3_000)
  const before = residentMemoryOf(desk)
  await page.getByRole('button', { name: /Other archives/ }).click()
  await page.getByRole('button', { name: 'Another archive …' }).click()
  await page.evaluate(watchPage)
  await signInAt(server.url)
  await page.evaluate(() => (location.hash = '#/packages'))
  let most = before
  const whole = await timed(async () => {
    while (!(await page.evaluate(isFetched))) {
      const now = residentMemoryOf(desk)
      if (sumOf(now) > sumOf(most)) most = now
      await page.waitForTimeout(250)
    }
  })
  const { pressed, late, blocked, firstRowAt } = await endWatch(page)
  counted('presses of a key', late, pressed)
  // Presses and their delays fill the time since the list was there; else it was looked at too seldom.
  const watchedMs = late.reduce((all, one) => all + one, 50 * late.length)
  const shownMs = Date.now() - firstRowAt
  if (watchedMs < shownMs / 2)
    throw new Error(`The bench measured nonsense: of ${shownMs} ms the window was watched for ${watchedMs}.`)
  const atRest = await watchAtRest(page)
  table(
    `The window while ${packages} packages are fetched for the first time (bars: 200 MB, 200 ms, 20 ms, ` +
      `8 ms; the archive works at nice 10, since it has a computer of its own)`,
    [
      {
        'fetched in': seconds(whole),
        'memory before MB': sumOf(before),
        'most MB': sumOf(most),
        'growth MB': sumOf(most) - sumOf(before),
        'first row after the first byte ms': firstRowAt - (await sent),
        'key to frame p50 ms': Math.round(median(late)),
        'p99 ms': Math.round(percentile(late, 0.99)),
        presses: late.length,
        'blocked p99 ms': Math.round(percentile(blocked, 0.99)),
        'most ms': Math.round(Math.max(...blocked)),
        'at rest p99 ms': Math.round(percentile(atRest.blocked, 0.99)),
        'most at rest ms': Math.round(Math.max(...atRest.blocked)),
      },
    ],
  )
  figures.note({
    what: `memory that grows while ${packages} packages are fetched`,
    values: [sumOf(most) - sumOf(before)],
    unit: 'MB',
    bar: { most: 200 },
  })
  figures.note({
    what: 'key to frame while they are fetched, p99',
    values: [percentile(late, 0.99)],
    unit: 'ms',
    bar: { most: 20 },
  })
  figures.note({
    what: 'how long the window is blocked while they are fetched, at most',
    values: [Math.max(...blocked)],
    unit: 'ms',
    bar: { most: 8 },
  })
  table(
    'Where it grew',
    Object.entries(most).map(([process, megabytes]) => ({
      process,
      before: before[process] ?? 0,
      most: megabytes,
    })),
  )
  rmSync(file)

  server.process.disconnect()
  without.process.disconnect()
  await desk.close()
}
