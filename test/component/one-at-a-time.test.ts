import { expect, test } from 'vitest'
import { oneAtATime } from '../../renderer/state/one-at-a-time.ts'

const byHand = () => {
  const asked: { answer: (value: string) => void; fail: (error: Error) => void }[] = []
  const ask = oneAtATime(() => new Promise<string>((answer, fail) => asked.push({ answer, fail })))
  return { asked, ask }
}
const tick = () => new Promise((next) => setTimeout(next))

test('what is wanted while it is asked for is asked for once more, however often', async () => {
  const { asked, ask } = byHand()
  const first = ask()
  const later = [ask(), ask(), ask()]
  await tick()
  expect(asked).toHaveLength(1)
  asked[0]?.answer('first')
  expect(await first).toBe('first')
  await tick()
  expect(asked).toHaveLength(2)
  asked[1]?.answer('second')
  expect(await Promise.all(later)).toEqual(['second', 'second', 'second'])
  const last = ask()
  asked[2]?.answer('third')
  expect(await last).toBe('third')
})

test('a failure is that of one question alone', async () => {
  const { asked, ask } = byHand()
  const first = ask()
  const later = ask()
  asked[0]?.fail(new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  await tick()
  asked[1]?.answer('second')
  expect(await later).toBe('second')
})
