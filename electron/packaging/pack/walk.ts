import { isUtf8 } from 'node:buffer'
import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { entryIn } from '../../common/records.ts'
import { Failed, type SourceTrouble } from '../../contract/failure.ts'
import type { CountedPaths, NameTrouble, NameWarning, Skipped, Survey } from '../../contract/survey.ts'
import {
  foldedCase,
  foldedForm,
  freeName,
  isBrokenByLines,
  isRefusedByWindows,
  isUnnameable,
  longestPath,
  shownName,
} from '../names.ts'
import { nameHash, numberList, repeatedIn } from '../name-hash.ts'
import { codeOf } from '../../common/errors.ts'

/**
 * A folder or file to pack, and the name that it gets in the package, below the payload's folder; nothing for
 * a folder that is copied as it is.
 */
export interface Root {
  path: string
  name: string
}

const codes: Record<string, SourceTrouble> = { ENOENT: 'vanished', ENOTDIR: 'vanished' }

/** What went wrong with a file of the source, as a failure that names it. */
export const sourceFailure = (error: unknown, file: string): Failed =>
  error instanceof Failed
    ? error
    : new Failed(
        {
          kind: 'source',
          trouble: entryIn(codes, codeOf(error)) ?? 'unreadable',
          path: file,
        },
        { cause: error },
      )

/** Two sources of the same name lie beside each other in the package, the second with a number. */
export const rootsOf = (sources: string[], payloadFolder: string): Root[] => {
  const taken = new Set<string>()
  return sources.map((source) => {
    const { name: stem, ext } = path.parse(source)
    const name = freeName(taken, stem, ext)
    return { path: source, name: payloadFolder === '' ? name : `${payloadFolder}/${name}` }
  })
}

interface Visitor {
  /** `below` is the path below its root, with '/' whatever the system; empty for the root itself. */
  file: (root: number, below: string, bytes: number, modifiedMs: number, allocated: number) => void
  folder: (root: number, below: string, modifiedMs: number) => void
  /** A folder with nothing in it; `folder` is told of it too. */
  emptyFolder?: (from: string) => void
  skip: (skipped: Skipped) => void
  warn: (warning: NameWarning) => void
  /** Why a name, with '/' behind that of a folder, cannot be packed in this form. */
  refuse?: (name: string, from: string) => SourceTrouble | undefined
  /** Told of what cannot be read, so that the walk goes on beside it; without this it ends there. */
  unreadable?: (from: string) => void
  /** Whether to go on. */
  gate: () => boolean
}

const statsOf = (file: string) => {
  try {
    return lstatSync(file)
  } catch (error) {
    throw sourceFailure(error, file)
  }
}

/** Bytes that a file takes on the disk: less than its size where it is sparse. Windows does not say. */
const allocatedOf = ({ size, blocks }: { size: number; blocks: number }) =>
  process.platform === 'win32' ? size : Math.min(size, blocks * 512)

/**
 * Names in a folder, and those whose bytes are no UTF-8, which cannot stand in a manifest: Node shows such
 * bytes as U+FFFD.
 */
const namesIn = (folder: string): { names: string[]; noText: Buffer[] } => {
  try {
    const names = readdirSync(folder).sort()
    if (!names.some((name) => name.includes('\uFFFD'))) return { names, noText: [] }
    const all = readdirSync(folder, { encoding: 'buffer' })
    return {
      names: all
        .filter((name) => isUtf8(name))
        .map((name) => name.toString('utf8'))
        .sort(),
      noText: all.filter((name) => !isUtf8(name)),
    }
  } catch (error) {
    throw sourceFailure(error, folder)
  }
}

const troublesOf = (name: string, inPackage: string): NameTrouble[] => [
  ...(name.startsWith('.') ? (['hidden'] as const) : []),
  ...(isRefusedByWindows(name) ? (['windows'] as const) : []),
  ...(inPackage.length > longestPath ? (['long'] as const) : []),
  ...(name.includes('%') ? (['percent'] as const) : []),
  ...(isBrokenByLines(name) ? (['line-break'] as const) : []),
]

/**
 * Names of one folder that are the same where case or accents do not count. Of a million names only numbers
 * are kept.
 */
const warnOfCollisions = (names: string[], warn: (trouble: NameTrouble, name: string) => void) => {
  if (names.length < 2) return
  const folded = numberList()
  for (const name of names) folded.push(nameHash(foldedCase(name)))
  const { first: repeated } = repeatedIn(folded.all().sort(), Infinity)
  if (repeated.size === 0) return
  const firstNames = new Map<string, string>()
  for (const name of names.filter((name) => repeated.has(nameHash(foldedCase(name))))) {
    const other = firstNames.get(foldedCase(name))
    if (other !== undefined) warn(foldedForm(other) === foldedForm(name) ? 'form-twin' : 'case-twin', name)
    else firstNames.set(foldedCase(name), name)
  }
}

