import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { Failure } from './failure.ts'
import { endingOf, isShownSmall } from './file-endings.ts'
import { paging } from './paging.ts'
import { deskId, recordId } from './ids.ts'

/** A file of a package that is being looked at. */
export interface OpenedFile {
  /** Under it the viewer reads the bytes; nobody can guess it, and it is gone when the file is closed. */
  key: string
  bytes: number
  /**
   * Whether the archive gives parts of it. Where it does not, the whole is fetched to this computer while the
   * file is open, and `arrived` says how far that is.
   */
  isByParts: boolean
}

/** How much of a file has come that an archive gives only whole. */
export interface ArrivedPart {
  key: string
  bytes: number
  total: number
}

/** What the digest of a whole file says of it. */
export interface Verdict {
  /** "unsaid": nothing in the package says what was preserved. */
  is: 'preserved' | 'changed' | 'unsaid'
  /** "SHA-256". */
  algorithm: string
  /** Of the bytes that were read, in hexadecimal. */
  digest: string
  /** What the package says of the file; empty where nothing says it. */
  preserved: string
  /** The file of the package that says it: a manifest (RFC 8493 2.1.3), or a METS. */
  source: string
}

/** A file that is read whole and compared with what the package says of it. */
export interface FileCheck {
  key: string
  state: 'working' | 'done' | 'stopped' | 'failed'
  /** Bytes that were read, of how many. */
  bytes: number
  total: number
  verdict: Verdict | null
  /** Why it could not be read: that says nothing of the file. */
  failure: Failure | null
}

/** A file under the same path in another generation of its package. */
export interface FileInGeneration {
  package: string
  /** Its number among the generations that are held, from 1. */
  generation: number
  created: string | null
  /** "unknown" where it has the same length, and no digest says more. */
  is: 'same' | 'changed' | 'absent' | 'unknown'
  by: 'digest' | 'size' | null
}

/** A file of a package, found by its path. */
export interface FoundFile {
  /** Its path: nothing else tells it from the others. */
  id: string
  bytes: number | null
}

/** How many files of a package have a format, and how many bytes they are. */
export interface FilesOfFormat {
  /** Its short name, by which its files are found; empty for those whose names have no ending. */
  format: string
  files: number
  bytes: number
}

/** All files of a package, as far as they are read. */
export interface PackageFiles {
  package: string
  state: 'working' | 'done' | 'failed'
  files: number
  /** There are more files than are looked through. */
  isCut: boolean
  /** Those of a container are among them, which the package itself counts as one file. */
  hasContainer: boolean
  /** What identification said of a file, or else the ending of its name; the most frequent first. */
  formats: FilesOfFormat[]
  /** Some that stand for all, once these are read: pictures first, then one of each other format. */
  leading: FoundFile[]
  failure: Failure | null
}

/** What says what a file is: tools that may be installed, and a library that is always there. */
export const formatTools = ['siegfried', 'fido', 'built-in'] as const

/** What a file is. */
export interface FileFormat {
  /** PRONOM's identifier ("fmt/353"); empty where nothing is certain. */
  puid: string
  name: string
  mime: string
  tool: (typeof formatTools)[number]
  /** Tools that are installed and could not say it. */
  failed: (typeof formatTools)[number][]
}

/** A file shown small. */
export interface Thumbnail {
  path: string
  /** WebP in base64; null for a file of which none could be made. */
  picture: string | null
}

/** What somebody wrote down of a file, at this desk. */
export interface FileNote {
  id: string
  text: string
  /** Who was signed in. */
  author: string
  made: string
}

/** So many files of a package are looked through. */
export const mostFound = 250_000
const longestNote = 4_000
/** Above this a file is read whole only where somebody asks for it. */
export const checkedByItself = 16 * 1024 * 1024

/** So many thumbnails are asked for at a time. */
export const mostThumbnailsAsked = 200
/** In base64. */
export const longestThumbnail = 16 * 1024
/** A larger file has no thumbnail: reading it would take more than looking at it is worth. */
export const mostForThumbnail = 32 * 1024 * 1024
/** Whether a file may be shown small in a list, by its name. @param bytes null where nothing says it */
export const mayHaveThumbnail = (path: string, bytes: number | null): boolean =>
  bytes !== null && bytes > 0 && bytes <= mostForThumbnail && isShownSmall(endingOf(path))

const Key = v.object({ key: v.pipe(v.string(), v.maxLength(200)) })
const File = v.object({ package: recordId, path: v.pipe(v.string(), v.minLength(1), v.maxLength(4_000)) })
const OfPackage = v.object({ package: recordId })

/** How many files there are of the format that a file has. */
export interface AlikeFiles {
  /** Its short name; empty where nothing says one. */
  format: string
  /** In its package; null until the names of all its files were read. */
  inPackage: number | null
  /** In the whole archive, among the files that this desk identified: nobody has looked at the others. */
  identified: number
}

/** Looking at files of packages, by parts, in a frame that has neither bridge nor network. */
export const reader = {
  /** Opens a file of a package, unless it is longer than `most` bytes; `path` as in `files.list`. */
  open: command(
    v.object({ ...File.entries, most: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))) }),
  ).returns<OpenedFile>(),
  close: command(Key).returns<void>(),
  arrived: news<ArrivedPart>(),
  /** Reads an open file whole, and compares it with what its package says of it. */
  check: command(Key).returns<FileCheck>(),
  stopCheck: command(Key).returns<void>(),
  checked: news<FileCheck>(),
  /** What an open file is; it is found out once, and kept. */
  identify: command(Key).returns<FileFormat>(),
  /** How many files are of its format, as far as this desk knows. */
  alike: query(File).returns<AlikeFiles>(),
  /** The same path in the other generations of its package, the oldest first. */
  generations: query(File).returns<FileInGeneration[]>(),
  /** Nobody waits for that any more. */
  leaveGenerations: command(File).returns<void>(),
  /** Reads the names of all files of a package, so that they can be found; `indexed` says how far that is. */
  index: command(OfPackage).returns<PackageFiles>(),
  indexed: news<PackageFiles>(),
  /** Files of a package that was indexed whose paths contain every word, in the order of their paths. */
  find: query(
    v.object({
      ...OfPackage.entries,
      text: v.pipe(v.string(), v.maxLength(500)),
      /** Only files of this format, as `formats` names it; null for all. */
      format: v.nullable(v.pipe(v.string(), v.maxLength(200))),
      ...paging,
    }),
  ).returns<{ rows: FoundFile[]; total: number }>(),
  /** Thumbnails that are kept of files of a package; for a file without one it was never tried. */
  thumbnails: query(
    v.object({
      ...OfPackage.entries,
      paths: v.pipe(v.array(File.entries.path), v.maxLength(mostThumbnailsAsked)),
    }),
  ).returns<Thumbnail[]>(),
  keepThumbnail: command(
    v.object({
      ...File.entries,
      picture: v.nullable(v.pipe(v.string(), v.base64(), v.maxLength(longestThumbnail))),
    }),
  ).returns<void>(),
  notes: query(File).returns<FileNote[]>(),
  addNote: command(
    v.object({
      ...File.entries,
      text: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(longestNote)),
    }),
  ).returns<FileNote>(),
  removeNote: command(v.object({ id: deskId })).returns<void>(),
}
