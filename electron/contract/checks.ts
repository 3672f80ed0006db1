import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { Failure } from './failure.ts'
import type { PackageReport } from './findings.ts'
import { deskId, archiveId } from './ids.ts'

/** A digest that an archive keeps of a package, beside the one that was found of a file. */
export interface DigestComparison {
  /** Of what: the package itself, or one of its METS files. */
  of: 'package' | 'content-mets' | 'package-mets'
  algorithm: string
  expected: string
  found: string
  isMatch: boolean
}

/**
 * Something that was dropped on the window or chosen: a package that is checked, or a file that is compared
 * with the open package.
 */
export interface Check {
  id: string
  path: string
  began: string
  /** "copying": it was found valid, and a copy is made that a transfer sends. */
  state: 'working' | 'done' | 'copying' | 'stopped' | 'failed'
  /** Files and bytes read of those there are. */
  progress: { files: number; ofFiles: number; bytes: number; ofBytes: number; file: string }
  report: PackageReport | null
  /** Digests of a single file. */
  digests: { algorithm: string; digest: string }[]
  /** The package whose digests a file was compared with; null where none was open. */
  package: { archive: string; id: string; label: string } | null
  comparisons: DigestComparison[]
  /** The transfer that sends a copy of the package; null where none was made. */
  sentOn: string | null
  failure: Failure | null
}

/**
 * What may come from the window when something is dropped on it: paths that the system vouches for, and where
 * the window is.
 */
export const Dropped = v.object({
  paths: v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(4_096))), v.maxLength(100)),
  /** An address may name files, by paths that are long once they are encoded. */
  at: v.pipe(v.string(), v.maxLength(100_000)),
  /** The archive that is shown; empty where there is none. */
  archive: archiveId,
})

const Which = v.object({ id: deskId })

/** Packages and files that are checked. Kept while the program runs. */
export const checks = {
  list: query(v.undefined()).returns<Check[]>(),
  /** Main asks the person what to check. */
  choose: command(v.object({ what: v.picklist(['folder', 'files']) })).returns<Check[]>(),
  stop: command(Which).returns<void>(),
  close: command(Which).returns<void>(),
  /** Main asks where the findings go, as CSV; says whether they were saved. */
  save: command(Which).returns<boolean>(),
  changed: news<{ id: string }>(),
  /** Something was dropped: the window goes to its checks. */
  dropped: news<{ id: string }>(),
}
