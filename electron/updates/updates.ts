import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { openExchange } from '../archive-client/exchange.ts'
import type { Routing } from '../archive-client/routes.ts'
import type { NewerVersion } from '../contract/updates.ts'
import { replaceFileSync } from '../replace-file.ts'

/**
 * Where the newest version is said: a JSON object with its number under `version`, as in
 * `{"version":"1.2.3"}`. Like the homepage of package.json it has to be a real one before anybody gets the
 * program.
 */
export const releaseAddress = 'https://lectern.example/releases/latest.json'

/** So long nobody asks again, whether an answer came or not. */
const betweenMs = 24 * 3_600_000

const Version = v.pipe(v.string(), v.regex(/^\d{1,6}(\.\d{1,6}){2}$/))
const Release = v.object({ version: Version })
/** When it was asked last, and what the answer was then; empty before the first. */
const State = v.object({ asked: v.string(), latest: v.union([Version, v.literal('')]) })

interface Parts {
  /** The version that runs. */
  version: string
  /** Keeps when it was asked last. */
  file: string
  address: string
  now: () => Date
  isWanted: () => boolean
  routing: Routing
  changed: (newer: NewerVersion | null) => void
  /** Hears why there was no answer. */
  failed: (error: unknown) => void
}

/** Whether a version is later than another one; what is no version of three numbers is none. */
const isLater = (one: string, other: string): boolean => {
  if (!v.is(Version, one) || !v.is(Version, other)) return false
  const others = other.split('.').map(Number)
  const difference = one
    .split('.')
    .map((part, index) => Number(part) - (others[index] ?? 0))
    .find((by) => by !== 0)
  return difference !== undefined && difference > 0
}

const readState = (file: string): v.InferOutput<typeof State> => {
  try {
    return v.parse(State, JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { asked: '', latest: '' }
  }
}

/**
 * Asks whether there is a newer version, at most once a day, where somebody wants it: by the same routes as
 * archives, without a cookie, a name or anything else that says who asks.
 */
export const openUpdates = ({ version, file, address, now, isWanted, routing, changed, failed }: Parts) => {
  const exchange = openExchange({
    url: address,
    base: address,
    authorization: () => undefined,
    language: () => 'en',
    routing,
  })
  let state = readState(file)
  let isAsking = false
  const keep = (next: typeof state) => {
    state = next
    try {
      replaceFileSync(file, JSON.stringify(state))
    } catch (error) {
      failed(error)
    }
  }
  const newer = (): NewerVersion | null =>
    isWanted() && isLater(state.latest, version) ? { version: state.latest } : null
  /** A time that lies ahead was kept by a clock that was wrong. */
  const isDue = () => {
    const since = now().getTime() - Date.parse(state.asked)
    return !(since >= 0 && since < betweenMs)
  }
  return {
    newer,
    /** Asks where it is time to. */
    ask: async (): Promise<void> => {
      if (!isWanted() || isAsking || !isDue()) return
      isAsking = true
      // Before it is asked: whatever becomes of that, it is not asked again today.
      keep({ ...state, asked: now().toISOString() })
      try {
        const { body } = await exchange.answer('GET', address)
        keep({ ...state, latest: v.parse(Release, body).version })
        changed(newer())
      } catch (error) {
        failed(error)
      } finally {
        isAsking = false
      }
    },
    stop: exchange.stop,
  }
}
