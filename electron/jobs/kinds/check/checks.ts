import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { background, toProcess } from '../../../common/background.ts'
import type { Check } from '../../../contract/checks.ts'
import { systemCallOf } from '../../../common/errors.ts'
import { Failed, failureOf } from '../../../contract/failure.ts'
import type { PackageReport } from '../../../contract/findings.ts'
import { leads, may } from '../../../contract/jobs.ts'
import type { Dialect } from '../../../dialects/dialect.ts'
import { diskFailure } from '../../../packaging/disk.ts'
import { digestsOf } from '../../../packaging/file-digests.ts'
import { checkPackage, isAccepted } from '../../../packaging/formats.ts'
import { copyPackage } from '../../../packaging/packages.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'
import type { CacheOf } from '../../../store/cache/caches.ts'
import type { Engine } from '../../engine.ts'
import { algorithmsFor, compare } from './comparing.ts'

interface Parts {
  engine: Engine
  cacheOf: CacheOf
  dialectOf: (archive: string) => Pick<Dialect, 'readPackage'>
  scripts: PackagingScripts
  now: () => Date
  /** Writes an unexpected error to the log and gives the reference a person can quote. */
  reportBug: (error: unknown) => string
  changed: (id: string) => void
}

const nothing = { files: 0, ofFiles: 0, bytes: 0, ofBytes: 0, file: '' }
const mostKept = 100

export type Checks = ReturnType<typeof openChecks>

/** Checks of this run of the program, by their ids; the oldest make room. */
const openRecords = (changed: (id: string) => void) => {
  const kept = new Map<string, Check>()
  /** Changes one; what was closed, or is in a state that no step leads from, stays as it is. */
  const change = (id: string, changes: Partial<Check>): void => {
    const before = kept.get(id)
    if (!before || (changes.state !== undefined && !leads('check', before.state, changes.state))) return
    kept.set(id, { ...before, ...changes })
    changed(id)
  }
  return {
    list: (): Check[] => [...kept.values()].reverse(),
    /** @throws Failed not-found */
    need: (id: string): Check => {
      const check = kept.get(id)
      if (!check) throw new Failed({ kind: 'not-found', what: id })
      return check
    },
    add: (check: Check): Check => {
      kept.set(check.id, check)
      // What is being read or copied stays until that has ended.
      const ended = [...kept.values()].filter(({ state }) => state !== 'working' && state !== 'copying')
      for (const old of ended.slice(0, Math.max(0, kept.size - mostKept))) kept.delete(old.id)
      return check
    },
    change,
    /** Notes how far one is, which may have been closed meanwhile. */
    advance: (id: string, progress: Partial<Check['progress']>): void => {
      const before = kept.get(id)
      if (before) change(id, { progress: { ...before.progress, ...progress } })
    },
    remove: (id: string): void => {
      kept.delete(id)
      changed(id)
    },
  }
}

/**
 * Copies a package, and checks the copy; how far that is, its check says.
 * @param to a name for the copy; what lies there is removed first
 * @returns what was found of the copy; undefined where a person stopped it: nothing is left at `to` then
 * @throws Failed conflict where its check is not done, and as copyPackage does
 */
const openCopying =
  (
    { engine, scripts }: Pick<Parts, 'engine' | 'scripts'>,
    { need, change }: ReturnType<typeof openRecords>,
  ) =>
  async (id: string, to: string): Promise<PackageReport | undefined> => {
    const { path: from, state } = need(id)
    if (!may('check', 'copy', state)) throw new Failed({ kind: 'conflict', detail: state })
    let report: PackageReport | undefined
    let whole = { ofFiles: 0, ofBytes: 0 }
    await engine.perform(id, {
      begin: () => change(id, { state: 'copying', progress: nothing }),
      run: async (signal) => {
        try {
          report = await copyPackage(from, to, {
            scripts,
            signal,
            onPlan: ({ counts: { files, bytes } }) => {
              whole = { ofFiles: files, ofBytes: bytes }
              change(id, { progress: { ...nothing, ...whole } })
            },
            onProgress: ({ files, bytes, file }) =>
              change(id, { progress: { ...whole, files, bytes, file } }),
          })
        } catch (error) {
          if (!signal.aborted) throw error
        } finally {
          change(id, { state: 'done' })
        }
      },
    })
    return report
  }

