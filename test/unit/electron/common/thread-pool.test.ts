import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openThreadPool } from '../../../../electron/common/thread-pool.ts'

test('a thread that ended before its work was over is not given to anybody again', async () => {
  const threads = openThreadPool(() => new Worker('setInterval(() => {}, 1000)', { eval: true }))
  const broken = threads.take()
  await broken.terminate()
  threads.release(broken)
  const next = threads.take()
  expect(next).not.toBe(broken)
  threads.release(next)
  const again = threads.take()
  expect(again).toBe(next)
  const gone = once(again, 'exit')
  await again.terminate()
  await gone
})

test('of two threads the one that worked last is taken, and the other one ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const threads = openThreadPool(() => new Worker('setInterval(() => {}, 1000)', { eval: true }))
  const [first, second] = [threads.take(), threads.take()]
  const ends = once(first, 'exit')
  threads.release(first)
  threads.release(second)
  for (let time = 0; time < 6; time += 1) {
    const taken = threads.take()
    expect(taken).toBe(second)
    await vi.advanceTimersByTimeAsync(1_000)
    threads.release(taken)
  }
  await ends
  await second.terminate()
})
