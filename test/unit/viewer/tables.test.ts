import { afterAll, beforeAll, expect, test } from 'vitest'
import { inMemory, buildFrames, type Drawn, type Source } from '../../viewer/frames.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
})
afterAll(() => frames.close())

const cell = (drawn: Drawn, row: number, column: number) =>
  drawn.frame.locator(`[data-row="${row}"] [data-column="${column}"]`)

test('separated values become a table with its columns named, and numbers to the right', async () => {
  const drawn = await frames.show(
    inMemory(
      'register.csv',
      'Namn;Ort;År\r\n"Åkesson; Astrid";"Hamn\ngatan ""2""";1938\r\nEk;Malmö;1951\r\n',
    ),
  )
  expect([drawn.kind, drawn.trouble, drawn.requests]).toEqual(['delimited', undefined, []])
  await drawn.until(({ facts }) => facts.some(({ name }) => name === 'rows'))
  expect(drawn.facts).toEqual([
    { name: 'columns', value: '3' },
    { name: 'delimiter', value: 'semicolon' },
    { name: 'rows', value: '2' },
  ])
  const grid = drawn.frame.getByRole('grid', { name: 'register.csv' })
  await grid.getByRole('columnheader', { name: 'Ort' }).waitFor()
  expect(await cell(drawn, 0, 0).textContent()).toBe('Åkesson; Astrid')
  expect(await cell(drawn, 0, 1).textContent()).toBe('Hamn\ngatan "2"')
  expect(await cell(drawn, 1, 2).getAttribute('data-number')).toBe('')
  await drawn.close()
})

test.each([
  ['sep=;\r\nNamn;Ort, län\r\nEk;Malmö, Malmöhus\r\n', 'utf8', 'semicolon'],
  ['\ufeffsep=^\nNamn^Ort, län\nEk^Malmö, Malmöhus\n', 'utf16le', '^'],
] as const)('a first line says what separates the values: %j in %s', async (text, encoding, delimiter) => {
  const drawn = await frames.show(inMemory('register.csv', Buffer.from(text, encoding)))
  await drawn.until(({ facts }) => facts.some(({ name }) => name === 'rows'))
  expect(drawn.facts).toEqual([
    { name: 'columns', value: '2' },
    { name: 'delimiter', value: delimiter },
    { name: 'rows', value: '1' },
  ])
  await drawn.frame.getByRole('columnheader', { name: 'Ort, län' }).waitFor()
  expect(await cell(drawn, 0, 0).textContent()).toBe('Ek')
  await drawn.close()
})

const rowBytes = 100
const rowAt = (row: number) =>
  `${row === 0 ? 'nr,värde ,plats' : `${row},${(row * 7919) % 1000},plats ${row % 97}`}`.padEnd(rowBytes - 1)
/** So many rows of 100 bytes, the first of them the head, which are made when they are read. */
const rowsOf = (count: number): Source => ({
  name: 'mätvärden.csv',
  bytes: count * rowBytes,
  read: ({ first, last }) => {
    const [from, to] = [Math.floor(first / rowBytes), Math.floor(last / rowBytes)]
    const rows = Array.from({ length: to - from + 1 }, (_, index) => `${rowAt(from + index)}\n`).join('')
    const start = from * rowBytes
    return Promise.resolve(Buffer.from(rows, 'latin1').subarray(first - start, last + 1 - start))
  },
})

test('a table that is scrolled as it changes its height stays where it was scrolled to', async () => {
  const drawn = await frames.show(inMemory('rader.csv', 'a;b\n1;2\n'.repeat(2_000)))
  await drawn.until(({ facts }) => facts.some(({ name }) => name === 'rows'))
  const top = await drawn.frame.evaluate(async () => {
    const scroller = document.querySelector<HTMLElement>('[data-scrolls]')
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
    await frame()
    // In a frame that was told of scrolling already: of this it is told in the next one.
    scroller?.scrollTo({ top: 900, behavior: 'instant' })
    scroller?.style.setProperty('flex', '0 0 300px')
    await frame()
    await frame()
    return scroller?.scrollTop
  })
  expect(top).toBe(900)
  await cell(drawn, 27, 0).waitFor()
  await drawn.close()
})

test('of ten million rows the first are there at once', async () => {
  const drawn = await frames.show(rowsOf(10_000_001))
  await cell(drawn, 0, 0).filter({ hasText: '1' }).waitFor()
  expect(drawn.read).toBeLessThan(8 * 1024 * 1024)
  await drawn.close()
})

test('more rows than a browser lays out are reached to the last, and the wheel goes row by row', async () => {
  const drawn = await frames.show(rowsOf(250_001))
  await drawn.until(({ facts }) => facts.some(({ name }) => name === 'rows'))
  const { keyboard, mouse } = drawn.frame.page()
  await drawn.frame.getByRole('grid').focus()
  await keyboard.press('Control+End')
  await cell(drawn, 249_999, 0).filter({ hasText: '250000' }).waitFor()
  await keyboard.press('ArrowUp')
  await drawn.frame.locator('.row[aria-selected="true"][data-row="249998"]').waitFor()
  await mouse.move(400, 300)
  await mouse.wheel(0, -340)
  await cell(drawn, 249_975, 0).filter({ hasText: '249976' }).waitFor()
  await drawn.close()
})

test('one of many rows beside others tells of each pixel, and goes to any of them', async () => {
  const drawn = await frames.show(rowsOf(600_001))
  await drawn.until(({ facts }) => facts.some(({ name }) => name === 'rows'))
  await cell(drawn, 0, 0).hover()
  await drawn.frame.page().mouse.wheel(0, 1)
  await drawn.until(({ standing }) => standing.view !== undefined)
  const height = await drawn.frame.evaluate(() => {
    const scroller = document.querySelector('[data-scrolls]')
    const head = document.querySelector('.table-head')
    return (scroller?.clientHeight ?? 0) - (head?.clientHeight ?? 0)
  })
  const way = 600_000 * 34 - height
  expect((drawn.standing.view?.y ?? 0) * way).toBeCloseTo(1, 3)
  for (const row of [300_000, 300_001]) {
    const view = { x: 0, y: (row * 34) / way, zoom: 1 }
    await drawn.ask({ ask: 'act', act: 'view', view })
    await drawn.frame.locator(`.rows-body > [data-row="${row}"]:first-child`).waitFor()
  }
  await drawn.close()
})
