import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Standing } from '../../../renderer/viewer/messages.ts'
import { finderOf } from '../../../renderer/viewer/parts/finder.ts'

const reported = vi.fn()
beforeEach(() => vi.stubGlobal('reportError', reported))
afterEach(() => vi.unstubAllGlobals())

/** What is told at the end of a search, and how to search again. */
const openFinder = (scan: () => AsyncIterable<number[]>) => {
  const end = Promise.withResolvers<Standing['found']>()
  const told = { last: end.promise }
  const find = finderOf<number>({
    scan,
    isAhead: () => true,
    show: () => undefined,
    mark: () => undefined,
    stands: ({ found }) => {
      if (typeof found?.of === 'number') end.resolve(found)
    },
    signal: new AbortController().signal,
  })
  return { find, told }
}

test('a million places at once are as many as are kept', async () => {
  const { find, told } = openFinder(async function* () {
    yield await Promise.resolve(Array.from({ length: 1_048_576 }, (_, at) => at))
  })
  await find('0', false)
  expect(await told.last).toEqual({ number: 1, of: 100_000, isIncomplete: false })
})

test('a search that breaks off says so, and is tried again', async () => {
  const broken = new Error('The archive does not give it.')
  let isBroken = true
  const scan = vi.fn(async function* () {
    yield await Promise.resolve([])
    if (isBroken) throw broken
    yield [7]
  })
  const first = openFinder(scan)
  await first.find('kaj', false)
  expect(await first.told.last).toEqual({ number: 0, of: 0, isIncomplete: true })
  expect(reported).toHaveBeenCalledExactlyOnceWith(broken)
  isBroken = false
  await first.find('kaj', false)
  expect(scan).toHaveBeenCalledTimes(2)
})
