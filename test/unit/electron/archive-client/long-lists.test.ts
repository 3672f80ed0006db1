import { describe, expect, test } from 'vitest'
import { readNumbered } from '../../../../electron/archive-client/numbered-pages.ts'
import { openClient } from '../../../../electron/archive-client/http.ts'
import { openConcurrency } from '../../../../electron/archive-client/concurrency.ts'
import type { ListReader } from '../../../../electron/archive-client/whole-list.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { startPagingServer, type Paging } from '../../../faults/paging-server.ts'

const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }))
const essarch: Paging = {
  usual: 10,
  pageSize: 'taken',
  pagerNone: 'refused',
  link: true,
  count: true,
  pastEnd: 'last page',
}

/** Reads a list once, as long as the archive wants, and what came of it by passes. */
const readFrom = async (
  paging: Paging,
  rows: { id: number }[],
  watching: Parameters<typeof startPagingServer>[2] = {},
) => {
  const server = await startPagingServer(paging, rows, watching)
  // Patient, so that no page is smaller because the machine is busy.
  const conventions = { ...specification.conventions, pageMs: 3_600_000 }
  const client = openClient(server.url, undefined, () => 'en', conventions)
  const seenIn = new Map<number, number>()
  const order: number[] = []
  const take: ListReader['take'] = (element, pass) => {
    const { id } = JSON.parse(element.toString('utf8')) as { id: number }
    const before = seenIn.get(id)
    seenIn.set(id, pass)
    order.push(id)
    return { isNew: before === undefined, isNewInPass: before !== pass }
  }
  const wholeness = await client.elements('things/', { take })
  await client.close()
  await server.stop()
  const ids = [...seenIn]
    .filter(([, pass]) => wholeness.pass === null || pass === wholeness.pass)
    .map(([id]) => id)
    .toSorted((a, b) => a - b)
  return { wholeness, ids, order, requests: server.requests(), sizes: server.sizes() }
}
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id).toSorted((a, b) => a - b)

test('a list of any length that fits on a page costs two requests, and a long one few', async () => {
  for (const [count, most] of [
    [1_000, 2],
    [20_000, 13],
  ] as const) {
    const { wholeness, ids, requests } = await readFrom(essarch, rowsOf(count))
    expect(ids).toEqual(idsOf(rowsOf(count)))
    expect(wholeness).toMatchObject({ count, isSure: true })
    expect(requests).toBeLessThanOrEqual(most)
  }
})

test('pages are asked for side by side, and taken in their order', async () => {
  let release: (() => void) | undefined
  const rows = rowsOf(9_000)
  const { order, ids, sizes } = await readFrom(essarch, rows, {
    // The second page waits for the third, which only comes while the second is under way.
    held: async ({ searchParams }) => {
      if (Number(searchParams.get('page_size')) < 1_000) return
      if (searchParams.get('page') === '2') await new Promise<void>((go) => (release = go))
      if (searchParams.get('page') === '3') release?.()
    },
  })
  expect(ids).toEqual(idsOf(rows))
  // None waited so long that it was asked for in parts.
  expect([...new Set(sizes)]).toEqual([0, 1, 2_048])
  const pages = order.slice(10)
  expect(pages).toEqual(pages.toSorted((a, b) => a - b))
})

test.each([400, 413, 429, 502, 504])('pages that are too much (%i) are asked for smaller', async (status) => {
  const rows = rowsOf(3_000)
  const { wholeness, ids, sizes } = await readFrom({ ...essarch, tooMany: { rows: 300, status } }, rows)
  expect(ids).toEqual(idsOf(rows))
  expect(wholeness).toMatchObject({ isSure: true })
  // What was refused is not tried again and again, and what is taken is as large as it may be.
  expect(sizes.filter((size) => size > 300).length).toBeLessThanOrEqual(4)
  expect(sizes.filter((size) => size === 256).length).toBeGreaterThanOrEqual(11)
})

test.each([1_000, 3_000])(
  'an archive that gives fewer rows than asked for is asked for so many: of %i',
  async (count) => {
    const { wholeness, ids, sizes } = await readFrom({ ...essarch, most: 100 }, rowsOf(count))
    expect(ids).toEqual(idsOf(rowsOf(count)))
    expect(wholeness).toMatchObject({ isSure: true })
    expect(sizes.filter((size) => size > 100).length).toBeLessThanOrEqual(2)
  },
)

