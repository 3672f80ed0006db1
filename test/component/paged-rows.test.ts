import { expect, test, vi } from 'vitest'
import { PagedRows, type Page } from '../../renderer/state/paged-rows.svelte.ts'

interface Row {
  id: string
}

/** A list whose answers are given by hand. */
const byHand = () => {
  const asked: ((page: Partial<Page<Row>>) => void)[] = []
  const rows = new PagedRows<Row>(
    () =>
      new Promise((answer) => {
        asked.push((page) => answer({ rows: [], total: 0, of: 0, lines: 0, asOf: null, ...page }))
      }),
  )
  const tick = () => new Promise((next) => setTimeout(next))
  return { rows, asked, tick }
}

test('news that come faster than answers do not keep the rows from being shown', async () => {
  const { rows, asked, tick } = byHand()
  asked[0]?.({})
  await tick()
  for (let news = 0; news < 5; news += 1) rows.renew()
  expect(asked).toHaveLength(2)
  asked[1]?.({ rows: [{ id: 'a' }], lines: 1, total: 1, of: 1 })
  await tick()
  expect([rows.total, rows.news]).toEqual([1, 1])
  // Once more for all that came meanwhile, and then no more.
  expect(asked).toHaveLength(3)
  asked[2]?.({ rows: [{ id: 'a' }, { id: 'b' }], lines: 2, total: 2, of: 2 })
  await tick()
  expect([rows.total, rows.indexOf('b'), asked.length]).toEqual([2, 1, 3])
})

test('what was asked for last is answered once it is shown, also where news overtook it', async () => {
  const { rows, asked, tick } = byHand()
  let isAnswered = false
  rows.answered().then(
    () => (isAnswered = true),
    () => undefined,
  )
  rows.renew()
  asked[0]?.({})
  await tick()
  expect(isAnswered).toBe(false)
  asked[1]?.({ rows: [{ id: 'a' }], lines: 1, total: 1, of: 1 })
  await tick()
  expect([isAnswered, rows.row(0)?.id]).toEqual([true, 'a'])
})

test('the first rows wait for what has to be known before they are shown, later ones do not', async () => {
  const known: (() => void)[] = []
  const totals: number[] = []
  const rows = new PagedRows<Row>(
    () => Promise.resolve({ rows: [{ id: 'a' }], total: 7, of: 7, lines: 7, asOf: null }),
    {
      first: (total) => {
        totals.push(total)
        return new Promise<void>((answer) => known.push(answer))
      },
    },
  )
  const tick = () => new Promise((next) => setTimeout(next))
  await tick()
  expect([totals, rows.isReady, rows.row(0)]).toEqual([[7], false, undefined])
  known[0]?.()
  await tick()
  expect([rows.isReady, rows.row(0)?.id]).toEqual([true, 'a'])
  rows.refresh()
  await tick()
  expect(totals).toEqual([7])
})

test('there is no row above the first, and nobody asks for one', async () => {
  const offsets: number[] = []
  const rows = new PagedRows<Row>((offset) => {
    offsets.push(offset)
    return Promise.resolve({ rows: [], total: 0, of: 0, lines: 0, asOf: null })
  })
  expect(rows.row(-1)).toBeUndefined()
  rows.renew()
  await vi.waitFor(() => expect(offsets).toHaveLength(2))
  expect(offsets.every((offset) => offset >= 0)).toBe(true)
})

test('what a person asks for now is shown, not what was asked for before', async () => {
  const { rows, asked, tick } = byHand()
  for (let letter = 0; letter < 5; letter += 1) rows.refresh()
  // Letters come faster than answers: nobody looks through a long list for each of them.
  expect(asked).toHaveLength(1)
  asked[0]?.({ total: 1 })
  await tick()
  expect([rows.total, rows.isReady, asked.length]).toEqual([0, false, 2])
  asked[1]?.({ total: 2 })
  await tick()
  expect([rows.total, rows.news, asked.length]).toEqual([2, 0, 2])
})

