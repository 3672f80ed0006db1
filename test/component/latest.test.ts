import { expect, test } from 'vitest'
import { Latest } from '../../renderer/state/latest.svelte.ts'

test('of what is asked faster than it is answered only the last is asked, and only its answer is shown', async () => {
  const asked: string[] = []
  const answers: ((text: string) => void)[] = []
  const latest = new Latest((question: string) => {
    asked.push(question)
    return new Promise<string>((resolve) => answers.push(resolve))
  })
  const done = latest.ask('h')
  await latest.ask('ha')
  await latest.ask('ham')
  expect(asked).toEqual(['h'])
  answers[0]?.('of h')
  await expect.poll(() => asked).toEqual(['h', 'ham'])
  expect(latest.answer).toBeUndefined()
  answers[1]?.('of ham')
  await done
  expect(latest.answer).toBe('of ham')
})

test('what is forgotten is not shown, and what failed is asked again', async () => {
  const answers: PromiseWithResolvers<string>[] = []
  const latest = new Latest(() => {
    const next = Promise.withResolvers<string>()
    answers.push(next)
    return next.promise
  })
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
