import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import fc from '../../../support/properties.ts'
import { describe, expect, test } from 'vitest'
import { openClient } from '../../../archives/archive-client.ts'
import { readElement, readElements, SplitError } from '../../../../electron/archive-client/split-array.ts'
import { beginSnapshot } from '../../../../electron/store/reading/snapshot.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { startPagingServer, type Paging } from '../../../faults/paging-server.ts'

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Thing ${index + 1}` }))
const ids = (rows: unknown[]) => (rows as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b)
const plain: Paging = {
  usual: null,
  pageSize: 'ignored',
  pagerNone: 'ignored',
  link: false,
  count: false,
  pastEnd: 'last page',
}
const paged: Paging = {
  usual: 10,
  pageSize: 'taken',
  pagerNone: 'taken',
  link: true,
  count: true,
  pastEnd: 'last page',
}

const readAll = async (paging: Paging, rows: { id: number }[]) => {
  const server = await startPagingServer(paging, rows)
  const archive = openClient(server.url, undefined, () => 'en')
  const found = await archive.list('things/')
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  /** Twice: the first time nothing is held, the second time everything is known. */
  const take = async (at: string) => {
    const { reader, finish } = beginSnapshot(copy.writer, 'description/agents')
    const wholeness = await archive.elements('things/', reader)
    return { wholeness, ...finish(wholeness, at) }
  }
  const { wholeness } = await take('1')
  const requests = server.requests()
  const again = rows.length > 0 ? await take('2') : undefined
  const held = copy.scans.all<{ id: string }>('description/agents').map(({ id }) => ({ id: Number(id) }))
  copy.close()
  await archive.close()
  await server.stop()
  return { found, wholeness, requests, held, again }
}

describe('whatever the paging, the same whole list', () => {
  const pagings = [
    { name: 'a plain array', paging: plain },
    { name: 'a plain array with its count', paging: { ...plain, count: true } },
    { name: 'pages of ten with Link and Count', paging: paged },
    { name: 'pages with Link alone', paging: { ...paged, count: false } },
    { name: 'pages with Count alone', paging: { ...paged, link: false } },
    { name: 'pages with neither, the last one given again', paging: { ...paged, link: false, count: false } },
    {
      name: 'pages with neither, a 404 past the end',
      paging: { ...paged, link: false, count: false, pastEnd: '404' },
    },
    {
      name: 'pages with neither, nothing past the end',
      paging: { ...paged, link: false, count: false, pastEnd: 'empty' },
    },
    { name: 'a page size that is passed over', paging: { ...paged, pageSize: 'ignored' } },
    {
      name: 'a page size that is passed over, with Count alone',
      paging: { ...paged, pageSize: 'ignored', link: false },
    },
    { name: 'a page size that is refused', paging: { ...paged, pageSize: 'refused' } },
    {
      name: 'a page size that is refused, with neither header',
      paging: { ...paged, pageSize: 'refused', link: false, count: false },
    },
    { name: 'rows on two pages', paging: { ...paged, repeats: true } },
    { name: 'an order that changes, and everything at once', paging: { ...paged, shuffles: 'always' } },
    {
      name: 'an order that changes unless one is asked for',
      paging: { ...paged, shuffles: 'unless ordered', pagerNone: 'refused' },
    },
    {
      name: 'an order that changes unless one is asked for, and no size',
      paging: { ...paged, shuffles: 'unless ordered', pagerNone: 'refused', pageSize: 'ignored' },
    },
  ] satisfies { name: string; paging: Paging }[]

  test.each(
    pagings.flatMap(({ name, paging }) =>
      [0, 1, 9, 10, 11, 199, 200, 201, 431].map((count) => ({ name, paging, count })),
    ),
  )('$name: $count', async ({ paging, count }) => {
    const { found, wholeness, held, again } = await readAll(paging, rowsOf(count))
    expect(ids(found)).toEqual(ids(rowsOf(count)))
    expect(ids(held)).toEqual(ids(rowsOf(count)))
    if (again && !('shuffles' in paging)) expect(again).toMatchObject({ hasChanged: false, isDoubted: false })
    expect(wholeness.isSure).toBe(true)
  })

  test('a plain array costs one request', async () => {
    const { requests } = await readAll(plain, rowsOf(431))
    expect(requests).toBe(2)
  })

  test('an order that changes always and cannot be had at once: what came is kept, and that it is not sure', async () => {
    const { wholeness } = await readAll(
      { ...paged, shuffles: 'always', pagerNone: 'refused', pageSize: 'ignored' },
      rowsOf(431),
    )
    expect(wholeness.count).toBe(431)
  })

  test('a row that vanishes while pages are read is not in the list, and no other is missing', async () => {
    for (const vanishesAfter of [2, 3, 4, 5, 6]) {
      const { found } = await readAll({ ...paged, vanishesAfter }, rowsOf(5_000))
      expect(ids(found)).toEqual(ids(rowsOf(5_000)).slice(1))
    }
  })
})

describe('splitting an array as it arrives', () => {
  const collect = async (parts: AsyncIterable<Buffer>, recognize?: (bytes: Buffer) => number) => {
    const found: unknown[] = []
    await readElements(parts, {
      take: (element) => found.push(readElement(element.toString())),
      ...(recognize ? { recognize } : {}),
    })
    return found
  }
  async function* inParts(text: string, cuts: number[]) {
    const bytes = Buffer.from(text)
    const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
    for (let index = 1; index < places.length; index += 1)
      yield Promise.resolve(bytes.subarray(places[index - 1], places[index]))
  }
  const split = async (text: string, cuts: number[] = []) => collect(inParts(text, cuts))

  test('any array cut anywhere is what JSON.parse gives', async () => {
    // A backslash in a key is read wrongly by JSON.parse itself (V8).
    const value = fc.jsonValue({ maxDepth: 4 }).filter((item) => !/\\\\[^"]*":/.test(JSON.stringify(item)))
    await fc.assert(
      fc.asyncProperty(
        fc.array(value),
        fc.array(fc.nat(5000), { maxLength: 8 }),
        fc.constantFrom(0, 1, 2),
        async (array, cuts, indent) => {
          const text = JSON.stringify(array, null, indent)
          expect(await split(text, cuts)).toEqual(JSON.parse(text))
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('what is recognized rightly, wrongly or too early changes nothing', async () => {
    const array = Array.from({ length: 50 }, (_, index) => ({ id: index, text: `[{"${index}"` }))
    const lengths = array.map((item) => JSON.stringify(item).length)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5000), { maxLength: 8 }),
        fc.array(fc.boolean(), { minLength: 50, maxLength: 50 }),
        async (cuts, known) => {
          let next = 0
          const recognize = (bytes: Buffer) => {
            const number = Number(/^\{"id":(\d+),/.exec(bytes.toString())?.[1] ?? -1)
            next = number < 0 ? next : number
            // The last one is thought to be longer than it is.
            const length = next === 49 ? 5000 : (lengths[next] ?? 0)
            return bytes.length <= length ? -1 : known[next] && number === next ? length : 0
          }
          expect(await collect(inParts(JSON.stringify(array), cuts), recognize)).toEqual(array)
        },
      ),
    )
  })

  test.each([
    ['{"results": []}', 'not an array'],
    ['<html>', 'not an array'],
    ['', 'not an array'],
    ['   ', 'not an array'],
    ['[', 'cut-off'],
    ['[{"a": 1}', 'cut-off'],
    ['[{"a": "', 'cut-off'],
    ['[1,', 'cut-off'],
    ['[1,]', 'not-json'],
    ['[,1]', 'not-json'],
    ['[1,,2]', 'not-json'],
    ["[{'id': 1}]", 'not-json'],
    ['[1] [2]', 'not-json'],
    ['[1]x', 'not-json'],
    ['[}]', 'not-json'],
  ])('%s is %s', async (text, trouble) => {
    const error: unknown = await split(text).catch((refusal: unknown) => refusal)
    expect(error).toBeInstanceOf(SplitError)
    expect(error).toMatchObject({ trouble })
  })

  test('what does not end is given up', async () => {
    async function* forEver(first: string, more: string) {
      yield Buffer.from(first)
      for (;;) yield Promise.resolve(Buffer.from(more.repeat(100_000)))
    }
    for (const [first, more] of [
      ['', ' '],
      ['[1]', ' '],
      ['["', 'x'],
      ['[[', '1'],
    ] as const)
      await expect(collect(forEver(first, more))).rejects.toMatchObject({ trouble: 'too-long' })
    await expect(collect(forEver('[', '['))).rejects.toMatchObject({ trouble: 'too deep' })
    await expect(collect(forEver('[[', '1,'))).rejects.toMatchObject({ trouble: 'too many' })
  })

  test('a mark of the byte order and space around are passed over', async () => {
    expect(await split('\uFEFF \n[ 1 , {"a": "]"} ]\n ')).toEqual([1, { a: ']' }])
  })
})

test('two records with ids that are read as the same number are two', async () => {
  const body = '[{"id": 9007199254740992, "name": "A"}, {"id": 9007199254740993, "name": "B"}]'
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const archive = openClient(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    undefined,
    () => 'en',
  )
  expect((await archive.list('things/')).map((row) => (row as { name: string }).name)).toEqual(['A', 'B'])
  await archive.close()
  server.close()
})
