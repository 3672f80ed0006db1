import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { openThreadPool } from '../../../electron/common/thread-pool.ts'

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
