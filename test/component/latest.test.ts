import { expect, test } from 'vitest'
import { Latest } from '../../renderer/state/latest.svelte.ts'

/** Questions that are answered by the test. */
const openAnswered = () => {
  const answers: PromiseWithResolvers<string>[] = []
  const latest = new Latest((_question: string) => {
    const next = Promise.withResolvers<string>()
    answers.push(next)
    return next.promise
  })
  return { latest, answers }
}

test('of what is asked faster than it is answered only the last is asked, and only its answer is shown', async () => {
  const asked: string[] = []
  const answers: ((text: string) => void)[] = []
  const latest = new Latest((question: string) => {
    asked.push(question)
    return new Promise<string>((resolve) => answers.push(resolve))
  })
  let ended = 0
  const done = ['h', 'ha', 'ham'].map((question) => latest.ask(question).then(() => (ended += 1)))
  expect(asked).toEqual(['h'])
  answers[0]?.('of h')
  await expect.poll(() => asked).toEqual(['h', 'ham'])
  expect(latest.answer).toBeUndefined()
  // Whoever waits for an answer does not go on by one that is missing.
  expect(ended).toBe(0)
  answers[1]?.('of ham')
  await Promise.all(done)
  expect(latest.answer).toBe('of ham')
})

test('what is asked again shows the answer that is under way, and then the next one', async () => {
  const { latest, answers } = openAnswered()
  const asked = latest.ask('a')
  expect(latest.isAsking).toBe(true)
  void latest.askAgain('a')
  void latest.askAgain('a')
  answers[0]?.resolve('first')
  await expect.poll(() => answers.length).toBe(2)
  expect(latest.answer).toBe('first')
  answers[1]?.resolve('second')
  await asked
  expect([latest.answer, latest.isAsking]).toEqual(['second', false])
})

test('what is forgotten is not shown, and what failed is asked again', async () => {
  const { latest, answers } = openAnswered()
  const first = latest.ask('a')
  latest.forget()
  answers[0]?.resolve('late')
  await first
  expect(latest.answer).toBeUndefined()
  const second = latest.ask('b')
  answers[1]?.reject(new Error('no disk'))
  await expect(second).rejects.toThrow('no disk')
  const third = latest.ask('c')
  answers[2]?.resolve('of c')
  await third
  expect(latest.answer).toBe('of c')
})

test('a question that fails does not keep the next from being asked', async () => {
  const { latest, answers } = openAnswered()
  const both = [latest.ask('a'), latest.ask('b')]
  answers[0]?.reject(new Error('no disk'))
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.resolve('of b')
  await Promise.all(both)
  expect(latest.answer).toBe('of b')
})