/** So many names that are no text are told of one walk. */
const mostTold = 100

/**
 * Walks sources in a fixed order. Nothing is opened and no link is followed: links, sockets, pipes and
 * devices in a source are skipped and said so.
 * @throws Failed with the path that cannot be read where `unreadable` is not told of it, a source that is
 * neither file nor folder, or the names that are no text
 */
export const walk = (roots: Root[], visitor: Visitor) => {
  const { file, folder, emptyFolder, skip, warn, refuse, unreadable, gate } = visitor
  const noText: string[] = []
  /** What reads it gives; nothing where it cannot be read and somebody was told so. */
  const readOrTell = <T>(from: string, read: (from: string) => T): T | undefined => {
    try {
      return read(from)
    } catch (error) {
      const { failure } = sourceFailure(error, from)
      if (!unreadable || failure.kind !== 'source' || failure.trouble !== 'unreadable') throw error
      unreadable(from)
      return undefined
    }
  }
  const visit = (root: number, from: string, below: string, inPackage: string, name: string): void => {
    if (!gate()) return
    const stats = readOrTell(from, statsOf)
    if (!stats) return
    const refused = refuse?.(stats.isDirectory() ? `${name}/` : name, from)
    if (refused) throw new Failed({ kind: 'source', trouble: refused, path: from })
    for (const trouble of troublesOf(name, inPackage)) warn({ trouble, path: from })
    if (stats.isFile()) file(root, below, stats.size, stats.mtimeMs, allocatedOf(stats))
    else if (stats.isDirectory()) {
      folder(root, below, stats.mtimeMs)
      const inside = readOrTell(from, namesIn)
      if (!inside) return
      const { names, noText: found } = inside
      if (names.length + found.length === 0) emptyFolder?.(from)
      for (const bytes of found.slice(0, mostTold - noText.length))
        noText.push(path.join(from, shownName(bytes)))
      warnOfCollisions(names, (trouble, name) => warn({ trouble, path: path.join(from, name) }))
      for (const child of names)
        visit(
          root,
          path.join(from, child),
          below === '' ? child : `${below}/${child}`,
          `${inPackage}/${child}`,
          child,
        )
    } else if (below === '') throw new Failed({ kind: 'source', trouble: 'not-a-file', path: from })
    else
      skip({
        path: from,
        why: stats.isSymbolicLink() ? 'link' : 'special',
        target: stats.isSymbolicLink() ? readlinkSync(from) : null,
      })
  }
  for (const [index, { path: from, name }] of roots.entries())
    visit(index, from, '', name, path.posix.basename(name))
  const [first, ...others] = noText.map((file) => ({ trouble: 'no-text' as const, path: file }))
  if (first) throw new Failed({ kind: 'source', ...first, others })
}

/** So many of what is wrong are listed. */
export const mostListed = 1_000

/** Counts what is wrong with files one by one, and lists the first thousand. */
export const pathCounter = () => {
  const counted: CountedPaths = { count: 0, first: [] }
  return {
    counted,
    add: (file: string) => {
      counted.count += 1
      if (counted.first.length < mostListed) counted.first.push(file)
    },
  }
}

/**
 * What a walk counts: files, folders, bytes; what is skipped and why; which names are unusual. Lists end at a
 * thousand, their numbers do not.
 */
export const surveyor = () => {
  const survey: Survey = {
    counts: { files: 0, folders: 0, bytes: 0 },
    allocated: 0,
    skipped: { count: 0, first: [] },
    warned: { count: 0, first: [] },
    extensions: [],
    empty: 0,
    unnameable: 0,
  }
  const byExtension = new Map<string, Survey['extensions'][number]>()
  const countExtension = (extension: string, bytes: number) => {
    const known = byExtension.get(extension)
    if (known) {
      known.files += 1
      known.bytes += bytes
    } else if (byExtension.size < mostListed) {
      const counted = { extension, files: 1, bytes }
      byExtension.set(extension, counted)
      survey.extensions.push(counted)
    }
  }
  return {
    survey,
    count: {
      /** @param name its path, with that of its root */
      file: (name: string, bytes: number, allocated: number) => {
        survey.counts.files += 1
        survey.counts.bytes += bytes
        survey.allocated += allocated
        if (bytes === 0) survey.empty += 1
        if (isUnnameable(name)) survey.unnameable += 1
        countExtension(path.posix.extname(name).toLowerCase(), bytes)
      },
      folder: () => {
        survey.counts.folders += 1
      },
      skip: (skipped: Skipped) => {
        survey.skipped.count += 1
        if (survey.skipped.first.length < mostListed) survey.skipped.first.push(skipped)
      },
      warn: (warning: NameWarning) => {
        survey.warned.count += 1
        if (survey.warned.first.length < mostListed) survey.warned.first.push(warning)
      },
    },
  }
}
