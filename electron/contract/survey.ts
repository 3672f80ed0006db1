import type { Counts } from './counts.ts'

/** Something of a source that is not packed: a link (never followed), or a socket, pipe or device. */
export interface Skipped {
  path: string
  why: 'link' | 'special'
  /** Where a link points. */
  target: string | null
}

/** What is unusual in a name, so that somebody should know before it is packed. */
export const nameTroubles = [
  'hidden',
  'windows',
  'long',
  'percent',
  'line-break',
  'case-twin',
  'form-twin',
] as const
export type NameTrouble = (typeof nameTroubles)[number]

/** A name that some other system would refuse, hide, or take for another one. */
export interface NameWarning {
  trouble: NameTrouble
  path: string
}

/**
 * What a walk through the sources found, before anything is packed. Lists end at a thousand, their numbers do
 * not.
 */
export interface Survey {
  counts: Counts
  /** Bytes that lie on the disk, which is less than `counts.bytes` where files are sparse. */
  allocated: number
  skipped: { count: number; first: Skipped[] }
  warned: { count: number; first: NameWarning[] }
  /**
   * How many files have each extension, and their bytes: in lower case with its dot, empty for none. Ends at
   * a thousand.
   */
  extensions: { extension: string; files: number; bytes: number }[]
  /** How many files have no content. */
  empty: number
  /**
   * How many files cannot be named in a form (RFC 7578): their name, or that of a folder above them, is blank
   * or has a line break.
   */
  unnameable: number
}

/** Files or folders of a source; the list ends at a thousand, the number does not. */
export interface CountedPaths {
  count: number
  first: string[]
}

/** What a walk through the sources of a draft found, with what would stop packing them. */
export interface SourceSurvey extends Survey {
  /** Files that cannot be opened now, and folders that cannot be read. */
  unreadable: CountedPaths
  /** Names that unzip would change, so that a zip is refused. */
  notInZip: CountedPaths
  /** Folders with nothing in them: they are packed, but no manifest names them. */
  emptyFolders: CountedPaths
  /**
   * Files that do not begin as their extension says, with the format that they begin like; empty where that
   * is none that is known so.
   */
  misnamed: { count: number; first: { path: string; format: string }[] }
}

/** What stands in the way of packing a draft now and may pass: asked of the disk each time. */
export interface PackingObstacles {
  /** Sources that are not there: a drive that is not connected, a folder that was moved. */
  away: string[]
  /** Sources that the package would be put into. */
  holding: string[]
  /** Where packages lie, if there is too little space for this one, and how many bytes there are. */
  shortage: { folder: string; needed: number; free: number } | null
}
