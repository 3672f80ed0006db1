import { isUtf8 } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import { access, constants, lstat, readdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Job, preservation } from './preservation.ts'
import { messageOf } from '../common/errors.ts'

const betweenLooksMs = 500
/** The same while the folder is empty and there is nothing to do. */
const atRestMs = 1_000
const shortestRestMs = 1_000
const longestRestMs = 60_000
/** While one package waits for the disk another is checked; each check takes some 30 MB. */
const mostAtOnce = Math.min(2, availableParallelism())

/** Why an entry of the ingest folder is left where it is. */
class Untakable extends Error {}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
const isGone = (error: unknown) => codeOf(error) === 'ENOENT'
/** Says something of the process, and nothing of what it looked at. */
const isExhausted = (error: unknown) => /^(EMFILE|ENFILE|ENOMEM)$/.test(codeOf(error))

/** Adds sizes and times of an entry and everything in it; nothing is opened and no link is followed. */
const addTo = async (hash: Hash, entry: string): Promise<void> => {
  const found = await lstat(entry)
  hash.update(`${found.size} ${found.mtimeMs} `)
  if (found.isDirectory()) for (const name of await readdir(entry)) await addTo(hash, path.join(entry, name))
  else if (found.isFile()) await access(entry, constants.R_OK)
}

/**
 * What changes while somebody is still writing an entry.
 * @returns undefined where it is gone meanwhile
 * @throws Untakable where it is neither a file nor a folder, or cannot be read
 */
const weigh = async (entry: string): Promise<string | undefined> => {
  const hash = createHash('sha256')
  try {
    const found = await lstat(entry)
    if (!found.isFile() && !found.isDirectory())
      throw new Untakable('it is neither a file nor a folder (a link, a pipe or a device)')
    await addTo(hash, entry)
    return hash.digest('hex')
  } catch (error) {
    if (error instanceof Untakable || isExhausted(error)) throw error
    if (isGone(error)) return undefined
    throw new Untakable(`it cannot be read (${messageOf(error)})`)
  }
}

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
 * Works on jobs side by side. Each is given what says that those before it are settled, so that packages are
 * preserved in the order in which they came.
 */
const workingThrough = ({
  work,
  stumble,
  signal,
}: Pick<Preservation, 'work' | 'stumble'> & { signal: AbortSignal }) => {
  const rests = openRests()
  const attempt = async (job: Job, before: Promise<unknown>) => {
    try {
      await work(job, before)
      rests.end(job)
    } catch (error) {
      rests.begin(job)
      stumble(job, error)
    }
  }
  return async (jobs: Job[]): Promise<void> => {
    const running = new Set<Promise<void>>()
    const troubles: unknown[] = []
    let before: Promise<unknown> = Promise.resolve()
    for (const job of jobs.filter(rests.isOver)) {
      if (signal.aborted) break
      const attempted = attempt(job, before)
        // That it cannot be told ends no other job.
        .catch((error: unknown) => void troubles.push(error))
        .finally(() => running.delete(attempted))
      running.add(attempted)
      // One that is refused is settled while what came before it is not.
      before = Promise.all([before, attempted])
      if (running.size >= mostAtOnce) await Promise.race(running)
    }
    await Promise.all(running)
    if (troubles.length > 0) throw troubles[0]
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
  { work, jobs, beginAll, leave, takeBack, stumble }: Preservation,
) => {
  const stop = new AbortController()
  const seen = new Map<string, string>()
  let said = ''

  /** Logs a trouble of the watch when it begins or changes, not at each look. */
  const report = (error: unknown) => {
    const trouble = String(error)
    if (trouble !== said) console.error('The ingest folder cannot be worked through:', error)
    said = trouble
  }

  /** Whether it stayed the same since the last look. */
  const isWhole = async (name: string): Promise<boolean> => {
    const weight = await weigh(path.join(folder, name))
    if (weight !== undefined && seen.get(name) === weight) return seen.delete(name)
    seen.set(name, weight ?? '')
    return false
  }

  const watchOnce = async () => {
    const entries = (await readdir(folder, { encoding: 'buffer' }))
      .filter((name) => !name.toString().startsWith('.'))
      .sort((a, b) => Buffer.compare(a, b))
    const names = new Set(entries.map(String))
    for (const known of seen.keys()) if (!names.has(known)) seen.delete(known)
    const left = new Map<string, string>()
    const whole: string[] = []
    for (const entry of entries)
      try {
        if (!isUtf8(entry)) throw new Untakable('its name is not UTF-8')
        if (await isWhole(entry.toString())) whole.push(entry.toString())
      } catch (error) {
        if (!(error instanceof Untakable)) throw error
        left.set(entry.toString(), error.message)
      }
    const moving = new Set(jobs().flatMap(({ name, stage }) => (stage === 'moving' ? [name] : [])))
    const fresh = whole.filter((name) => !moving.has(name))
    if (fresh.length > 0) beginAll(fresh)
    takeBack(left)
    for (const [name, reason] of left) leave(name, reason)
  }

  const workThrough = workingThrough({ work, stumble, signal: stop.signal })
  const run = async () => {
    while (!stop.signal.aborted) {
      let restMs = betweenLooksMs
      try {
        await watchOnce()
        await workThrough(jobs())
        if (seen.size === 0 && jobs().length === 0) restMs = atRestMs
        said = ''
      } catch (error) {
        report(error)
      }
      await pause(restMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }

  const running = run()
  return async () => {
    stop.abort()
    await running
  }
}
