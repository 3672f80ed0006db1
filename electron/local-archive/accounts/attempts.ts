import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** So many wrong passwords cost no time. */
const freeFailures = 3
const shortestDelayMs = 100
const longestDelayMs = 5_000
const forgottenAfterMs = 15 * 60_000
const mostWaitingByName = 5
const mostWaiting = 30
const mostNames = 1_000

interface Name {
  failures: number
  lastFailure: number
  waiting: number
  last: Promise<unknown>
}

/** An attempt that is not made, since too many others wait. */
export const tooManyAttempts = Symbol('too many attempts')

/** What attempts to sign in cost, so that guessing is slow and keeps nobody else waiting. */
export const limitAttempts = () => {
  const names = new Map<string, Name>()
  let waiting = 0

  const delayMs = ({ failures }: Name) =>
    failures <= freeFailures
      ? 0
      : Math.min(longestDelayMs, shortestDelayMs * 2 ** (failures - freeFailures - 1))

  const nameOf = (username: string): Name => {
    const key = createHash('sha256').update(username).digest('base64')
    const known = names.get(key)
    if (known && (known.waiting > 0 || performance.now() - known.lastFailure < forgottenAfterMs)) return known
    for (const [old, { waiting }] of names) {
      if (names.size < mostNames) break
      if (waiting === 0) names.delete(old)
    }
    const name = { failures: 0, lastFailure: performance.now(), waiting: 0, last: Promise.resolve() }
    names.set(key, name)
    return name
  }

  return {
    /**
     * Whether so many attempts under this name failed that even a password known to be right takes its turn.
     */
    isGuessed: (username: string) => nameOf(username).failures > freeFailures,
    /**
     * Makes an attempt after the earlier ones under the same name; after three wrong ones each
     * next one is delayed, by 100 ms at first and 5 s at most. Known and unknown names are treated alike.
     */
    attempt: async <T>(
      username: string,
      check: () => Promise<T | undefined>,
    ): Promise<T | undefined | typeof tooManyAttempts> => {
      const name = nameOf(username)
      if (waiting >= mostWaiting || name.waiting >= mostWaitingByName) return tooManyAttempts
      waiting += 1
      name.waiting += 1
      const attempt = name.last.then(async () => {
        await pause(delayMs(name))
        return check()
      })
      name.last = attempt.catch(() => undefined)
      try {
        const found = await attempt
        if (found === undefined) {
          name.failures += 1
          name.lastFailure = performance.now()
        } else name.failures = 0
        return found
      } finally {
        waiting -= 1
        name.waiting -= 1
      }
    },
  }
}