/** Whether a file is a tar or zip that may hold a package, which nobody can read. */
const isDamaged = ({ findings }: PackageReport) =>
  findings.some(({ level, code }) => level === 'error' && code !== 'not-a-package')

/** Looks at what lies at a path: at a package as its format says, at any other file by its digests. */
const openLooking = (
  { cacheOf, dialectOf, scripts }: Pick<Parts, 'cacheOf' | 'dialectOf' | 'scripts'>,
  { need, change, advance }: ReturnType<typeof openRecords>,
) => {
  /**
   * A file that is no package is a file: its digests are what can be said of it, and why it is none where
   * that is more than that.
   */
  const checkFile = async (
    id: string,
    size: number,
    { report, signal }: { report: PackageReport; signal: AbortSignal },
  ) => {
    const { path: file, package: open } = need(id)
    const whole =
      open === null
        ? undefined
        : cacheOf(open.archive).packages.whole(open.id, dialectOf(open.archive).readPackage)
    let bytes = 0
    change(id, { progress: { ...nothing, ofFiles: 1, ofBytes: size, file } })
    const digests = await digestsOf(file, algorithmsFor(whole), signal, (length) => (bytes += length))
    change(id, {
      state: 'done',
      progress: { ...need(id).progress, files: 1, bytes },
      digests,
      comparisons: whole ? compare(whole, digests) : [],
      report: open === null && isDamaged(report) ? report : null,
    })
  }
  return async (id: string, signal: AbortSignal): Promise<void> => {
    const { path: file } = need(id)
    const found = await stat(file)
    const report = await checkPackage(file, {
      scripts: scripts.check,
      signal,
      onTotal: ({ files, bytes }) => advance(id, { ofFiles: files, ofBytes: bytes }),
      onProgress: ({ files, bytes, file: current }) => advance(id, { files, bytes, file: current }),
    })
    // A copy of the package that is open is compared as a file, whatever its METS says.
    const isCopy = need(id).package !== null && !isAccepted(report.format)
    if (found.isFile() && (report.state === 'not-a-package' || isCopy))
      await checkFile(id, found.size, { report, signal })
    else change(id, { state: 'done', report })
  }
}

/**
 * Checks packages for being complete and valid, and any other file against the digests that an archive keeps
 * of a package. A check only reads, and is kept while the program runs.
 */
export const openChecks = ({ engine, cacheOf, dialectOf, scripts, now, reportBug, changed }: Parts) => {
  const records = openRecords(changed)
  const { need, change } = records
  const check = openLooking({ cacheOf, dialectOf, scripts }, records)
  /** What no call of the system says is no trouble of the disk: a thread that broke is a bug. */
  const whyOf = (error: unknown, file: string) =>
    systemCallOf(error) === '' ? failureOf(error, reportBug) : diskFailure(error, file).failure

  return {
    list: records.list,
    need,
    /** @param open the package that a file is compared with */
    begin: (file: string, open?: { archive: string; id: string }): Check => {
      const facts = open && cacheOf(open.archive).packages.facts(open.id)
      const begun = records.add({
        id: randomUUID(),
        path: path.resolve(file),
        began: now().toISOString(),
        state: 'working',
        progress: nothing,
        report: null,
        digests: [],
        comparisons: [],
        sentOn: null,
        failure: null,
        package: open && facts ? { archive: open.archive, id: facts.id, label: facts.label } : null,
      })
      const run = async (signal: AbortSignal) => {
        try {
          await check(begun.id, signal)
        } catch (error) {
          if (signal.aborted) change(begun.id, { state: 'stopped' })
          else change(begun.id, { state: 'failed', failure: whyOf(error, begun.path) })
        }
      }
      background(engine.run(begun.id, { run }), toProcess)
      return begun
    },
    copy: openCopying({ engine, scripts }, records),
    noteSentOn: (id: string, transfer: string): void => change(id, { sentOn: transfer }),
    stop: (id: string): void => engine.abort(id),
    close: (id: string): void => {
      engine.abort(id)
      records.remove(id)
    },
  }
}
