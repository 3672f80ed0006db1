import { expect, test } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { openEngine } from '../../../electron/jobs/engine.ts'

const open = (paused: string[] = []) => {
  const bugs: unknown[] = []
  const engine = openEngine({
    isPaused: (archive) => paused.includes(archive),
    now: () => new Date('2026-03-01T09:00:00Z'),
    random: () => 0,
    bug: (error) => String(bugs.push(error)),
  })
  return { engine, bugs }
}
/** Work that ends when it is told to, or when it is stopped. */
const working = () => {
  const over = Promise.withResolvers<void>()
  const told: unknown[] = []
  const run = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      told.push(signal.reason)
      over.resolve()
    })
    return over.promise
  }
  return { run, told, end: over.resolve }
}

test('a job is worked at once at most, and can be begun anew when that is over', async () => {
  const { engine } = open()
  const first = working()
  const over = engine.run('one', first)
  let begun = 0
  const again = { run: () => Promise.resolve(void (begun += 1)) }
  await engine.run('one', again)
  expect([engine.isRunning('one'), begun]).toEqual([true, 0])
  first.end()
  await over
  await engine.run('one', again)
  expect([engine.isRunning('one'), begun]).toEqual([false, 1])
})

test('what could not be begun is said to whoever began it, and told nowhere else', async () => {
  const { engine, bugs } = open()
  const begin = () => {
    throw new Error('no room')
  }
  expect(() => engine.run('one', { begin, run: () => Promise.resolve() })).toThrow('no room')
  await engine.ended('one')
  expect([engine.isRunning('one'), bugs]).toEqual([false, []])
})

test('an error that no kind kept is told, and the next in the queue goes on', async () => {
  const { engine, bugs } = open()
  const order: string[] = []
  await engine.run('one', { run: () => Promise.reject(new Error('bug')), ended: () => order.push('ended') })
  const first = engine.inTurn('queue', () => Promise.reject(new Error('another')))
  await engine.inTurn('queue', () => Promise.resolve(void order.push('next')))
  await first
  expect(order).toEqual(['ended', 'next'])
  expect(bugs).toHaveLength(2)
  await expect(
    engine.perform('one', { run: () => Promise.reject(new Failed({ kind: 'signed-out' })) }),
  ).rejects.toThrow(Failed)
})

test('at the end nothing more is begun, what is under way is stopped, and it is waited for', async () => {
  const { engine } = open()
  const work = working()
  void engine.run('one', work)
  const queue = Promise.withResolvers<void>()
  void engine.inTurn('queue', () => queue.promise)
  let hasEnded = false
  const stopping = engine.stop().then(() => (hasEnded = true))
  await Promise.resolve()
  expect([work.told, hasEnded]).toEqual([['quit'], false])
  queue.resolve()
  await stopping
  const late = working()
  await engine.run('two', late)
  expect([engine.isRunning('two'), engine.mayGo('a'), engine.mayGo('a', true)]).toEqual([false, false, false])
})

test('a queue that is stopped sends only by hand; what failed waits longer each time, or as long as was asked', () => {
  const { engine } = open(['a'])
  expect([engine.mayGo('a'), engine.mayGo('a', true), engine.mayGo('b')]).toEqual([false, true, true])
  const failure = { kind: 'server-broke', address: '', status: 503, detail: 'error', excerpt: '' } as const
  const after = (attempts: number, retryAfterS?: number) =>
    engine.afterAttempt({ attempts }, retryAfterS === undefined ? failure : { ...failure, retryAfterS })
  expect(after(0)).toEqual({
    attempts: 1,
    triedAt: '2026-03-01T09:00:00.000Z',
    nextAt: '2026-03-01T09:00:10.000Z',
  })
  expect(after(3)).toMatchObject({ attempts: 4, nextAt: '2026-03-01T09:01:00.000Z' })
  expect(after(0, 600)).toMatchObject({ attempts: 1, nextAt: '2026-03-01T09:10:00.000Z' })
  expect([engine.isDue({ nextAt: null }), engine.isDue(after(0))]).toEqual([true, false])
})
