import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openRequestThread, ThreadClosed } from '../../../../electron/common/request-thread.ts'
import { scratch } from '../../../support/scratch.ts'

const serving = pathToFileURL(path.join(import.meta.dirname, '../../../../electron/common/serve-requests.ts'))
const idleTimeoutMs = 1_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A thread that ends when it is idle. @param serves the call that serves its requests */
const openIdle = (folder: string, serves: string) => {
  const file = path.join(folder, 'thread.mjs')
  writeFileSync(
    file,
    `import { threadId } from 'node:worker_threads'
     import { sayEvent, serveRequests } from '${serving.href}'
     ${serves}`,
  )
  const [events, ends]: [unknown[], string[]] = [[], []]
  const thread = openRequestThread<string, unknown>({
    task: 'ends when idle',
    script: pathToFileURL(file),
    resourceLimits: { maxOldGenerationSizeMb: 32 },
    idleTimeoutMs,
    heard: (event) => void events.push(event),
    ended: (error) => {
      ends.push(error.message)
      return error
    },
  })
  return { thread, events, ends, [Symbol.asyncDispose]: thread.close }
}

test('what a thread is asked or told while it ends is done by the next one, in that order', async () => {
  using place = scratch()
  await using opened = openIdle(
    place.folder,
    `const told = []
     serveRequests((body) => body === 'who' ? [threadId, ...told] : void told.push(body))`,
  )
  const { thread, ends } = opened
  const [first] = (await thread.request('who')) as number[]
  vi.advanceTimersByTime(idleTimeoutMs)
  thread.post('a')
  const asked = thread.request('who')
  thread.post('b')
  const [second, ...told] = (await asked) as unknown[]
  expect(second).not.toBe(first)
  expect(told).toEqual(['a'])
  expect(await thread.request('who')).toEqual([second, 'a', 'b'])
  expect(ends).toEqual([])
})

test('a thread that has work to go on with stays, and does what it was asked meanwhile', async () => {
  using place = scratch()
  await using opened = openIdle(
    place.folder,
    `let isIdle = false
     serveRequests((body) => {
       if (body === 'over') isIdle = true
       return threadId
     }, () => sayEvent('closed'), () => isIdle)`,
  )
  const { thread, events } = opened
  const first = await thread.request('who')
  vi.advanceTimersByTime(idleTimeoutMs)
  expect(await thread.request('who')).toBe(first)
  // It is told again, and answers that it goes on, before it is asked what ends its work.
  vi.advanceTimersByTime(idleTimeoutMs)
  await thread.settled()
  expect(thread.isRunning()).toBe(true)
  await thread.request('over')
  expect(events).toEqual([])
  vi.advanceTimersByTime(idleTimeoutMs)
  await thread.settled()
  expect([thread.isRunning(), events]).toEqual([false, ['closed']])
})

test('a thread does not end while it is at something that nobody waits for', async () => {
  using place = scratch()
  await using opened = openIdle(
    place.folder,
    `let done = () => undefined
     serveRequests((body) => body === 'long' ? new Promise((over) => (done = over)) : done())`,
  )
  const { thread } = opened
  thread.post('long')
  vi.advanceTimersByTime(idleTimeoutMs)
  await thread.settled()
  expect(thread.isRunning()).toBe(true)
  thread.post('over')
  vi.advanceTimersByTime(idleTimeoutMs)
  await thread.settled()
  expect(thread.isRunning()).toBe(false)
})

test('a thread that is begun anew, or kept, ends when nobody asked it anything', async () => {
  using place = scratch()
  await using opened = openIdle(place.folder, `serveRequests(() => threadId)`)
  const { thread } = opened
  thread.begin()
  const first = await thread.request('who')
  vi.advanceTimersByTime(idleTimeoutMs - 1)
  thread.begin()
  vi.advanceTimersByTime(idleTimeoutMs - 1)
  expect(await thread.request('who')).toBe(first)
  vi.advanceTimersByTime(idleTimeoutMs)
  await thread.settled()
  thread.begin()
  expect(thread.isRunning()).toBe(true)
  vi.advanceTimersByTime(idleTimeoutMs)
  await thread.settled()
  expect(thread.isRunning()).toBe(false)
})

test('a thread that breaks as it ends is told of, and who asked meanwhile is answered', async () => {
  using place = scratch()
  await using opened = openIdle(
    place.folder,
    `serveRequests(() => threadId, () => { throw new Error('cannot close') })`,
  )
  const { thread, ends } = opened
  const first = await thread.request('who')
  vi.advanceTimersByTime(idleTimeoutMs)
  expect(await thread.request('who')).not.toBe(first)
  expect(ends).toEqual(['cannot close'])
})

test('what a thread is told while it ends is done before it is closed', async () => {
  using place = scratch()
  await using opened = openIdle(place.folder, `serveRequests((body) => sayEvent(body))`)
  const { thread, events } = opened
  await thread.request('first')
  vi.advanceTimersByTime(idleTimeoutMs)
  thread.post('told')
  await thread.close()
  expect(events).toEqual(['first', 'told'])
  await expect(thread.request('later')).rejects.toThrow(ThreadClosed)
})

test('who asks what cannot be sent is told so, and the thread ends when idle all the same', async () => {
  using place = scratch()
  await using opened = openIdle(place.folder, `serveRequests(() => threadId)`)
  const { thread } = opened
  await thread.request('who')
  // Nothing that has functions goes to another thread.
  const unsent = (() => undefined) as unknown as string
  await expect(thread.request(unsent)).rejects.toThrow('could not be cloned')
  vi.advanceTimersByTime(idleTimeoutMs)
  await thread.settled()
  expect(thread.isRunning()).toBe(false)
})

test('who asks while it ends is told that it was cut off', async () => {
  using place = scratch()
  await using opened = openIdle(place.folder, `serveRequests(() => threadId)`)
  const { thread } = opened
  await thread.request('who')
  vi.advanceTimersByTime(idleTimeoutMs)
  const asked = thread.request('who').catch((error: unknown) => error)
  await thread.terminate()
  expect(await asked).toBeInstanceOf(Error)
  expect(thread.isRunning()).toBe(false)
})
