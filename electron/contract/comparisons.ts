import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { Failure } from './failure.ts'
import { offset } from './paging.ts'
import { recordId } from './ids.ts'

/**
 * How a file of one package stands to another package. "redated": as long as before, with another date, and
 * no digest says more; "respelled": the same but for the Unicode normal form of its name; "unknown": the
 * archive says nothing by which the two could be told apart.
 */
export const fileChanges = ['added', 'removed', 'changed', 'redated', 'respelled', 'unknown'] as const
export type FileChange = (typeof fileChanges)[number]

/** By what files that both packages have were compared. */
export const comparedBy = ['digest', 'size and date', 'size', 'nothing'] as const
export type ComparedBy = (typeof comparedBy)[number]

/** A file as the archive tells it. */
export interface ToldFile {
  path: string
  bytes: number | null
  modified: string | null
  /** In hexadecimal; empty where the archive says none. */
  digest: string
  algorithm: string
}

/** A file that is not the same in both packages. */
export interface ComparedFile {
  /** Where it lies in the later package; of one that was removed, in the former. */
  path: string
  change: FileChange
  /** Both have it, under names that differ in their Unicode normal form. */
  isRespelled: boolean
  by: ComparedBy
  former: ToldFile | null
  later: ToldFile | null
}

export type ChangeCounts = Record<FileChange, number>

/** How far the comparison of the files of two packages is, and what it found. */
export interface FileComparison {
  former: string
  later: string
  state: 'working' | 'done' | 'stopped' | 'failed'
  /** Files that were read of both; `ofFiles` is null where the archive does not say how many there are. */
  progress: { files: number; ofFiles: number | null }
  counts: ChangeCounts
  same: number
  /** How many of the files that both have were compared by what. */
  by: Record<ComparedBy, number>
  failure: Failure | null
}

/** A line of a folder: a folder with what differs below it, or a file that differs. */
export interface ComparedLine {
  name: string
  path: string
  /** null for a file. */
  below: ChangeCounts | null
  file: ComparedFile | null
}

/** So many files of a package are compared: more would fill the memory. */
export const mostCompared = 250_000
/** So many lines of a folder are given at once. */
export const linesAtOnce = 200
/** So many files are given at once, for a list of all that differ. */
export const mostListed = 100_000

const pair = { former: recordId, later: recordId }
const Pair = v.object(pair)

/**
 * Two packages compared, file by file. What was found is held while there is room, until one of the two
 * changes or nobody is signed in to the archive any more.
 */
export const comparisons = {
  /** Begins to read both; what is under way or done already is told as it is. */
  begin: command(Pair).returns<FileComparison>(),
  stop: command(Pair).returns<void>(),
  /** What differs in a folder; '' is the package itself. Folders first. */
  folder: query(
    v.object({
      ...pair,
      path: v.pipe(v.string(), v.maxLength(8_000)),
      /** Only what changed like this; null for all that differs. */
      change: v.nullable(v.picklist(fileChanges)),
      offset,
    }),
  ).returns<{ lines: ComparedLine[]; total: number }>(),
  /** Those that differ, in the order of their paths: the first `mostListed`, and how many there are. */
  differing: query(Pair).returns<{ files: ComparedFile[]; total: number }>(),
  progress: news<FileComparison>(),
}
