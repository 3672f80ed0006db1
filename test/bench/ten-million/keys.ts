import type { Page } from 'playwright'
import type { Desk } from '../../e2e/launch.ts'
import type { Figures } from '../figures.ts'
import { counted, median, percentile, table } from '../measure.ts'

const keysOfEach = 150
const betweenMs = 70

/**
 * Notes from now on how long after each press of a key its frame was handed over to be drawn, in ms: the time
 * of the event is the browser's, so that what waits for a busy page counts.
 */
const watchKeys = (page: Page) =>
  page.evaluate(() => {
    const late: number[] = []
    addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          // What is posted in a frame comes after it was laid out and painted.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => late.push(performance.now() - timeStamp)
          port2.postMessage(null)
        }),
      true,
    )
    Object.assign(window, { late })
  })

/** Presses keys one after the other. @returns how late each was drawn, in ms */
const press = async (page: Page, keys: string[]): Promise<number[]> => {
  await page.evaluate(() => (window as unknown as { late: number[] }).late.splice(0))
  for (const key of keys) {
    await page.keyboard.press(key)
    await page.waitForTimeout(betweenMs)
  }
  await page.waitForTimeout(500)
  return page.evaluate(() => (window as unknown as { late: number[] }).late.splice(0))
}

const repeated = (keys: string[]) =>
  Array.from({ length: keysOfEach }, (_, nth) => keys[nth % keys.length] ?? '')
const typed = (word: string) => repeated([...word, ...[...word].map(() => 'Backspace')])

/** Opens every place in which one types, and types there. */
const places: { place: string; open: (page: Page) => Promise<void>; keys: string[] }[] = [
  {
    place: 'arrows in the list of packages',
    open: async (page) => {
      await page.evaluate(() => (location.hash = '#/packages'))
      await page.getByRole('gridcell').first().waitFor({ timeout: 60_000 })
      await page.getByRole('treegrid').focus()
    },
    keys: repeated(['ArrowDown', 'ArrowDown', 'ArrowDown', 'PageDown', 'ArrowUp', 'End', 'ArrowUp', 'Home']),
  },
  {
    place: 'type-ahead in the list of packages',
    open: (page) => page.getByRole('treegrid').focus(),
    keys: repeated([...'vattenbok', 'Home', ...'skolakt', 'ArrowDown']),
  },
  {
    place: 'the filter of packages',
    open: (page) => page.getByRole('searchbox').focus(),
    keys: typed('volym 47'),
  },
  {
    place: 'the field of Search',
    open: async (page) => {
      await page.evaluate(() => (location.hash = '#/search'))
      await page.locator('main input[type=search]').focus()
    },
    keys: typed('skolritning volym'),
  },
]

/**
 * How soon keys are drawn in every place in which one types.
 * @param meanwhile what goes on at the same time, for the figures
 */
export const keysOverTenMillion = async (desk: Desk, meanwhile: string, figures: Figures) => {
  const { page } = desk
  await watchKeys(page)
  const shown: Record<string, string | number>[] = []
  for (const { place, open, keys } of places) {
    await open(page)
    const late = counted(`keys in ${place}`, await press(page, keys), keys.length)
    shown.push({
      place,
      keys: late.length,
      'p50 ms': Math.round(median(late)),
      'p95 ms': Math.round(percentile(late, 0.95)),
      'p99 ms': Math.round(percentile(late, 0.99)),
      'most ms': Math.round(Math.max(...late)),
    })
    figures.note({
      what: `key to paint in ${place}, ${meanwhile}, p99`,
      values: [percentile(late, 0.99)],
      unit: 'ms',
      bar: { most: 20 },
    })
  }
  table(`From a key to its paint, ${meanwhile} (bar: p99 20 ms)`, shown)
}
