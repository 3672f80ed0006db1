import { setImmediate as afterOthers } from 'node:timers/promises'
import type { Archive } from '../archives/archive.ts'
import { background, toProcess } from '../common/background.ts'
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
import { inSlices } from '../jobs/slices.ts'

interface Parts {
  /** How many files the archive says a package has; null where it does not. */
  itemsOf: (archive: Archive, packageId: string) => number | null
  failureOf: (error: unknown) => Failure
  progressed: (archive: string, comparison: FileComparison) => void
}

interface Held {
  told: FileComparison
  differing: ComparedFile[]
  folders: Folders
  stop: () => void
}

/** So many comparisons are held: the one that is looked at, and those that one goes back to. */
const mostHeld = 3
/** A person sees no more steps than these. */
const tellEveryMs = 200

/** What two packages have in common and what not, file by file, held while somebody looks at it. */
const openComparison = (
  { itemsOf, failureOf, progressed }: Parts,
  archive: Archive,
  { former, later }: { former: string; later: string },
): Held => {
  const stopping = new AbortController()
  const [one, other] = [itemsOf(archive, former), itemsOf(archive, later)]
  const held: Held = {
    told: {
      former,
      later,
      state: 'working',
      progress: { files: 0, ofFiles: one === null || other === null ? null : one + other },
      counts: noChanges(),
      same: 0,
      by: nothingCompared(),
      failure: null,
    },
    differing: [],
    folders: new Map(),
    stop: () => {
      stopping.abort()
      if (held.told.state === 'working') tell({ state: 'stopped' })
    },
  }
  const { signal } = stopping
  let toldAt = 0
  const tell = (change: Partial<FileComparison>) => {
    held.told = { ...held.told, ...change }
    toldAt = performance.now()
    progressed(archive.id, held.told)
  }
  const read = (files: number) => {
    const { ofFiles } = held.told.progress
    if (!signal.aborted && performance.now() - toldAt > tellEveryMs)
      tell({ progress: { files, ofFiles: ofFiles !== null && files > ofFiles ? null : ofFiles } })
  }
  const breathe = async () => {
    await afterOthers()
    signal.throwIfAborted()
  }
  const work = async () => {
    // Whoever began it has the answer before any news of it.
    await breathe()
    const packages = { former, later }
    const both = await readBoth({ archive: archive.client(), packages, signal, progressed: read })
    const { differing, same, by } = await compareFiles(both.former, both.later, breathe)
    const lay = (file: ComparedFile) => layInto(held.folders, file)
    await inSlices(differing, lay, () => signal.aborted)
    signal.throwIfAborted()
    const files = both.former.size + both.later.size
    held.differing = differing
    const counts = countChanges(differing)
    tell({ state: 'done', counts, same, by, progress: { files, ofFiles: files } })
  }
  const ended = (error: unknown) => {
    held.folders.clear()
    if (!signal.aborted) tell({ state: 'failed', failure: failureOf(error) })
  }
  background(work().catch(ended), toProcess)
  return held
}

/** Generations of a package, or any two packages, compared file by file. */
export const comparisons = (parts: Parts): Fulfils<typeof promised, [Archive]> => {
  const all = new Map<string, Held>()
  const keyOf = (archive: Archive, { former, later }: { former: string; later: string }) =>
    JSON.stringify([archive.id, former, later])
  const found = (archive: Archive, pair: { former: string; later: string }): Held => {
    const held = all.get(keyOf(archive, pair))
    if (!held) throw new Failed({ kind: 'not-found', what: `${pair.former} – ${pair.later}` })
    return held
  }
  /** Those that were begun first are let go of. */
  const makeRoom = () => {
    for (const [key, { stop }] of [...all].slice(0, Math.max(0, all.size - mostHeld))) {
      stop()
      all.delete(key)
    }
  }
  return {
    begin: (archive, pair) => {
      const key = keyOf(archive, pair)
      const there = all.get(key)
      if (there?.told.state === 'working' || there?.told.state === 'done') return there.told
      const held = openComparison(parts, archive, pair)
      all.delete(key)
      all.set(key, held)
      makeRoom()
      return held.told
    },
    stop: (archive, pair) => found(archive, pair).stop(),
    folder: (archive, { former, later, path, change, offset }) =>
      linesOf(found(archive, { former, later }).folders, { path, change, offset }),
    differing: (archive, pair) => found(archive, pair).differing.slice(0, mostListed),
  }
}
