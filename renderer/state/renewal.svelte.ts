import type { Account } from '../../electron/contract/session.ts'

const minuteMs = 60_000
/** First asked two hours before the end; somebody who has no time then is asked once more. */
export const askedMs = [120 * minuteMs, 30 * minuteMs] as const

/** The time as it goes on, minute by minute; counts while `listen` is on. */
export class Minutes {
  now = $state(Date.now())

  listen = () => {
    const timer = setInterval(() => (this.now = Date.now()), minuteMs)
    return () => clearInterval(timer)
  }
  /** How long the archive still takes the token, in milliseconds; infinite where that is not known. */
  left = ({ endsAt }: Pick<Account, 'endsAt'>): number =>
    endsAt === null ? Infinity : Date.parse(endsAt) - this.now
}
