import type { Telling } from '../contract/alerts.ts'
import type { PackageWork } from '../contract/packages.ts'
import type { SearchAnswer, SearchHit } from '../contract/search.ts'
import type { MediumUse, RelationUse } from '../contract/storage.ts'
import type { ArchiveStep } from '../contract/transfers.ts'

/**
 * What is held of an archive, in words of this product: what readers of every dialect make of its records.
 */

/** What a list shows and finds packages by. */
export interface PackageFacts {
  id: string
  /** AIC, AIP, DIP … (OAIS). */
  type: string
  aic: string | null
  label: string
  identifier: string
  /** The archive's own word, which is shown and filtered by; nothing is decided by it. */
  state: string
  stepState: string
  work: PackageWork
  bytes: number
  generation: number | null
  isLast: boolean
  policy: string | null
  /** Where it names no policy of its own: the submission agreement that has one. */
  agreement: string | null
  archived: boolean
  /** When it was preserved, else made. */
  since: string
  /** The archival creator; the empty text where nobody is named. */
  creator: string
}

/** One copy of a package on a medium. */
export interface StorageObject {
  id: string
  package: string
  medium: string | null
  /** What is written on the medium. */
  mediumId: string
  path: string
  targetName: string
  targetPath: string
  written: string
  container: boolean
}

export interface StorageMedium {
  id: string
  /** What is written on it. */
  name: string
  use: MediumUse
  /** The archive's own code and word for it, which are shown. */
  statusCode: number | null
  status: string
  location: string
  locationStatus: string
  usedBytes: number
  blockSize: string
  format: string
  mounts: number | null
  created: string | null
  agent: string
  target: string | null
  slot: unknown
  drive: unknown
  /** What the archive says beside. */
  unknown: Record<string, unknown>
}

export interface StorageTarget {
  id: string
  name: string
  isEnabled: boolean | null
  capacityBytes: number | null
  path: string
  type: string
}

/** That a method writes to a target. */
export interface StorageRelation {
  id: string
  name: string
  use: RelationUse
  status: string
  target: string | null
  method: string | null
}

export interface StorageMethod {
  id: string
  name: string
  isEnabled: boolean
  type: string
  inContainers: boolean
}

export interface StoragePolicy {
  id: string
  name: string
  isActive: boolean
  /** How confidential what it keeps is, from 0; null where the archive does not class it. */
  informationClass: number | null
  ingestFolder: string | null
  methods: { id: string; name: string; isEnabled: boolean }[]
}

export interface Notification {
  id: number
  tells: Telling
  message: string
  time: string
  seen: boolean
  /** The time in milliseconds since 1970; 0 where it cannot be read. */
  at: number
}

/** A record of any list of description as it stands in its list. */
export interface HeldRecord {
  id: string
  title: string
  note: string
  parent: string | null
  /** What those below it name as their parent, where that is not its id: its place in a structure. */
  place?: string
  /** The structure that a unit or a node stands in. */
  within: string | null
  /** A published structure, of which archives have copies. */
  isTemplate?: boolean
  /** A unit in which nodes stand; which, only its contents may say. */
  hasNodes?: boolean
  /** What it refers to, as "list:id". */
  refs: string[]
}

/** A unit or a node whose contents are asked for, with the structure that a node stands in. */
export type ContentsOf =
  { list: 'structure-units'; id: string } | { list: 'tags'; id: string; within: string | null }

/** A node in the contents of a unit or of another node. */
export interface NodeInside {
  id: string
  /** The package that it stands for. */
  package: string | null
}

export interface HeldOrder {
  id: string
  name: string
  content: string
  made: string | null
  responsible: string
  /** Each once, though an archive may name it twice. */
  packages: string[]
}

/** How a package that is being made for dissemination stands in the archive now. */
export interface DisseminationStatus {
  id: string
  stage: 'registered' | 'prepared' | 'creating' | 'created'
  /** The archive's own word for it, which is shown. */
  state: string
  hasFailed: boolean
  /** Work on it is begun, or stands in line. */
  isWorking: boolean
  agreement: string | null
  isLocked: boolean
}

/** How far a package that is brought over the interface has come in the archive. */
export interface SubmissionStatus {
  id: string
  /** What is done; "unknown" where the archive names a state that nobody has met. */
  step: ArchiveStep | 'unknown'
  /** The archive works at the next step. */
  isWorking: boolean
  /** The archive could not take the next step; why, its steps say. */
  hasFailed: boolean
  agreement: string | null
  label: string
  /** The archive's own word for it, which is shown. */
  state: string
  /** Where it lies while it is edited: nothing else can be done with it there. */
  workArea: WorkArea | null
}

/** A package in somebody's work area. */
export interface WorkArea {
  /** The id of the entry there. */
  id: string
  type: 'ingest' | 'access'
  /** The id of whose work area it is. */
  user: string
  /** The folder of the package there. */
  folder: string
}

/** Where files of a package are uploaded to: the package that is made, or its copy in a work area. */
export type UploadPlace = Pick<SubmissionStatus, 'id' | 'workArea'>

/** A file that the archive holds, as its own description says. */
export interface PreservedFile {
  /** Below the package, with slashes. */
  path: string
  /** NaN where it says none. */
  bytes: number
  /** In hexadecimal, small letters; empty where it says none. */
  digest: string
  /** As METS names it: "MD5", "SHA-256" … */
  algorithm: string
}

/** A transfer that the archive knows of. */
export interface RegisteredTransfer {
  id: string
  name: string
  delivery: string | null
  description: string
}

/** What an archive's own index gives: which generation a file is in, what is held says. */
export type IndexHit = Omit<SearchHit, 'generation'>
export type IndexAnswer = Omit<SearchAnswer, 'hits'> & { hits: IndexHit[] }
