import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright'
import type { Figures } from '../figures.ts'
import { packageId } from '../filled-records.ts'
import { counted, median, percentile, table } from '../measure.ts'
import { noteQuestions, openDeskOver, takeQuestions, type Asked } from './desk.ts'

const scales = [1, 1.25, 1.5, 2, 3]
const places = 10
const turns = 600
const restMs = 8_000
const fewestFrames = 300
/** Of a screen that draws sixty frames in a second. */
const frameMs = 1000 / 60
const patienceMs = 60_000

/** A row that is wholly seen: its place in the list from 0, and the texts of its cells. */
interface SeenRow {
  index: number
  texts: string[]
}

/**
 * The rows that are wholly seen but for a pixel, which may be lost in rounding to those of the device, from
 * the top, once none of them is empty; and how long that took, in ms.
 */
const seenRows = (page: Page): Promise<{ rows: SeenRow[]; took: number }> =>
  page.evaluate(async (patience) => {
    const began = performance.now()
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
    await frame()
    for (;;) {
      await frame()
      const list = document.querySelector('[role=treegrid], [role=grid]')
      const { top = 0, bottom = 0 } = list?.getBoundingClientRect() ?? {}
      const head = list?.querySelector('.head')?.getBoundingClientRect().height ?? 0
      const rows = [...(list?.querySelectorAll('[role=row][id]') ?? [])]
        .map((row) => ({ row, box: row.getBoundingClientRect() }))
        .filter(({ box }) => box.top >= top + head - 1 && box.bottom <= bottom + 1)
        .map(({ row }) => ({
          index: Number(row.getAttribute('aria-rowindex')) - 2,
          texts: [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent.trim()),
        }))
        .sort((a, b) => a.index - b.index)
      if (rows.length > 5 && rows.every(({ texts }) => texts.length > 0))
        return { rows, took: performance.now() - began }
      if (performance.now() - began > patience) throw new Error(`No rows were drawn in ${patience} ms.`)
    }
  }, patienceMs)

/** Ends once the list has kept its place for some seconds: what is told above it has been told. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    const boxOf = () => JSON.stringify(document.querySelector('[role=treegrid]')?.getBoundingClientRect())
    let [box, same] = [boxOf(), 0]
    while (same < 30) {
      await new Promise((later) => setTimeout(later, 100))
      same = boxOf() === box ? same + 1 : 0
      box = boxOf()
    }
  })

/** What the rows of the list are called in its order by label, as SQLite has it. */
const openLabels = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true })
  const at = database.prepare(
    `select label from package indexed by package_top_by_label where isTop = 1 order by words, id
       limit 2 offset ?`,
  )
  const beginning = database.prepare(
    `select label from package indexed by package_top_by_label where isTop = 1 and words >= ? order by words
       limit 1`,
  )
  const labelOf = (row: Record<string, unknown> | undefined) => String(row?.['label'])
  return {
    at: (index: number) => labelOf(at.get(index)),
    beginning: (begins: string) => labelOf(beginning.get(begins)),
    ofId: (id: string) => labelOf(database.prepare('select label from package where id = ?').get(id)),
    close: () => database.close(),
  }
}

/** Fails where a row that is seen is not the one that SQLite has in its place. */
const check = (what: string, row: SeenRow | undefined, index: number, label: string) => {
  if (row?.index !== index || !row.texts.includes(label))
    throw new Error(
      `${what}: row ${index} is to be seen, which is “${label}”; ${row?.index} is, ${row?.texts.join(' | ')}`,
    )
}

/** How long each frame took while something was done, in ms (requestAnimationFrame). */
const framesWhile = async (page: Page, work: () => Promise<void>) => {
  await page.evaluate(() => {
    const spent: number[] = []
    let before = 0
    let isOver = false
    const frame = (now: number) => {
      if (before > 0) spent.push(now - before)
      before = now
      if (!isOver) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    Object.assign(window, { takeFrames: () => ((isOver = true), spent) })
  })
  await work()
  return page.evaluate(() => (window as unknown as { takeFrames: () => number[] }).takeFrames())
}

/** Frames while the wheel is turned, and while nothing is done: a screen gives no more of them than that. */
const scroll = async (page: Page) => {
  const atRest = await framesWhile(page, () => page.waitForTimeout(restMs))
  const scrolled = await framesWhile(page, async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      await page.mouse.wheel(0, turn < turns / 2 ? 120 : -120)
      await page.waitForTimeout(12)
    }
  })
  return { atRest, scrolled }
}

