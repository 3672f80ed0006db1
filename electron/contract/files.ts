import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { Failure } from './failure.ts'
import type { Verdict } from './reader.ts'
import { deskId, recordId } from './ids.ts'

/** A file or a folder inside a package, as the archive names it. */
export interface FileEntry {
  name: string
  isFolder: boolean
  /** A file that can be looked into as if it lay open. */
  isContainer: boolean
  /** null where the archive does not say, as of some folders. */
  bytes: number | null
  modified: string | null
}

/** What a description that a package brought with it says that a file is, or what lies in a folder. */
export type FileRole =
  | 'representation'
  | 'content'
  | 'descriptive metadata'
  | 'preservation metadata'
  | 'rights metadata'
  | 'documentation'
  | 'schemas'
  /** It describes what lies beside and below it. */
  | 'description'
  /** No description names it. */
  | 'unnamed'

export interface EntryRole {
  name: string
  role: FileRole
}

/** A file on its way from the archive to this computer. */
export interface Download {
  id: string
  package: string
  path: string
  target: string
  /** "altered": it is saved, and is not what the package says was preserved. */
  state: 'running' | 'stopped' | 'failed' | 'done' | 'altered'
  bytesDone: number
  /** null where the archive does not say. */
  bytes: number | null
  failure: Failure | null
  /** What the digest of the saved file says of it; null as long as nothing does. */
  verdict: Verdict | null
}

/** A person has to look at it: it did not come whole, or is not what was preserved. */
export const isTroubled = ({ state }: Download): boolean => state === 'failed' || state === 'altered'

const File = v.object({ package: recordId, path: v.pipe(v.string(), v.maxLength(4_000)) })
const One = v.object({ id: deskId })

/** Looking into packages, where an archive lets one. */
export const files = {
  /** What lies in a folder of a package; '' is the package itself. */
  list: query(File).returns<FileEntry[]>(),
  /** What descriptions above a folder say of its entries; of some nothing. */
  roles: query(File).returns<EntryRole[]>(),
  /** Asks where the file is to be saved, and begins; null when the person cancelled. */
  download: command(File).returns<Download | null>(),
  downloads: query(v.object({ package: recordId })).returns<Download[]>(),
  /** Those of all packages that are not complete. */
  unfinished: query(v.undefined()).returns<Download[]>(),
  /**
   * Goes on where it was stopped or broke, from what is on the disk where the archive can continue, else from
   * the beginning. An altered file is fetched anew and replaced.
   */
  resume: command(One).returns<void>(),
  stop: command(One).returns<void>(),
  /** Takes it off the list; a file that is not complete is removed from the disk. */
  forget: command(One).returns<void>(),
  progress: news<Download>(),
}
