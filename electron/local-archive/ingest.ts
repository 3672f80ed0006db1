import { isUtf8 } from 'node:buffer'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Job } from './jobs.ts'
import type { preservation, Turn } from './preservation.ts'

const betweenLooksMs = 500
/** The same while the folder is empty and there is nothing to do. */
const atRestMs = 1_000
/** For so long an entry has to stay the same. */
const wholeAfterMs = 400
const shortestRestMs = 1_000
const longestRestMs = 60_000
/** So many packages are worked on side by side: what is small in each goes to the disk with the others. */
const mostAtOnce = 128

/** When a job that met a trouble is tried again: after a second at first, after a minute at most. */
const openRests = () => {
  const rests = new Map<string, { ms: number; ends: number }>()
  return {
    isOver: ({ id }: Job) => performance.now() >= (rests.get(id)?.ends ?? 0),
    begin: ({ id }: Job) => {
      const ms = Math.min(longestRestMs, 2 * (rests.get(id)?.ms ?? shortestRestMs / 2))
      rests.set(id, { ms, ends: performance.now() + ms })
    },
    end: ({ id }: Job) => rests.delete(id),
  }
}

type Preservation = ReturnType<typeof preservation>

/**
 * Works on jobs side by side. Each has its turn after those before it, so that packages are preserved in the
 * order in which they came.
 * @returns what does so, and says whether anything was done
 */
const workingThrough = ({
  work,
  postpone,
  signal,
}: Pick<Preservation, 'work' | 'postpone'> & { signal: AbortSignal }) => {
  const rests = openRests()
  const attempt = async (job: Job, turn: Turn) => {
    try {
      await work(job, turn)
      rests.end(job)
      return true
    } catch (error) {
      rests.begin(job)
      postpone(job, error)
      return false
    } finally {
      turn.pass()
    }
  }
  return async (jobs: Job[]): Promise<boolean> => {
    const running = new Set<Promise<unknown>>()
    const troubles: unknown[] = []
    let isDone = false
    let before: Promise<unknown> = Promise.resolve()
    for (const job of jobs.filter(rests.isOver)) {
      if (signal.aborted) break
      const { promise: passed, resolve: pass } = Promise.withResolvers<void>()
      const attempted = attempt(job, { before, pass })
        .then((isPreserved) => (isDone ||= isPreserved))
        // That it cannot be told ends no other job.
        .catch((error: unknown) => void troubles.push(error))
        .finally(() => running.delete(attempted))
      running.add(attempted)
      // One that is postponed passes while what came before it has not.
      before = Promise.all([before, passed]).then(() => undefined)
      if (running.size >= mostAtOnce) await Promise.race(running)
    }
    await Promise.all(running)
    if (troubles.length > 0) throw troubles[0]
    return isDone
  }
}

/**
 * Watches the ingest folder by looking (watching is unreliable on network drives) and works through what
 * arrives: some packages side by side, preserved in the order in which they came. Names that begin with a dot
 * are still being written; any other entry is taken once it stayed the same between two looks. What cannot be
 * taken is left untouched, and that is told once. No trouble ends the watch.
 * @returns how to stop; the work at hand is finished first
 */
export const watchIngest = (
  folder: string,
  { work, removeLeft, inspect, jobs, beginAll, leave, takeBack, postpone }: Preservation,
) => {
  const stop = new AbortController()
  /** The fingerprint of each entry, and since when it is that. */
  const seen = new Map<string, { fingerprint: string; since: number }>()
  let said = ''

  /** Logs a trouble of the watch when it begins or changes, not at each look. */
  const report = (error: unknown) => {
    const trouble = String(error)
    if (trouble !== said) console.error('The ingest folder cannot be worked through:', error)
    said = trouble
  }

  /** Whether it stayed the same for long enough. */
  const isWhole = (name: string, fingerprint: string, lookedAt: number): boolean => {
    const before = seen.get(name)
    if (before?.fingerprint === fingerprint)
      return lookedAt - before.since >= wholeAfterMs && seen.delete(name)
    // To inspect many takes long: this one may have been the last.
    seen.set(name, { fingerprint, since: performance.now() })
    return false
  }

  /** Looks at entries, and says which of them are whole; why others are left is added to `left`. */
  const lookAt = async (names: string[], left: Map<string, string>): Promise<string[]> => {
    const lookedAt = performance.now()
    const inspections = await inspect(names.map((name) => path.join(folder, name)))
    return names.filter((name, index) => {
      const outcome = inspections[index]
      if (outcome?.status !== 'fulfilled') throw outcome?.reason
      const { value } = outcome
      if (value !== 'gone' && 'fingerprint' in value) return isWhole(name, value.fingerprint, lookedAt)
      if (value !== 'gone') left.set(name, value.untakable)
      return false
    })
  }

  const watchOnce = async () => {
    const entries = (await readdir(folder, { encoding: 'buffer' }))
      .filter((name) => !name.toString().startsWith('.'))
      .sort((a, b) => Buffer.compare(a, b))
    const names = new Set(entries.map(String))
    for (const known of seen.keys()) if (!names.has(known)) seen.delete(known)
    const left = new Map<string, string>()
    for (const entry of entries) if (!isUtf8(entry)) left.set(entry.toString(), 'its name is not UTF-8')
    const moving = new Set(jobs().flatMap(({ name, stage }) => (stage === 'moving' ? [name] : [])))
    const whole = await lookAt(entries.filter((entry) => isUtf8(entry)).map(String), left)
    const fresh = whole.filter((name) => !moving.has(name))
    if (fresh.length > 0) beginAll(fresh)
    takeBack(left)
    for (const [name, reason] of left) leave(name, reason)
  }

  const workThrough = workingThrough({ work, postpone, signal: stop.signal })
  const run = async () => {
    while (!stop.signal.aborted) {
      let restMs = betweenLooksMs
      try {
        await watchOnce()
        // While there is work, more of it may have come meanwhile; what is left of it waits for a pause.
        if ((await workThrough(jobs())) || (await removeLeft())) restMs = 0
        else if (seen.size === 0 && jobs().length === 0) restMs = atRestMs
        said = ''
      } catch (error) {
        report(error)
      }
      if (restMs > 0) await pause(restMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }

  const running = run()
  return async () => {
    stop.abort()
    await running
  }
}