test('rows that nobody looks at are not asked for, and no request is for more than a window', async () => {
  const asked: [number, number][] = []
  const rows = new PagedRows<Row>((offset, limit) => {
    asked.push([offset, limit])
    const found = Array.from({ length: limit }, (_, index) => ({ id: String(offset + index) }))
    return Promise.resolve({ rows: found, total: 1e6, of: 1e6, lines: 1e6, asOf: null })
  })
  const tick = () => new Promise((next) => setTimeout(next))
  await tick()
  asked.length = 0
  expect(rows.held().length).toBe(50)
  expect(rows.held()[3]).toEqual({ index: 3, row: { id: '3' } })
  await tick()
  expect(asked).toEqual([])
  for (let index = 1_000; index < 3_000; index += 1) rows.row(index)
  await tick()
  expect(Math.max(...asked.map(([, limit]) => limit))).toBeLessThanOrEqual(300)
})

test('news that overtake what a person asked for move nothing: the rows are those that were asked for', async () => {
  const { rows, asked, tick } = byHand()
  asked[0]?.({ rows: [{ id: 'a' }], lines: 1 })
  await tick()
  rows.renew()
  rows.refresh()
  rows.renew()
  asked[1]?.({ rows: [{ id: 'a' }, { id: 'b' }], lines: 2 })
  await tick()
  expect([rows.row(0)?.id, rows.lines]).toEqual(['a', 1])
  asked[2]?.({ rows: [{ id: 'b' }], lines: 1 })
  await tick()
  expect([rows.row(0)?.id, rows.news, asked.length]).toEqual(['b', 0, 3])
  rows.renew()
  asked[3]?.({ rows: [{ id: 'b' }], lines: 1 })
  await tick()
  expect(rows.news).toBe(1)
})

test('of the letters of a word that come faster than answers the last is asked for', async () => {
  const asked: { begins: string; from: number; answer: (line: number) => void }[] = []
  const rows = new PagedRows<Row>(
    () => Promise.resolve({ rows: [], total: 0, of: 0, lines: 0, asOf: null }),
    {
      beginning: (begins, from) =>
        new Promise((found) => asked.push({ begins, from, answer: (line) => found({ line }) })),
    },
  )
  const begun = ['v', 'va', 'vat'].map((word, nth) => rows.beginning?.(word, nth))
  asked[0]?.answer(7)
  expect(await begun[0]).toBe(7)
  await new Promise((next) => setTimeout(next))
  expect(asked.map(({ begins, from }) => [begins, from])).toEqual([
    ['v', 0],
    ['vat', 2],
  ])
  asked[1]?.answer(9)
  expect([await begun[1], await begun[2]]).toEqual([9, 9])
})

test('what is typed leads to its row though more rows have come than are here', async () => {
  let held = ['Agents', 'Maps', 'Zoning'].map((id) => ({ id }))
  const rows = new PagedRows<Row>(
    (offset, limit) =>
      Promise.resolve({
        rows: held.slice(offset, offset + limit),
        total: held.length,
        of: held.length,
        lines: held.length,
        asOf: null,
      }),
    { beginning: (begins) => Promise.resolve({ line: held.findIndex(({ id }) => id.startsWith(begins)) }) },
  )
  await vi.waitFor(() => expect(rows.lines).toBe(3))
  const typed = async (begins: string) => rows.row((await rows.beginning?.(begins, 0)) ?? -1)?.id
  expect([await typed('M'), rows.news]).toEqual(['Maps', 0])
  // One comes above it, and then more than were here.
  for (const come of [['Births'], Array.from({ length: 70 }, (_, nth) => `Births ${nth}`)]) {
    held = [...held, ...come.map((id) => ({ id }))].sort((a, b) => a.id.localeCompare(b.id))
    expect(await typed('M')).toBe('Maps')
  }
})

test('rows that nobody can be asked about are not asked how they begin', () => {
  expect(byHand().rows.beginning).toBeUndefined()
})

test('a row that says what it said is the one that is drawn already, until another day', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-04T12:00:00') })
  const { rows, asked, tick } = byHand()
  const answer = (nth: number, ids: string[]) =>
    asked[nth]?.({ rows: ids.map((id) => ({ id })), total: ids.length, of: ids.length, lines: ids.length })
  answer(0, ['a', 'b'])
  await tick()
  const [a, b] = [rows.row(0), rows.row(1)]
  rows.renew()
  answer(1, ['c', 'a', 'b'])
  await tick()
  expect([rows.row(0)?.id, rows.row(1) === a, rows.row(2) === b]).toEqual(['c', true, true])
  vi.setSystemTime(new Date('2026-03-05T00:01:00'))
  rows.renew()
  answer(2, ['c', 'a', 'b'])
  await tick()
  expect([rows.row(1)?.id, rows.row(1) === a]).toEqual(['a', false])
  vi.useRealTimers()
})

