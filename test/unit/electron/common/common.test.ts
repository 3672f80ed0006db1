import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as afterOthers } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { background } from '../../../../electron/common/background.ts'
import { folded, unmarked } from '../../../../electron/common/fold.ts'
import { entryIn } from '../../../../electron/common/records.ts'
import { inSlices, sortedInSlices } from '../../../../electron/common/slices.ts'
import { openRequestThread, ThreadClosed } from '../../../../electron/common/request-thread.ts'
import { transaction } from '../../../../electron/common/transaction.ts'
import { scratch } from '../../../support/scratch.ts'

const resourceLimits = { maxOldGenerationSizeMb: 32 }
const serving = pathToFileURL(path.join(import.meta.dirname, '../../../../electron/common/serve-requests.ts'))

/** The script of a thread. */
const writeScript = (folder: string, text: string): URL => {
  const file = path.join(folder, 'thread.mjs')
  writeFileSync(file, text)
  return pathToFileURL(file)
}

test('a thread answers, tells events, and says what went wrong; what is only told is not answered', async () => {
  using place = scratch()
  const script = writeScript(
    place.folder,
    `import { sayEvent, serveRequests } from '${serving.href}'
     let sum = 0
     serveRequests(async (body) => {
       if (body === 'sum') return sum
       if (body < 0) throw new Error('below zero')
       sum += body
       sayEvent({ sum })
     })`,
  )
  const events: unknown[] = []
  const thread = openRequestThread<number | 'sum', { sum: number }>({
    task: 'adds',
    script,
    resourceLimits,
    heard: (event) => void events.push(event),
  })
  thread.post(2)
  thread.post(3)
  expect(await thread.request('sum')).toBe(5)
  await expect(thread.request(-1)).rejects.toThrow('below zero')
  expect(events).toEqual([{ sum: 2 }, { sum: 5 }])
  await thread.close()
  expect(thread.isRunning()).toBe(false)
  await expect(thread.request('sum')).rejects.toThrow(ThreadClosed)
  thread.post(1)
  expect(thread.isRunning()).toBe(false)
})

test.each(['close', 'terminate'] as const)('who waits for a thread is told of its %s', async (how) => {
  using place = scratch()
  const script = writeScript(
    place.folder,
    `import { parentPort } from 'node:worker_threads'\nparentPort.on('message', () => undefined)`,
  )
  const ends: string[] = []
  const thread = openRequestThread<string>({
    task: 'says nothing',
    script,
    resourceLimits,
    ended: (error) => new Error(String(ends.push(error.message))),
  })
  const asked = thread.request('anything').catch((error: unknown) => error)
  await thread[how]()
  const told = await asked
  expect(told instanceof ThreadClosed).toBe(how === 'close')
  expect(ends).toHaveLength(how === 'close' ? 0 : 1)
})

test('a thread that nobody asks for a while ends, and the next request starts it anew', async () => {
  using place = scratch()
  const script = writeScript(
    place.folder,
    `import { threadId } from 'node:worker_threads'
     import { serveRequests } from '${serving.href}'
     serveRequests(() => threadId)`,
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const thread = openRequestThread<string>({
      task: 'ends when idle',
      script,
      resourceLimits,
      idleTimeoutMs: 1_000,
    })
    const first = await thread.request('who')
    vi.advanceTimersByTime(900)
    expect(await thread.request('who')).toBe(first)
    vi.advanceTimersByTime(900)
    expect(thread.isRunning()).toBe(true)
    const asked = thread.request('who')
    vi.advanceTimersByTime(5_000)
    expect(await asked).toBe(first)
    vi.advanceTimersByTime(1_000)
    await thread.settled()
    expect(thread.isRunning()).toBe(false)
    expect(await thread.request('who')).not.toBe(first)
    await thread.close()
    vi.advanceTimersByTime(1_000)
    await expect(thread.request('who')).rejects.toThrow(ThreadClosed)
  } finally {
    vi.useRealTimers()
  }
})

test('letters are folded in one way: with å ä ö as letters, or without any mark', () => {
  expect(['ÅRSTA', 'Élan', 'Müller', 'Ǻrø', 'a\u0308rende', 'İzmir'].map(folded)).toEqual([
    'årsta',
    'elan',
    'muller',
    'arø',
    'ärende',
    'izmir',
  ])
  expect(['ÅRSTA', 'Élan', 'a\u0308rende'].map(unmarked)).toEqual(['arsta', 'elan', 'arende'])
})

test('a transaction keeps all or nothing, and one within another is a part of it', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table n (n integer)')
  const add = (n: number) => database.prepare('insert into n values (?)').run(n)
  const all = () =>
    database
      .prepare('select n from n')
      .all()
      .map(({ n }) => n)
  transaction(database, () => {
    add(1)
    transaction(database, () => add(2))
  })
  expect(() =>
    transaction(database, () => {
      transaction(database, () => add(3))
      throw new Error('broken')
    }),
  ).toThrow('broken')
  expect(all()).toEqual([1, 2])
  database.close()
})

test('the failure of what nobody waits for is heard, by whom it was said or by the process', async () => {
  const trouble = new Error('the disk is gone')
  const heard: unknown[] = []
  background(Promise.reject(trouble), (error) => heard.push(error))
  background(Promise.resolve(), (error) => heard.push(error))
  background(undefined, (error) => heard.push(error))
  await expect.poll(() => heard).toEqual([trouble])

  using place = scratch()
  const file = path.join(place.folder, 'program.mjs')
  const module = pathToFileURL(path.join(import.meta.dirname, '../../../../electron/common/background.ts'))
  writeFileSync(
    file,
    `import { background, toProcess } from '${module.href}'
     process.on('unhandledRejection', (error) => console.log('heard', error.message))
     background(Promise.reject(new Error('the disk is gone')), toProcess)`,
  )
  expect(execFileSync(process.execPath, [file], { encoding: 'utf8' })).toBe('heard the disk is gone\n')
})

test.each(['constructor', 'toString', '__proto__'])('no table says anything of %s', (text) => {
  expect(entryIn({ open: 'öppen' }, text)).toBeUndefined()
  expect(entryIn({ open: 'öppen' }, 'open')).toBe('öppen')
})

test('a long list is put in order and gone through while others have their turn', async () => {
  const collator = new Intl.Collator('sv', { numeric: true })
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ name: `Ärende ${(at * 7_919) % 10_000}`, at }))
  const compare = (one: { name: string }, other: { name: string }) => collator.compare(one.name, other.name)
  /** How often others had their turn until the work was done. */
  const turnsWhile = async (work: Promise<unknown>) => {
    let [turns, isDone] = [0, false]
    const done = work.finally(() => (isDone = true))
    while (!isDone) {
      await afterOthers()
      turns += 1
    }
    await done
    return turns
  }
  const sorting = sortedInSlices(rows, compare)
  expect(await turnsWhile(sorting)).toBeGreaterThan(2)
  // What compares as equal stays as it is.
  expect(await sorting).toEqual(rows.toSorted(compare))
  const gone: number[] = []
  await inSlices(rows, ({ at }) => gone.push(at))
  expect(gone).toEqual(rows.map(({ at }) => at))
  for (const length of [0, 1, 128, 129, 385])
    expect(await sortedInSlices(rows.slice(0, length), compare)).toEqual(
      rows.slice(0, length).toSorted(compare),
    )
})