describe('rows that move while a list is read', () => {
  /** After each request of a reading, one by one. */
  const moments = Array.from({ length: 9 }, (_, index) => index + 2)

  test.each(moments)('a row that goes before request %i hides no other', async (moment) => {
    const rows = rowsOf(9_000)
    const { wholeness, ids } = await readFrom(essarch, rows, {
      before: (asked, them) => void (asked === moment && them.shift()),
    })
    expect(wholeness.isSure).toBe(true)
    // One that went when its page had come may be there until the next reading.
    expect(ids.filter((id) => id !== 1)).toEqual(idsOf(rowsOf(9_000)).slice(1))
  })

  test.each(moments)(
    'a row that comes at the end before request %i is read, and nothing twice',
    async (moment) => {
      const rows = rowsOf(9_000)
      const { wholeness, ids, requests } = await readFrom(essarch, rows, {
        before: (asked, them) => void (asked === moment && them.push({ id: 10_000 })),
      })
      expect(wholeness).toMatchObject({ isSure: true })
      expect(ids.slice(0, 9_000)).toEqual(idsOf(rowsOf(9_000)))
      expect(requests).toBeLessThanOrEqual(12)
    },
  )

  test.each(moments)('one that goes while another comes before request %i hides no other', async (moment) => {
    const rows = rowsOf(9_000)
    const { wholeness, ids } = await readFrom(essarch, rows, {
      before: (asked, them) => {
        if (asked === moment) them.push(...them.splice(4, 1).map(() => ({ id: 10_000 })))
      },
    })
    expect(wholeness.isSure).toBe(true)
    const lasting = idsOf(rowsOf(9_000)).filter((id) => id !== 5)
    expect(ids.filter((id) => id !== 5 && id < 10_000)).toEqual(lasting)
  })

  test('in a long list they never rest in: what came is kept, and that it is not sure', async () => {
    const rows = rowsOf(9_000)
    const { wholeness, ids } = await readFrom(essarch, rows, { before: (_, them) => void them.shift() })
    expect(wholeness).toMatchObject({ pass: null, isSure: false })
    expect(idsOf(rows).filter((id) => !ids.includes(id)).length).toBeLessThan(9_000)
  })
})

/** Sizes of pages that are asked of an archive whose rows take so long, in milliseconds. */
const sizesFor = async (count: number, rowMs: (from: number) => number) => {
  const asked: number[] = []
  let from = 0
  const found = await readNumbered(
    { name: 'things/', count, rowMs: rowMs(0), order: {} },
    {
      conventions: specification.conventions,
      concurrency: {
        run: async (what, ask) => ({
          came: await ask(),
          tookMs: Number(what.split(' ')[1]) * rowMs(from),
        }),
        width: () => 1,
      },
      ask: (what) => {
        const { page_size: size = '', page = '' } = 'parameters' in what ? what.parameters : {}
        from = (Number(page) - 1) * Number(size)
        asked.push(Number(size))
        const ids = rowsOf(Math.min(Number(size), count - from)).map(({ id }) => ({ id: from + id }))
        return Promise.resolve({
          count,
          next: null,
          read: (reader) => {
            for (const row of ids) reader.take(Buffer.from(JSON.stringify(row)))
            return Promise.resolve()
          },
        })
      },
      take: async ({ read }) => {
        let length = 0
        await read({ take: () => void (length += 1) })
        return { length, fresh: length }
      },
    },
  )
  expect(found).toEqual({ count, isSure: true })
  return asked
}

test('a page is as large as comes in good time, by what rows took before', async () => {
  // Families of packages take 110 ms each, copies 10, events 3 (as recorded).
  expect(Math.max(...(await sizesFor(5_000, () => 110)))).toBe(128)
  expect(Math.max(...(await sizesFor(5_000, () => 10.4)))).toBe(1_024)
  expect(Math.max(...(await sizesFor(9_000, () => 3)))).toBe(2_048)
  // Those in the middle take five times as long.
  const uneven = await sizesFor(6_000, (from) => (from > 1_000 && from < 3_000 ? 100 : 20))
  expect(uneven.filter((size) => size === 512).length).toBeGreaterThan(5)
  expect(uneven).toContain(128)
})

describe('how many are asked at the same time', () => {
  /** Rounds of answers of an archive with so many cores, and how many were asked at once in each. */
  const widths = async (cores: number, rounds: number, busy: (round: number) => number = () => 1) => {
    let now = 0
    let underWay = 0
    const concurrency = openConcurrency(() => now)
    const found: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const asked = concurrency.width()
      const finish: (() => void)[] = []
      const running = Array.from({ length: asked }, () =>
        concurrency.run('things/', () => {
          underWay += 1
          return new Promise<void>((done) => finish.push(done))
        }),
      )
      await Promise.resolve()
      now += 1_000 * Math.max(1, underWay / cores) * busy(round)
      for (const done of finish) done()
      await Promise.all(running)
      underWay = 0
      found.push(asked)
    }
    return found
  }

  test('more and more where the archive bears it, up to four', async () => {
    expect(Math.max(...(await widths(8, 20)))).toBe(4)
  })

  test('no more than an archive of two cores answers as quickly', async () => {
    const found = await widths(2, 40)
    expect(Math.max(...found)).toBeLessThanOrEqual(4)
    expect(found.filter((width) => width === 4).length).toBeLessThan(10)
  })

  test('one at a time where it grows slow, and more again when that is over', async () => {
    const found = await widths(8, 60, (round) => (round >= 20 && round < 23 ? 10 : 1))
    expect(found[19]).toBe(4)
    expect(found[23]).toBeLessThanOrEqual(2)
    expect(found.at(-1)).toBe(4)
  })

  test('one that fails slows the others down', async () => {
    const concurrency = openConcurrency()
    await expect(concurrency.run('things/', () => Promise.reject(new Error('504')))).rejects.toThrow('504')
    expect(concurrency.width()).toBe(1)
  })
})