test('a page that came while others were asked for anew is asked for again', async () => {
  const { rows, asked, tick } = byHand()
  const page = (from: number) => ({
    rows: Array.from({ length: 50 }, (_, index) => ({ id: String(from + index) })),
    lines: 100,
  })
  asked[0]?.(page(0))
  await tick()
  rows.renew()
  expect(rows.row(60)).toBeUndefined()
  await tick()
  asked[2]?.(page(50))
  await tick()
  asked[1]?.(page(0))
  await tick()
  expect(rows.row(60)).toBeUndefined()
  await tick()
  asked[3]?.(page(50))
  await tick()
  expect(rows.row(60)?.id).toBe('60')
})

test('on another day the rows of every page are drawn again, and not those of the first alone', async () => {
  const rows = new PagedRows<Row>((offset, limit) => {
    const found = Array.from({ length: limit }, (_, index) => ({ id: String(offset + index) }))
    return Promise.resolve({ rows: found, total: 100, of: 100, lines: 100, asOf: null })
  })
  const inView = () => [rows.row(0), rows.row(60)]
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00') })
  try {
    await vi.waitFor(() => expect(rows.row(0)).toEqual({ id: '0' }))
    await vi.waitFor(() => expect(rows.row(60)).toEqual({ id: '60' }))
    const before = inView()
    vi.setSystemTime(new Date('2026-03-02T12:00'))
    rows.renew()
    await vi.waitFor(() => expect(rows.row(0)).not.toBe(before[0]))
    expect(rows.row(60)).not.toBe(before[1])
  } finally {
    vi.useRealTimers()
  }
})

test('news that come between keys are shown once the next one is drawn, and at once without one', async () => {
  const { rows, asked, tick } = byHand()
  asked[0]?.({})
  await tick()
  const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
  press()
  rows.renew()
  asked[1]?.({ total: 1 })
  await tick()
  expect(rows.total).toBe(0)
  press()
  await vi.waitFor(() => expect(rows.total).toBe(1))
  press()
  rows.renew()
  asked[2]?.({ total: 2 })
  await tick()
  // What a person asks for waits for no key.
  rows.refresh()
  await tick()
  asked[3]?.({ total: 3 })
  await tick()
  expect(rows.total).toBe(3)
  press()
  rows.renew()
  asked[4]?.({ total: 4 })
  await vi.waitFor(() => expect(rows.total).toBe(4))
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000)
  rows.renew()
  asked[5]?.({ total: 5 })
  await tick()
  expect(rows.total).toBe(5)
  vi.restoreAllMocks()
})

test('rows in another order are asked for from the top, which is said once they are here', async () => {
  const offsets: number[] = []
  const answers: (() => void)[] = []
  const rows = new PagedRows<Row>((offset, limit) => {
    offsets.push(offset)
    const page = Array.from({ length: limit }, (_, nth) => ({ id: String(offset + nth) }))
    return new Promise((answer) =>
      answers.push(() => answer({ rows: page, total: 1_000, of: 1_000, lines: 1_000, asOf: null })),
    )
  })
  const answer = async () => {
    for (const one of answers.splice(0)) one()
    await new Promise((next) => setTimeout(next))
  }
  // Whoever comes back to a list finds it as it was left, whatever it is narrowed to.
  rows.refreshFromTop()
  await answer()
  await answer()
  expect(rows.fromTop).toBe(0)
  rows.row(700)
  await answer()
  offsets.length = 0
  rows.refreshFromTop()
  expect([offsets, rows.fromTop]).toEqual([[0], 0])
  await answer()
  expect([rows.fromTop, rows.row(0)?.id]).toEqual([1, '0'])
  rows.refresh()
  await answer()
  expect(rows.fromTop).toBe(1)
})
