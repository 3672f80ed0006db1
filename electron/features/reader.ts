import { randomUUID } from 'node:crypto'
import { setImmediate as afterOthers } from 'node:timers/promises'
import { background, toProcess } from '../common/background.ts'
import { openNewsPace } from '../common/news-pace.ts'
import type { Archive } from '../archives/archive.ts'
import { needed } from '../dialects/dialect.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import { nameIn } from '../contract/file-paths.ts'
import type { FileCheck, FileInGeneration, PackageFiles, reader as promised } from '../contract/reader.ts'
import { judgeFile } from '../reader/check-file.ts'
import { identifyFile, toolsFor } from '../reader/identify-file.ts'
import { comparedWithGenerations } from '../reader/generations.ts'
import type { FileOfArchive, KnownDigests } from '../reader/known-digests.ts'
import type { OpenedFiles } from '../reader/opened-files.ts'
import { openFileIndex, readPackageFiles, type FileIndex } from '../reader/package-files.ts'
import { findPreservedDigest } from '../reader/preserved-digest.ts'
import type { CacheOf } from '../store/cache/caches.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'
import type { Thumbnails } from '../store/thumbnails.ts'

interface Parts {
  opened: OpenedFiles
  knownDigests: KnownDigests
  cacheOf: CacheOf
  store: Pick<DeskStore, 'fileNotes' | 'fileFormats'>
  thumbnails: Pick<Thumbnails, 'of' | 'keep'>
  now: () => Date
  failureOf: (error: unknown) => Failure
  checked: (archive: string, check: FileCheck) => void
  indexed: (archive: string, files: PackageFiles) => void
}

type Calls = Fulfils<typeof promised, [Archive]>
/** A file of a package. */
type File = Omit<FileOfArchive, 'archive'>

/** So many packages are looked through at a time: the one that is open, and those that one goes back to. */
const mostIndexed = 3

/** Whole files, compared with what their packages say of them. */
const checking = (parts: Parts): Pick<Calls, 'check' | 'stopCheck'> & { leave: (key: string) => void } => {
  const { opened, knownDigests, checked, failureOf } = parts
  const all = new Map<string, { file: FileOfArchive; published: FileCheck; stop: AbortController }>()
  const begin = (archive: Archive, key: string) => {
    const { of, bytes: total } = opened.said(key)
    const published: FileCheck = { key, state: 'working', bytes: 0, total, verdict: null, failure: null }
    const file = { archive: archive.id, ...of }
    const check = { file, published, stop: new AbortController() }
    const { signal } = check.stop
    const pace = openNewsPace()
    const publish = (change: Partial<FileCheck>) => {
      check.published = { ...check.published, ...change }
      pace.told()
      // One that was stopped says nothing of the one that was begun in its place.
      if (all.get(key) === check) checked(archive.id, check.published)
    }
    const work = async () => {
      // Whoever began it has the answer before any news of it.
      await afterOthers()
      const preserved = await findPreservedDigest({ archive: archive.client(), ...of, signal })
      // One that was closed meanwhile is not kept.
      signal.throwIfAborted()
      knownDigests.keep(file, preserved)
      const stream = opened.stream(key, signal)
      const progressed = (bytes: number) => {
        signal.throwIfAborted()
        if (pace.isDue()) publish({ bytes })
      }
      const verdict = await judgeFile({ stream, bytes: total, preserved, progressed })
      publish({ state: 'done', bytes: total, verdict })
    }
    const ended = (error: unknown) => {
      if (signal.aborted) publish({ state: 'stopped' })
      else publish({ state: 'failed', failure: failureOf(error) })
    }
    background(work().catch(ended), toProcess)
    return check
  }
  return {
    check: (archive, { key }) => {
      const there = all.get(key)
      const isStopped = there?.stop.signal.aborted === true
      if (there?.published.state === 'done' || (there?.published.state === 'working' && !isStopped))
        return there.published
      const check = begin(archive, key)
      all.set(key, check)
      return check.published
    },
    stopCheck: (_archive, { key }) => all.get(key)?.stop.abort(),
    leave: (key) => {
      const check = all.get(key)
      if (!check) return
      check.stop.abort()
      knownDigests.forget(check.file)
      all.delete(key)
    },
  }
}

interface Indexed {
  files: FileIndex
  /** As the page has it. */
  published: PackageFiles
  stop: AbortController
}

/** The names of all files of packages, for those that are looked at. */
const indexing = ({ indexed, failureOf, store }: Parts): Pick<Calls, 'index' | 'find' | 'alike'> => {
  const all = new Map<string, Indexed>()
  const keyOf = (archive: Archive, id: string) => JSON.stringify([archive.id, id])
  const begin = (archive: Archive, id: string): Indexed => {
    const files = openFileIndex(store.fileFormats.inPackage(archive.id, id))
    const published: PackageFiles = {
      package: id,
      state: 'working',
      files: 0,
      isCut: false,
      hasContainer: false,
      formats: [],
      leading: [],
      failure: null,
    }
    const entry: Indexed = { files, published, stop: new AbortController() }
    const { signal } = entry.stop
    const pace = openNewsPace()
    const publish = (change: Partial<PackageFiles>) => {
      entry.published = { ...entry.published, files: files.count(), formats: files.formats(), ...change }
      pace.told()
      if (!signal.aborted) indexed(archive.id, entry.published)
    }
    const progressed = () => {
      if (pace.isDue()) publish({})
    }
    const work = async () => {
      await afterOthers()
      const client = archive.client()
      const read = await readPackageFiles({ archive: client, package: id, index: files, signal, progressed })
      publish({ state: 'done', ...read, leading: await files.leading() })
    }
    const ended = (error: unknown) => {
      // Nobody looks at it any more.
      if (!signal.aborted) publish({ state: 'failed', failure: failureOf(error) })
    }
    background(work().catch(ended), toProcess)
    return entry
  }
  return {
    index: (archive, { package: id }) => {
      const key = keyOf(archive, id)
      const there = all.get(key)
      const entry = there && there.published.state !== 'failed' ? there : begin(archive, id)
      // The one that was looked at last stays longest.
      all.delete(key)
      all.set(key, entry)
      for (const [oldest, { stop }] of [...all].slice(0, Math.max(0, all.size - mostIndexed))) {
        stop.abort()
        all.delete(oldest)
      }
      return entry.published
    },
    alike: (archive, { package: id, path }) => {
      const entry = all.get(keyOf(archive, id))
      const known = store.fileFormats.inPackage(archive.id, id).get(path)
      const { format, files } = (entry?.files ?? openFileIndex()).alike(path)
      return {
        format,
        inPackage: entry?.published.state === 'done' ? files : null,
        identified: known ? store.fileFormats.count(archive.id, known) : 0,
      }
    },
    find: (archive, { package: id, text, format, offset, limit }) => {
      const entry = all.get(keyOf(archive, id))
      if (!entry) throw new Failed({ kind: 'not-found', what: id })
      return entry.files.find(text, format, offset, limit)
    },
  }
}

