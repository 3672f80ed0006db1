import { randomUUID } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { openFile } from '../archive-client/files.ts'
import type { Reach } from '../archive-client/http.ts'
import { Failed, failureOf } from '../contract/failure.ts'
import type { Download } from '../contract/files.ts'
import { diskFailure, ensureRoom } from '../packaging/disk.ts'
import type { DeskStore } from '../store/desk.ts'

interface Kept extends Download {
  /** By what the archive knows the same content again. */
  mark: string
}

interface Parts {
  store: Pick<DeskStore, 'lists'>
  /** The archive to speak with, where it is the one that is meant. */
  archive: (id: string) => Pick<Reach, 'bytes'>
  now: () => Date
  progress: (it: Download) => void
  bug: (error: unknown) => string
}

const betweenNewsMs = 200

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )
const partOf = ({ target }: Download) => `${target}.part`

/**
 * Fetches files of packages. What has arrived lies beside the target under a name of its own until it is whole, and is as long as the
 * archive said; it takes the target's place in one step. What broke off goes on from there, if the archive can do so and has the same content.
 */
export const openDownloads = ({ store: { lists }, archive, now, progress, bug }: Parts) => {
  const running = new Map<string, { stop: AbortController; ended: Promise<void> }>()

  /** Keeps how one goes on; of one that was forgotten meanwhile nothing is kept. */
  const keep = (it: Kept) => {
    if (lists.changeTask(it.id, it)) progress(shown(it))
    return it
  }
  const shown = ({ mark: _, ...it }: Kept): Download => ({
    ...it,
    state: it.state === 'running' && !running.has(it.id) ? 'stopped' : it.state,
  })

  const receive = async (of: string, it: Kept, stop: AbortSignal): Promise<Kept> => {
    const part = partOf(it)
    const there = await sizeOf(part)
    const { from, total, mark, body } = await openFile(
      archive(of),
      it.package,
      it.path,
      { from: there, mark: it.mark },
      stop,
    )
    if (total !== null) await ensureRoom(path.dirname(it.target), total - from)
    let done = from
    const begun = keep({ ...it, bytesDone: done, bytes: total, mark })
    const file = await open(part, from > 0 ? 'r+' : 'w').catch((error: unknown) => {
      throw diskFailure(error, part)
    })
    try {
      if (from > 0) await file.truncate(from)
      let toldAt = performance.now()
      for await (const chunk of body) {
        await file.write(chunk, 0, chunk.length, done).catch((error: unknown) => {
          throw diskFailure(error, part)
        })
        done += chunk.length
        if (performance.now() - toldAt < betweenNewsMs) continue
        toldAt = performance.now()
        progress(shown({ ...begun, bytesDone: done }))
      }
      await file.sync()
    } finally {
      await file.close()
    }
    if (total !== null && done !== total)
      throw new Failed({
        kind: 'server-broke',
        address: it.path,
        status: 200,
        detail: 'cut-off',
        excerpt: '',
      })
    await rename(part, it.target).catch((error: unknown) => {
      throw diskFailure(error, it.target)
    })
    return { ...begun, state: 'done', bytesDone: done, bytes: done, failure: null }
  }

  const fetchOne = async (of: string, it: Kept, stop: AbortController) => {
    const last = () => lists.task<Kept>(it.id)?.it ?? it
    try {
      const done = await receive(of, it, stop.signal)
      running.delete(it.id)
      keep(done)
    } catch (error) {
      running.delete(it.id)
      const bytesDone = await sizeOf(partOf(it))
      if (stop.signal.aborted) keep({ ...last(), state: 'stopped', bytesDone })
      else keep({ ...last(), state: 'failed', bytesDone, failure: failureOf(error, bug) })
    } finally {
      // What nobody will read any more is not waited for.
      stop.abort()
    }
  }
  const run = (of: string, it: Kept) => {
    if (running.has(it.id)) return
    const stop = new AbortController()
    const begun = Promise.withResolvers<void>()
    running.set(it.id, { stop, ended: begun.promise })
    try {
      keep({ ...it, state: 'running', failure: null })
    } catch (error) {
      // Without room nothing was begun: it can be resumed later, and nobody waits for its end.
      running.delete(it.id)
      begun.resolve()
      throw error
    }
    void fetchOne(of, it, stop)
      // Without room not even that can be kept: it is shown as stopped.
      .catch((error: unknown) => void failureOf(error, bug))
      .finally(begun.resolve)
  }
  const need = (id: string) => {
    const found = lists.task<Kept>(id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    return found
  }

  const all = (of: string): Download[] => lists.tasks<Kept>(of, 'download').map(({ it }) => shown(it))

  return {
    list: (of: string, packageId: string): Download[] => all(of).filter((it) => it.package === packageId),
    open: (of: string): Download[] => all(of).filter(({ state }) => state !== 'done'),
    /** Begins to fetch a file; what comes of it is told as it goes on. */
    begin: (of: string, what: { package: string; path: string; target: string }): Download => {
      const it: Kept = {
        id: randomUUID(),
        ...what,
        state: 'running',
        bytesDone: 0,
        bytes: null,
        failure: null,
        mark: '',
      }
      lists.keepTask({ id: it.id, archive: of, kind: 'download', made: now().toISOString(), it })
      run(of, it)
      return it
    },
    resume: (id: string) => {
      const { archive: of, it } = need(id)
      run(of, it)
    },
    stop: (id: string) => running.get(id)?.stop.abort(),
    forget: async (id: string) => {
      const { it } = need(id)
      const under = running.get(id)
      lists.removeTask(id)
      under?.stop.abort()
      // Until it has ended it may write the part once more.
      await under?.ended
      if (it.state !== 'done') await rm(partOf(it), { force: true })
    },
    /** Stops what is under way; fulfilled when all of it has ended. */
    close: async () => {
      for (const { stop } of running.values()) stop.abort()
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

export type Downloads = ReturnType<typeof openDownloads>