interface Parts {
  page: Page
  labels: ReturnType<typeof openLabels>
  rows: number
}

/** Goes to rows by every way that there is, and compares what is drawn with what SQLite has there. */
const visit = async ({ page, labels, rows }: Parts) => {
  const last = rows - 1
  const grid = page.getByRole('treegrid')
  const jumps: number[] = []
  const see = async () => {
    const { rows: seen, took } = await seenRows(page)
    jumps.push(took)
    return seen
  }
  const checkFirst = async (what: string, index?: number) => {
    const [first] = await see()
    const at = index ?? first?.index ?? -1
    check(what, first, at, labels.at(at))
    return at
  }
  await grid.focus()
  await checkFirst('Home', 0)
  const { length } = await see()
  await page.keyboard.press('End')
  await settled(page)
  // What is told above the list may have come meanwhile and have made it lower.
  await page.keyboard.press('End')
  check('End', (await see()).at(-1), last, labels.at(last))
  await page.keyboard.press('PageUp')
  await checkFirst('PageUp')
  await page.keyboard.press('Home')
  await checkFirst('Home', 0)
  for (let pages = 0; pages < 3; pages += 1) await page.keyboard.press('PageDown')
  const paged = await checkFirst('PageDown')
  if (paged < length) throw new Error(`Three pages lead to row ${paged}.`)
  for (let place = 0; place <= places; place += 1) {
    await grid.evaluate((list, share) => {
      list.scrollTop = share * (list.scrollHeight - list.clientHeight)
    }, place / places)
    const at = await checkFirst('The bar')
    if (Math.abs(at - (place / places) * (rows - length)) > rows / 10_000 + length)
      throw new Error(`The bar at ${place} of ${places} leads to row ${at}.`)
    if (place === places / 2) {
      await page.mouse.move(400, 500)
      await page.mouse.wheel(0, 340)
      await page.waitForTimeout(300)
      const turned = await checkFirst('The wheel')
      // At some scales a turn is told in pixels of the device.
      if (turned <= at || turned > at + 40) throw new Error(`The wheel leads from row ${at} to ${turned}.`)
    }
  }
  return jumps
}

/** Types what a row begins with, and opens a package by its address: both are seen in the list. */
const goTo = async ({ page, labels }: Parts, begins: string, id: string) => {
  await page.getByRole('treegrid').focus()
  const began = performance.now()
  for (const letter of begins) await page.keyboard.press(letter)
  const wanted = labels.beginning(begins)
  await page.getByRole('gridcell', { name: wanted, exact: true }).waitFor({ timeout: patienceMs })
  const typed = performance.now() - began
  const opening = performance.now()
  await page.evaluate((of) => (location.hash = `#/packages/${of}`), id)
  const label = labels.ofId(id)
  await page.getByRole('gridcell', { name: label, exact: true }).waitFor({ timeout: patienceMs })
  const revealed = performance.now() - opening
  await page.evaluate(() => (location.hash = '#/packages'))
  return { typed, revealed }
}

/** Narrows the list to the code of a package: that alone is seen. @returns how long it took, in ms */
const searchFor = async ({ page, labels }: Parts, number: number) => {
  const box = page.getByRole('searchbox')
  const began = performance.now()
  await box.fill(`SE/STA/${number}`)
  const label = labels.ofId(packageId(number))
  await page.getByRole('gridcell', { name: label, exact: true }).waitFor({ timeout: patienceMs })
  const took = performance.now() - began
  await box.fill('')
  await seenRows(page)
  return took
}

const rowQuestions = ['packages', 'packageBeginning', 'packageLine']

