import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { preservation } from './preservation.ts'

const betweenLooksMs = 500
const betweenTriesMs = 5_000

/** What changes while somebody is still writing an entry: sizes and times of everything in it. */
const weigh = async (entry: string): Promise<string> => {
  const it = await stat(entry).catch(() => undefined)
  if (!it?.isDirectory()) return it ? `${it.size} ${it.mtimeMs}` : 'gone'
  const names = await readdir(entry).catch(() => [])
  const inside = await Promise.all(names.map((name) => weigh(path.join(entry, name))))
  return `${it.mtimeMs} ${inside.join(' ')}`
}

/**
 * Watches the ingest folder by looking (watching is unreliable on network drives) and works through what arrives, one bag
 * at a time. Names that begin with a dot are still being written; any other entry is taken once it stayed the same between two looks.
 * @returns how to stop; the work at hand is finished first
 */
export const watchIngest = (
  folder: string,
  { work, jobs, begin, tidy, stumble }: ReturnType<typeof preservation>,
) => {
  const stop = new AbortController()
  const seen = new Map<string, string>()

  const look = async () => {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.'))
    for (const known of seen.keys()) if (!names.includes(known)) seen.delete(known)
    for (const name of names) {
      const weight = await weigh(path.join(folder, name))
      if (seen.get(name) === weight && !jobs().some((job) => job.name === name && job.stage === 'moving')) {
        begin(name)
        seen.delete(name)
      } else seen.set(name, weight)
    }
  }

  const run = async () => {
    await tidy()
    let rest = 0
    while (!stop.signal.aborted) {
      await look().catch((error: unknown) => console.error('The ingest folder cannot be read:', error))
      for (const job of performance.now() < rest ? [] : jobs()) {
        if (stop.signal.aborted) break
        try {
          await work(job)
        } catch (error) {
          console.error(`The bag ${job.name} could not be worked on:`, error)
          stumble(job, error instanceof Error ? error.message : String(error))
          rest = performance.now() + betweenTriesMs
        }
      }
      await pause(betweenLooksMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }

  const running = run()
  return async () => {
    stop.abort()
    await running
  }
}
