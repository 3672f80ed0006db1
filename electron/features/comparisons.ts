import { setImmediate as afterOthers } from 'node:timers/promises'
import type { Archive } from '../archives/archive.ts'
import { background, toProcess } from '../common/background.ts'
import { openNewsPace } from '../common/news-pace.ts'
import { compareFiles, countChanges, noChanges, nothingCompared } from '../comparisons/compare-files.ts'
import { layInto, linesOf, type Folders } from '../comparisons/folders.ts'
import { readBoth } from '../comparisons/read-files.ts'
import {
  mostListed,
  type ComparedFile,
  type comparisons as promised,
  type FileComparison,
} from '../contract/comparisons.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import type { Package } from '../contract/packages.ts'
import { inSlices } from '../common/slices.ts'

interface Parts {
  /** A package as the archive gave it last; undefined where it is not held. */
  packageOf: (archive: Archive, packageId: string) => Package | undefined
  failureOf: (error: unknown) => Failure
  progressed: (archive: string, comparison: FileComparison) => void
}

interface Pair {
  former: string
  later: string
}

interface OpenComparison {
  archive: string
  /** Both packages as they were when it was begun. */
  packages: string
  /** As the page has it. */
  published: FileComparison
  differing: ComparedFile[]
  folders: Folders
  stop: () => void
}

/** So many comparisons are open: the one that is looked at, and those that one goes back to. */
const mostOpen = 3

/** Both packages as they are held: where one of them changed, it is another text. */
const bothNow = ({ packageOf }: Pick<Parts, 'packageOf'>, archive: Archive, { former, later }: Pair) =>
  JSON.stringify([packageOf(archive, former), packageOf(archive, later)])
/** null where one of them is not known. */
const sumOf = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one + other

/** What two packages have in common and what not, file by file, in memory while somebody looks at it. */
const openComparison = (
  { packageOf, failureOf, progressed }: Parts,
  archive: Archive,
  { former, later }: Pair,
): OpenComparison => {
  const stopping = new AbortController()
  const items = [former, later].map((id) => packageOf(archive, id)?.items ?? null)
  const comparison: OpenComparison = {
    archive: archive.id,
    packages: bothNow({ packageOf }, archive, { former, later }),
    published: {
      former,
      later,
      state: 'working',
      progress: { files: 0, ofFiles: items.reduce(sumOf, 0) },
      counts: noChanges(),
      same: 0,
      by: nothingCompared(),
      failure: null,
    },
    differing: [],
    folders: new Map(),
    stop: () => {
      stopping.abort()
      if (comparison.published.state === 'working') publish({ state: 'stopped' })
    },
  }
  const { signal } = stopping
  const pace = openNewsPace()
  const publish = (change: Partial<FileComparison>) => {
    comparison.published = { ...comparison.published, ...change }
    pace.told()
    progressed(archive.id, comparison.published)
  }
  const read = (files: number) => {
    const { ofFiles } = comparison.published.progress
    if (!signal.aborted && pace.isDue())
      publish({ progress: { files, ofFiles: ofFiles !== null && files > ofFiles ? null : ofFiles } })
  }
  const yieldToOthers = async () => {
    await afterOthers()
    signal.throwIfAborted()
  }
  const work = async () => {
    // Whoever began it has the answer before any news of it.
    await yieldToOthers()
    const packages = { former, later }
    const both = await readBoth({ archive: archive.client(), packages, signal, progressed: read })
    const { differing, same, by } = await compareFiles(both.former, both.later, yieldToOthers)
    const lay = (file: ComparedFile) => layInto(comparison.folders, file)
    await inSlices(differing, lay, () => signal.aborted)
    signal.throwIfAborted()
    const files = both.former.size + both.later.size
    comparison.differing = differing
    const counts = countChanges(differing)
    publish({ state: 'done', counts, same, by, progress: { files, ofFiles: files } })
  }
  const ended = (error: unknown) => {
    comparison.folders.clear()
    if (!signal.aborted) publish({ state: 'failed', failure: failureOf(error) })
  }
  background(work().catch(ended), toProcess)
  return comparison
}

/** Generations of a package, or any two packages, compared file by file. */
export const comparisons = (parts: Parts) => {
  const all = new Map<string, OpenComparison>()
  const keyOf = (archive: Archive, { former, later }: Pair) => JSON.stringify([archive.id, former, later])
  const found = (archive: Archive, pair: Pair): OpenComparison => {
    const comparison = all.get(keyOf(archive, pair))
    if (!comparison) throw new Failed({ kind: 'not-found', what: `${pair.former} – ${pair.later}` })
    return comparison
  }
  const letGo = (key: string) => {
    all.get(key)?.stop()
    all.delete(key)
  }
  /** Those that were begun first are let go of. */
  const letGoOfOldest = () => {
    for (const key of [...all.keys()].slice(0, Math.max(0, all.size - mostOpen))) letGo(key)
  }
  const calls: Fulfils<typeof promised, [Archive]> = {
    begin: (archive, pair) => {
      const key = keyOf(archive, pair)
      const there = all.get(key)
      const isFresh = there?.packages === bothNow(parts, archive, pair)
      if (there && isFresh && (there.published.state === 'working' || there.published.state === 'done'))
        return there.published
      letGo(key)
      const comparison = openComparison(parts, archive, pair)
      all.set(key, comparison)
      letGoOfOldest()
      return comparison.published
    },
    stop: (archive, pair) => found(archive, pair).stop(),
    folder: (archive, { former, later, path, change, offset }) =>
      linesOf(found(archive, { former, later }).folders, { path, change, offset }),
    differing: (archive, pair) => {
      const { differing } = found(archive, pair)
      return { files: differing.slice(0, mostListed), total: differing.length }
    },
  }
  return {
    calls,
    /** Lets go of what was found at archives that nobody is signed in to any more. */
    keepOnly: (archives: readonly string[]): void => {
      for (const [key, { archive }] of [...all]) if (!archives.includes(archive)) letGo(key)
    },
  }
}