/** What people at this desk wrote down of files. */
const noting = ({ store, now }: Parts): Pick<Calls, 'notes' | 'addNote' | 'removeNote'> => ({
  notes: ({ id: archive }, file) => store.fileNotes.of({ archive, ...file }),
  addNote: (archive, { package: of, path, text }) => {
    const { fullName, username } = archive.account()
    const note = { id: randomUUID(), text, author: fullName || username, made: now().toISOString() }
    store.fileNotes.keep({ archive: archive.id, package: of, path }, note)
    return note
  },
  removeNote: (archive, { id }) => store.fileNotes.remove(archive.id, id),
})

/** The same file in the other generations of its package. */
const comparing = ({ cacheOf, knownDigests }: Parts): Pick<Calls, 'generations' | 'leaveGenerations'> => {
  const asking = new Map<string, AbortController>()
  const keyOf = (archive: Archive, { package: id, path }: File) => JSON.stringify([archive.id, id, path])
  const compareAll = async (archive: Archive, { package: id, path }: File, signal: AbortSignal) => {
    const held = cacheOf(archive.id).packages
    const { aic } = held.facts(id) ?? {}
    if (aic === undefined || aic === null) return []
    const numbered = held.generations(aic).map((one, index) => ({ package: one, generation: index + 1 }))
    const asked = { archive: archive.client(), package: id, path, signal }
    const file = { archive: archive.id, package: id, path }
    const compareWith = comparedWithGenerations(asked, () =>
      knownDigests.find(file, archive.client(), signal),
    )
    const compared: FileInGeneration[] = []
    // One after the other: each may read a manifest of a million lines.
    for (const one of numbered.filter((other) => other.package !== id)) {
      const read = held.whole(one.package, archive.dialect().readPackage)
      const found = await compareWith(one.package)
      compared.push({ ...one, created: read?.entered ?? read?.created ?? null, ...found })
    }
    return compared
  }
  return {
    generations: async (archive, file) => {
      const key = keyOf(archive, file)
      const leaving = new AbortController()
      asking.set(key, leaving)
      try {
        return await compareAll(archive, file, leaving.signal)
      } finally {
        if (asking.get(key) === leaving) asking.delete(key)
      }
    },
    leaveGenerations: (archive, file) =>
      asking.get(keyOf(archive, file))?.abort(new Failed({ kind: 'conflict', detail: 'left' })),
  }
}

/** The parts of a file from its beginning, up to so many bytes. */
async function* beginningOf(stream: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let read = 0
  for await (const part of stream) {
    yield part.subarray(0, most - read)
    read += part.length
    if (read >= most) return
  }
}

/** What files are, found out once. */
const identifying = ({ opened, store, now }: Parts): Pick<Calls, 'identify'> => ({
  identify: async ({ id: archive }, { key }) => {
    const { of, bytes } = opened.said(key)
    const file = { archive, ...of }
    const known = store.fileFormats.of(file, bytes)
    // What a better tool may say is asked again, once there is one.
    if (
      known &&
      toolsFor(bytes).every(
        (tool) => tool === known.tool || known.failed.includes(tool) || tool === 'built-in',
      )
    )
      return known
    const format = await identifyFile({
      name: nameIn(of.path),
      bytes,
      read: (most) => beginningOf(opened.stream(key, new AbortController().signal), most),
      makeFolder: opened.makeFolder,
    })
    store.fileFormats.keep(file, bytes, format, now().toISOString())
    return format
  },
})

/** Files of packages, opened for the viewer, found, checked and noted. */
export const reader = (parts: Parts): Calls => {
  const { opened } = parts
  const { check, stopCheck, leave } = checking(parts)
  return {
    open: (archive, { package: id, path, most }) =>
      opened.open({
        archive: archive.id,
        client: archive.client,
        path: needed(archive.dialect().files).pathOf(id, path),
        of: { package: id, path },
        most,
      }),
    close: (_archive, { key }) => {
      leave(key)
      return opened.close(key)
    },
    check,
    stopCheck,
    ...indexing(parts),
    ...identifying(parts),
    ...noting(parts),
    ...comparing(parts),
    thumbnails: ({ id: archive }, { package: id, paths }) => parts.thumbnails.of(archive, id, paths),
    keepThumbnail: ({ id: archive }, { package: id, path, picture }) =>
      parts.thumbnails.keep(archive, id, { path, picture }),
  }
}
