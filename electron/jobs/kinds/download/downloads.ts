import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { background, toProcess } from '../../../common/background.ts'
import { systemCallOf } from '../../../common/errors.ts'
import type { ArchiveClient } from '../../../dialects/dialect.ts'
import { Failed, failureOf, passes } from '../../../contract/failure.ts'
import type { Download } from '../../../contract/files.ts'
import type { Verdict } from '../../../contract/reader.ts'
import { may } from '../../../contract/jobs.ts'
import { onDisk } from '../../../packaging/disk.ts'
import type { DeskStore } from '../../../store/desk/desk-store.ts'
import type { KeptDownload } from '../../../store/desk/job-bodies.ts'
import type { Engine } from '../../engine.ts'
import { partOf, receive, sizeOf } from './receiving.ts'

interface Parts {
  engine: Engine
  store: Pick<DeskStore, 'tasks'>
  /** The archive to speak with, where it is the one that is meant. */
  archive: (id: string) => ArchiveClient
  /** Compares a file that was saved with what its package says of it. */
  verdictOf: (archive: string, saved: Download, signal: AbortSignal) => Promise<Verdict>
  now: () => Date
  progress: (archive: string, download: Download) => void
  reportBug: (error: unknown) => string
}

/** A file of a package, and where it is to be. */
interface Wanted {
  package: string
  path: string
  target: string
}

const newDownload = ({ package: packageId, path, target }: Wanted): KeptDownload => ({
  id: randomUUID(),
  package: packageId,
  path,
  target,
  state: 'running',
  bytesDone: 0,
  bytes: null,
  failure: null,
  verdict: null,
  mark: '',
  replaces: existsSync(target),
  isToCompare: false,
  placing: null,
})

/** Where it goes on: an altered file is fetched from its beginning, and what comes then takes its place. */
const startOf = (download: KeptDownload): KeptDownload =>
  download.state === 'altered'
    ? { ...download, bytesDone: 0, bytes: null, verdict: null, mark: '', replaces: true, placing: null }
    : download

interface Heard {
  /** Keeps how a download goes on. */
  keep: (of: string, download: KeptDownload) => void
  /** Tells how much of it has arrived. */
  report: (of: string, download: KeptDownload) => void
}

/** Opens what fetches a file, saves it, and compares what was saved. */
const openFetching = (
  { store: { tasks }, archive, verdictOf, reportBug }: Parts,
  { keep, report }: Heard,
) => {
  /**
   * What is saved stays so: where it cannot be compared, nothing is said of it. It is tried once more after a
   * failure that passes by itself, or where the program ends meanwhile.
   */
  const compare = async (of: string, saved: KeptDownload, signal: AbortSignal) => {
    try {
      const verdict = await verdictOf(of, saved, signal)
      const state = verdict.is === 'changed' ? 'altered' : 'done'
      keep(of, { ...saved, state, verdict, isToCompare: false })
    } catch (error) {
      if (signal.aborted) return
      // A file that somebody moved meanwhile, or that cannot be read, is no bug.
      const mayPass = systemCallOf(error) === '' && passes(failureOf(error, reportBug))
      if (!mayPass) tasks.changeTask('download', { ...saved, isToCompare: false })
    }
  }

  const fetchOne = async (of: string, download: KeptDownload, signal: AbortSignal) => {
    const latest = () => tasks.task('download', download.id)?.task ?? download
    const over = new AbortController()
    try {
      const received = await receive(download, {
        archive: archive(of),
        signal: AbortSignal.any([signal, over.signal]),
        keep: (begun) => keep(of, begun),
        progress: (begun) => report(of, begun),
      })
      keep(of, received)
      await compare(of, received, signal)
    } catch (error) {
      const bytesDone = await sizeOf(partOf(download))
      if (signal.aborted) keep(of, { ...latest(), state: 'stopped', bytesDone })
      else keep(of, { ...latest(), state: 'failed', bytesDone, failure: failureOf(error, reportBug) })
    } finally {
      // What nobody will read any more is not waited for.
      over.abort()
    }
  }
  return { fetchOne, compare }
}

/**
 * Removes what has arrived of a download before what says that there is any: a program that is killed leaves
 * nothing that nobody knows of.
 */
const openRemoving =
  ({ store: { tasks } }: Pick<Parts, 'store'>) =>
  async (id: string): Promise<void> => {
    const task = tasks.task('download', id)?.task
    const part = task && task.state !== 'done' ? partOf(task) : undefined
    if (part !== undefined) await onDisk(part, () => rm(part, { force: true }))
    tasks.removeTask(id)
  }

export type Downloads = ReturnType<typeof openDownloads>

/**
 * Fetches files of packages. What broke off goes on from there, if the archive can do so and has the same
 * content.
 */
export const openDownloads = (parts: Parts) => {
  const { engine, now, progress } = parts
  const { tasks } = parts.store
  const shown = ({
    mark: _,
    replaces: _replaces,
    isToCompare: _is,
    placing: _placing,
    ...download
  }: KeptDownload): Download => ({
    ...download,
    state: engine.stateOf('download', download),
  })
  const report = (of: string, download: KeptDownload) => progress(of, shown(download))
  /** Keeps how one goes on; of one that was forgotten meanwhile nothing is kept. */
  const keep = (of: string, download: KeptDownload) => {
    if (tasks.changeTask('download', download)) report(of, download)
  }

  const { fetchOne, compare } = openFetching(parts, { keep, report })
  const remove = openRemoving(parts)
  const run = (of: string, download: KeptDownload) => {
    const begun: KeptDownload = { ...startOf(download), state: 'running', failure: null }
    // Without space nothing is begun: it can be resumed later. Where its end cannot be kept, it is shown as
    // stopped.
    background(
      engine.run(download.id, {
        begin: () => keep(of, begun),
        run: (signal) => fetchOne(of, begun, signal),
      }),
      toProcess,
    )
  }
  const need = (id: string) => {
    const found = tasks.task('download', id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    return found
  }

  return {
    list: (of: string, packageId: string): Download[] => tasks.downloadsOf(of, packageId).map(shown),
    unfinished: (of: string): Download[] => tasks.unfinishedTasks('download', of).map(shown),
    /** Begins to fetch a file; what comes of it is told as it goes on. */
    begin: (of: string, wanted: Wanted): Download => {
      const download = newDownload(wanted)
      tasks.keepTask('download', of, now().toISOString(), download)
      run(of, download)
      return download
    },
    resume: (id: string) => {
      const { archive: of, task } = need(id)
      if (engine.isRunning(id)) return
      if (!may('download', 'resume', shown(task).state))
        throw new Failed({ kind: 'conflict', detail: task.state })
      run(of, task)
    },
    /**
     * Compares what was saved and is still to be compared: the program ended before that was over, or the
     * archive was away. One after the other: each may have the METS of a million files read.
     */
    compareLeft: async (of: string) => {
      for (const saved of tasks.downloadsToCompare(of))
        await engine.run(saved.id, { run: (signal) => compare(of, saved, signal) })
    },
    stop: (id: string) => engine.abort(id),
    /** @throws Failed disk where its part cannot be removed: it stays on the list, which alone knows of it */
    forget: async (id: string) => {
      need(id)
      engine.abort(id)
      // Until it has ended it may write the part once more.
      await engine.ended(id)
      await engine.perform(id, { run: () => remove(id) })
    },
  }
}