/** The clock of a page rounds to a tenth of a millisecond: frames at rest show by how much. */
const noteFrames = (
  { atRest, scrolled }: Awaited<ReturnType<typeof scroll>>,
  rows: number,
  figures: Figures,
) => {
  if (Math.min(atRest.length, scrolled.length) < fewestFrames)
    throw new Error(`Of ${atRest.length} and ${scrolled.length} frames nothing is known.`)
  const tenths = (ms: number) => Math.round(ms * 10) / 10
  const rest = tenths(percentile(atRest, 0.99))
  figures.note({
    what: `a frame of a list of ${rows} while nothing is done, p99`,
    values: [rest],
    unit: 'ms',
  })
  figures.note({
    what: `a frame while a list of ${rows} is scrolled by the wheel, p99`,
    values: [tenths(percentile(scrolled, 0.99))],
    unit: 'ms',
    bar: { most: Math.max(16.7, rest) },
  })
  figures.note({
    what: `frames that are lost while a list of ${rows} is scrolled by the wheel`,
    values: [scrolled.filter((spent) => spent > 1.5 * frameMs).length],
    unit: '',
    bar: { most: 0 },
  })
}

/** Every row of a list of ten million, by every way, at every scale. */
export const listOfTenMillion = async (file: string, rows: number, figures: Figures) => {
  const labels = openLabels(file)
  const shown: Record<string, string | number>[] = []
  const all: Asked[] = []
  const jumps: number[] = []
  let frames: Awaited<ReturnType<typeof scroll>> = { atRest: [], scrolled: [] }
  for (const scale of scales) {
    const args = [`--force-device-scale-factor=${scale}`]
    const desk = await openDeskOver({ files: [{ file, isShared: true }], args })
    const { page } = desk
    await noteQuestions(desk)
    const ratio = await page.evaluate(() => devicePixelRatio)
    if (ratio !== scale) throw new Error(`The scale is ${ratio}, and not ${scale}.`)
    await page.evaluate(() => (location.hash = '#/packages'))
    await page.getByRole('gridcell').first().waitFor({ timeout: patienceMs })
    await page.getByRole('button', { name: 'Label', exact: true }).click()
    await page.getByRole('gridcell', { name: labels.at(0), exact: true }).waitFor({ timeout: patienceMs })
    await settled(page)
    const parts = { page, labels, rows }
    const visited = await visit(parts)
    const { typed, revealed } = await goTo(parts, 'vattenb', packageId(Math.floor(rows * 0.77)))
    if (scale === 1) frames = await scroll(page)
    const narrowed = await searchFor(parts, Math.floor(rows * 0.4321))
    const asked = await takeQuestions(desk)
    all.push(...asked)
    jumps.push(...visited)
    shown.push({
      scale,
      'jump to rows p50 ms': Math.round(median(visited)),
      'most ms': Math.round(Math.max(...visited)),
      'type-ahead, seven letters ms': Math.round(typed),
      'opened elsewhere and seen ms': Math.round(revealed),
      'narrowed to a code ms': Math.round(narrowed),
      'most rows asked for': Math.max(...asked.map(({ limit }) => limit ?? 0)),
      'most rows that came': Math.max(...asked.map(({ rows: came }) => came)),
    })
    await desk.close()
    console.log(`At a scale of ${scale} every row that was gone to was that of SQLite.`)
  }
  labels.close()
  table(`A list of ${rows} packages by label: every row that was gone to was that of SQLite`, shown)
  const byName = Map.groupBy(all, ({ name }) => name)
  table(
    'What the threads were asked meanwhile',
    [...byName].map(([name, asked]) => ({
      question: name,
      asked: asked.length,
      'p50 ms': Math.round(median(asked.map(({ took }) => took))),
      'most ms': Math.round(Math.max(...asked.map(({ took }) => took))),
      'most rows': Math.max(...asked.map(({ rows: came }) => came)),
    })),
  )
  const ofRows = all.filter(({ name }) => rowQuestions.includes(name))
  figures.note({
    what: `rows that one question brings in a list of ${rows}`,
    values: [Math.max(...counted('questions', ofRows, ofRows.length).map(({ rows: came }) => came))],
    unit: '',
    bar: { most: 300 },
  })
  figures.note({ what: `a jump in a list of ${rows}, p95`, values: [percentile(jumps, 0.95)], unit: 'ms' })
  noteFrames(frames, rows, figures)
}
