import { expect, test } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import { openEngine } from '../../../../electron/jobs/engine.ts'

const open = (paused: string[] = [], due: () => string[] = () => []) => {
  const bugs: unknown[] = []
  const engine = openEngine({
    isPaused: (archive) => paused.includes(archive),
    // Two at a time, as the table gives a hundred.
    dueJobs: (_archive, _kind, _moment, after) =>
      due()
        .map((id, place) => ({ id, place }))
        .slice(after === null ? 0 : after.place + 1)
        .slice(0, 2),
    now: () => new Date('2026-03-01T09:00:00Z'),
    random: () => 0,
    reportBug: (error) => String(bugs.push(error)),
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

test('an error that no kind kept is told, and what is due goes on the next time', async () => {
  const { engine, bugs } = open([], () => ['one', 'two'])
  const order: string[] = []
  await engine.run('one', { run: () => Promise.reject(new Error('bug')), ended: () => order.push('ended') })
  const attempt = (id: string) => {
    order.push(id)
    return id === 'one' && order.length < 3 ? Promise.reject(new Error('another')) : Promise.resolve(true)
  }
  await engine.sendDue('a', 'creation', { most: 1, attempt })
  await engine.sendDue('a', 'creation', { most: 1, attempt })
  expect(order).toEqual(['ended', 'one', 'one', 'two'])
  expect(bugs).toHaveLength(2)
  await expect(
    engine.perform('one', { run: () => Promise.reject(new Failed({ kind: 'signed-out' })) }),
  ).rejects.toThrow(Failed)
})

test('what is due goes in its order, so many at a time, each once, and what becomes due meanwhile too', async () => {
  const due = ['one', 'two', 'three', 'four']
  const { engine } = open([], () => [...due])
  const going = new Set<string>()
  const second = Promise.withResolvers<void>()
  const order: string[] = []
  let mostAtOnce = 0
  const attempt = async (id: string) => {
    going.add(id)
    order.push(id)
    mostAtOnce = Math.max(mostAtOnce, going.size)
    if (id === 'four') due.push('five')
    if (id === 'two') second.resolve()
    if (id === 'one') await second.promise
    going.delete(id)
    return true
  }
  await engine.sendDue('a', 'transfer', { most: 2, attempt })
  // All of them are due still, as what could not be sent is: each had its turn.
  expect([order, mostAtOnce]).toEqual([['one', 'two', 'three', 'four', 'five'], 2])
})

test('one that does not go yet goes once another has gone', async () => {
  const gone: string[] = []
  const { engine } = open([], () => ['needs two', 'two', 'never'].filter((id) => !gone.includes(id)))
  const attempt = (id: string) => {
    const goes = id === 'two' || (id === 'needs two' && gone.includes('two'))
    if (goes) gone.push(id)
    return Promise.resolve(goes)
  }
  await engine.sendDue('a', 'creation', { most: 1, attempt })
  expect(gone).toEqual(['two', 'needs two'])
})

test('whatever is due when somebody asks is attempted, also where the last worker ends just then', async () => {
  const due: string[] = []
  const sent: string[] = []
  const { engine } = open([], () => due.filter((id) => !sent.includes(id)))
  const attempt = (id: string) => Promise.resolve(sent.push(id) > 0)
  for (let delay = 0; delay < 12; delay += 1) {
    due.push(`first ${delay}`)
    const first = engine.sendDue('a', 'creation', { most: 1, attempt })
    for (let turn = 0; turn < delay; turn += 1) await Promise.resolve()
    due.push(`second ${delay}`)
    await engine.sendDue('a', 'creation', { most: 1, attempt })
    expect(sent).toEqual(due)
    await first
  }
})

test('at the end nothing more is begun, what is under way is stopped, and it is waited for', async () => {
  const { engine } = open()
  const work = working()
  void engine.run('one', work)
  const queue = Promise.withResolvers<void>()
  void engine.sendDue('a', 'creation', {
    most: 1,
    attempt: () => queue.promise.then(() => true),
    only: 'three',
  })
  let hasEnded = false
  const stopping = engine.stop().then(() => (hasEnded = true))
  await Promise.resolve()
  expect([work.told, hasEnded]).toEqual([['quit'], false])
  queue.resolve()
  await stopping
  const late = working()
  await engine.run('two', late)
  const sent: string[] = []
  const attempt = (id: string) => Promise.resolve(sent.push(id) > 0)
  await engine.sendDue('a', 'creation', { most: 1, attempt, only: 'four' })
  expect([engine.isRunning('two'), engine.mayGo('a'), sent]).toEqual([false, false, []])
})

test('a queue that is stopped sends only by hand; what failed waits longer each time, or as long as was asked', async () => {
  const { engine } = open(['a'], () => ['due'])
  const sent: string[] = []
  const attempt = (id: string, isByHand: boolean) => Promise.resolve(sent.push(`${id} ${isByHand}`) > 0)
  await engine.sendDue('a', 'creation', { most: 1, attempt, only: 'wanted' })
  await engine.sendDue('b', 'creation', { most: 1, attempt })
  expect([sent, engine.mayGo('a'), engine.mayGo('b')]).toEqual([['wanted true', 'due false'], false, true])
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
