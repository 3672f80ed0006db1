import { afterEach, expect, test, vi } from 'vitest'
import { openRing, shareRing } from '../../../../electron/packaging/pack/ring.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('a thread that comes late from one large file joins the next only once that is begun', () => {
  const shared = shareRing(true)
  const late = openRing(shared, { gate: () => true, isStopped: () => false })
  const { copier, hasher } = openRing(shared, {
    gate: () => true,
    // Asked while the copier waits for a partner, which joins then.
    isStopped: () => late.hasher.claim() === undefined,
  })
  expect(copier.begin(0, true)).toBe(true)
  hasher.finished({ digests: Buffer.alloc(32), crc: 0 })
  expect(copier.end(32)).toBeDefined()

  // It saw that the first file is being copied, and takes its turn at any moment while the second begins.
  const { store, load, compareExchange } = Atomics
  const [state, claim] = [0, 1]
  const copying = 1
  const joined: boolean[] = []
  vi.spyOn(Atomics, 'store').mockImplementation(((counters: Int32Array, index: number, value: number) => {
    const stored = store(counters, index, value)
    if (compareExchange(counters, claim, 0, 1) === 0) joined.push(load(counters, state) === copying)
    return stored
  }) as typeof Atomics.store)
  expect(copier.begin(1, true)).toBe(true)
  expect(joined).toEqual([true])
})
