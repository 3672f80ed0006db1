import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { openFile } from '../archive-client/files.ts'
import type { Reach } from '../archive-client/http.ts'
import { Failed, failureOf } from '../contract/failure.ts'
import type { Download } from '../contract/files.ts'
import { may } from '../contract/jobs.ts'
import type { Engine } from '../jobs/engine.ts'
import { ensureRoom, onDisk } from '../packaging/disk.ts'
import type { DeskStore } from '../store/desk.ts'
import type { KeptDownload } from '../store/job-bodies.ts'

interface Parts {
  engine: Engine
  store: Pick<DeskStore, 'tasks'>
  /** The archive to speak with, where it is the one that is meant. */
  archive: (id: string) => Pick<Reach, 'bytes'>
  now: () => Date
  progress: (archive: string, it: Download) => void
  bug: (error: unknown) => string
}

const betweenNewsMs = 200

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )
/** What has arrived of this download, and of no other to the same target. */
const partOf = ({ id, target }: Download) => `${target}.${id.slice(0, 8)}.part`

const { O_WRONLY, O_APPEND, O_CREAT, O_TRUNC } = constants

/** Opens a part to be gone on with, cut to the bytes that count; that is on the disk before anything else is. */
const openPart = (part: string, bytes: number) =>
  onDisk(part, async () => {
    const file = await open(part, O_WRONLY | O_APPEND | (bytes === 0 ? O_CREAT | O_TRUNC : 0))
    try {
      await file.truncate(bytes)
      await file.sync()
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  })

/**
 * Fetches files of packages. What has arrived lies beside the target under a name of its own until it is whole, and is as long as the
 * archive said; it takes the target's place in one step. What broke off goes on from there, if the archive can do so and has the same content.
 */
export const openDownloads = ({ engine, store: { tasks }, archive, now, progress, bug }: Parts) => {
  /** Keeps how one goes on; of one that was forgotten meanwhile nothing is kept. */
  const keep = (of: string, it: KeptDownload) => {
    if (tasks.changeTask('download', it)) progress(of, shown(it))
    return it
  }
  const shown = ({ mark: _, ...it }: KeptDownload): Download => ({
    ...it,
    state: it.state === 'running' && !engine.isRunning(it.id) ? 'stopped' : it.state,
  })

  const receive = async (of: string, it: KeptDownload, stop: AbortSignal): Promise<KeptDownload> => {
    const part = partOf(it)
    // The last byte is asked for once more: of a part that is whole nothing else would be left to send.
    const resumed = Math.max(0, (await sizeOf(part)) - 1)
    const { from, total, mark, body } = await openFile(
      archive(of),
      it.package,
      it.path,
      { from: resumed, mark: it.mark },
      stop,
    )
    if (total !== null) await ensureRoom(path.dirname(it.target), total - from)
    let done = from
    const begun: KeptDownload = { ...it, bytesDone: done, bytes: total, mark }
    const file = await openPart(part, from)
    try {
      // The part holds nothing of other content before the mark of this one is kept.
      keep(of, begun)
      let toldAt = performance.now()
      for await (const chunk of body) {
        await onDisk(part, () => file.writeFile(chunk))
        done += chunk.length
        if (performance.now() - toldAt < betweenNewsMs) continue
        toldAt = performance.now()
        progress(of, shown({ ...begun, bytesDone: done }))
      }
      await onDisk(part, () => file.sync())
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
    await onDisk(it.target, () => rename(part, it.target))
    return { ...begun, state: 'done', bytesDone: done, bytes: done, failure: null }
  }

  const fetchOne = async (of: string, it: KeptDownload, signal: AbortSignal) => {
    const last = () => tasks.task('download', it.id)?.task ?? it
    const over = new AbortController()
    try {
      keep(of, await receive(of, it, AbortSignal.any([signal, over.signal])))
    } catch (error) {
      const bytesDone = await sizeOf(partOf(it))
      if (signal.aborted) keep(of, { ...last(), state: 'stopped', bytesDone })
      else keep(of, { ...last(), state: 'failed', bytesDone, failure: failureOf(error, bug) })
    } finally {
      // What nobody will read any more is not waited for.
      over.abort()
    }
  }
  const run = (of: string, it: KeptDownload) => {
    const begun: KeptDownload = { ...it, state: 'running', failure: null }
    // Without room nothing is begun: it can be resumed later. Where its end cannot be kept, it is shown as stopped.
    void engine.run(it.id, {
      begin: () => void keep(of, begun),
      run: (signal) => fetchOne(of, begun, signal),
    })
  }
  const need = (id: string) => {
    const found = tasks.task('download', id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    return found
  }

  const all = (of: string): Download[] => tasks.tasks('download', of).map(shown)

  return {
    list: (of: string, packageId: string): Download[] => all(of).filter((it) => it.package === packageId),
    open: (of: string): Download[] => all(of).filter(({ state }) => state !== 'done'),
    /** Begins to fetch a file; what comes of it is told as it goes on. */
    begin: (of: string, what: { package: string; path: string; target: string }): Download => {
      const it: KeptDownload = {
        id: randomUUID(),
        ...what,
        state: 'running',
        bytesDone: 0,
        bytes: null,
        failure: null,
        mark: '',
      }
      tasks.keepTask('download', of, now().toISOString(), it)
      run(of, it)
      return it
    },
    resume: (id: string) => {
      const { archive: of, task: it } = need(id)
      if (engine.isRunning(id)) return
      if (!may('download', 'resume', shown(it).state))
        throw new Failed({ kind: 'conflict', detail: it.state })
      run(of, it)
    },
    stop: (id: string) => engine.abort(id),
    forget: async (id: string) => {
      const { task: it } = need(id)
      tasks.removeTask(id)
      engine.abort(id)
      // Until it has ended it may write the part once more.
      await engine.ended(id)
      if (it.state !== 'done') await rm(partOf(it), { force: true })
    },
  }
}

export type Downloads = ReturnType<typeof openDownloads>
