import { isUtf8 } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import { access, constants, lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Job, preservation } from './preservation.ts'
import { messageOf } from '../common/errors.ts'

const betweenLooksMs = 500
/** The same while the folder is empty and there is nothing to do. */
const atRestMs = 1_000
const shortestRestMs = 1_000
const longestRestMs = 60_000

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

/**
 * Watches the ingest folder by looking (watching is unreliable on network drives) and works through what
 * arrives, one package at a time. Names that begin with a dot are still being written; any other entry is
 * taken once it stayed the same between two looks. What cannot be taken is left untouched, and that is told
 * once. No trouble ends the watch.
 * @returns how to stop; the work at hand is finished first
 */
export const watchIngest = (
  folder: string,
  { work, jobs, begin, leave, takeBack, stumble }: ReturnType<typeof preservation>,
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

  const lookAt = async (name: string) => {
    const weight = await weigh(path.join(folder, name))
    if (weight !== undefined && seen.get(name) === weight) {
      if (!jobs().some((job) => job.name === name && job.stage === 'moving')) begin(name)
      seen.delete(name)
    } else seen.set(name, weight ?? '')
  }

  const watchOnce = async () => {
    const entries = (await readdir(folder, { encoding: 'buffer' })).filter(
      (name) => !name.toString().startsWith('.'),
    )
    const names = new Set(entries.map(String))
    for (const known of seen.keys()) if (!names.has(known)) seen.delete(known)
    const left = new Map<string, string>()
    for (const entry of entries)
      try {
        if (!isUtf8(entry)) throw new Untakable('its name is not UTF-8')
        await lookAt(entry.toString())
      } catch (error) {
        if (!(error instanceof Untakable)) throw error
        left.set(entry.toString(), error.message)
      }
    takeBack(left)
    for (const [name, reason] of left) leave(name, reason)
  }

  const run = async () => {
    const rests = openRests()
    while (!stop.signal.aborted) {
      let restMs = betweenLooksMs
      try {
        await watchOnce()
        for (const job of jobs()) {
          if (stop.signal.aborted) break
          if (!rests.isOver(job)) continue
          try {
            await work(job)
            rests.end(job)
          } catch (error) {
            rests.begin(job)
            stumble(job, error)
          }
        }
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
