import * as v from 'valibot'
import { news, query } from './define.ts'
import { filtersOf, type FacetValue } from './filters.ts'
import { beginning, paging, type Listed } from './paging.ts'
import { recordId } from './ids.ts'

/** What the archive does on a package, or could not do. */
export type PackageWork = 'none' | 'under way' | 'failed'

export interface PackageRow {
  id: string
  /** AIC rows stand at the top of the tree; others belong to the AIC they name, or to none. */
  type: string
  aic: string | null
  label: string
  identifier: string
  state: string
  stepState: string
  work: PackageWork
  bytes: number
  generation: number | null
  isLast: boolean
  /** For an AIC: the id of its newest generation. */
  newest: string | null
  /** For an AIC: how many generations it has. */
  generations: number
  /** For an AIC: those of its last generation. */
  copies: number
  /** How many of them lie on media that have failed. */
  lost: number
  /** How many copies the policy requires; null when the policy is not known. */
  wanted: number | null
  /** The archival creator; the empty text where nobody is named. */
  creator: string
  /** ISO time of the last change: the newest generation's for an AIC. */
  changed: string
  /** Changed in the archive since a person last looked at it here. */
  isNew: boolean
}

export type PackageSort = WhichPackages['sort']

/**
 * One copy of a package: a storage object with the medium and target it lies on (specification 2.2 to 2.4).
 */
export interface Copy {
  id: string
  mediumId: string
  medium: string | null
  path: string
  location: string
  locationStatus: string
  status: string
  targetName: string
  targetPath: string
  written: string
  container: boolean
  fullness: number | null
  isNearlyFull: boolean
  /** The medium has failed: what lies on it may be lost. */
  isLost: boolean
}

export interface Person {
  id: number
  username: string
  name: string
  email: string
  lastLogin: string | null
  joined: string | null
}

export interface PackageAgent {
  key: string
  id: number | null
  role: string
  type: string
  name: string
  code: string
  notes: string[]
}

export interface MetsFile {
  made: string | null
  bytes: number | null
  algorithm: string
  digest: string
}

/** An IP-profile relation (specification 2.12). */
export interface ProfileOfPackage {
  type: string
  id: string
  profile: string
  name: string
  included: boolean
  lockedBy: number | null
  isUnlockable: boolean
  dataVersions: string[]
}

export interface PremisEvent {
  id: number
  type: string
  detail: string
  time: string
  /** The same in milliseconds since 1970; 0 where it cannot be read. */
  at: number
  failed: boolean | null
  note: string
  agent: string
  package: string | null
  transfer: string | null
  /** Whether it says that the archive received what was transferred, or preserved it. */
  receipt: 'received' | 'preserved' | null
}

/**
 * Something that happened to a package, whoever tells it: the archive's events, its notifications, and what
 * this desk sent.
 */
export interface TimeLineEntry {
  id: string
  time: string
  source: 'event' | 'notification' | 'desk'
  /** What happened: the event's own words or the message; for the desk the step of the transfer. */
  what: string
  note: string
  failed: boolean | null
  agent: string
  /** For the desk: the transfer. */
  transfer: string | null
}

/** A task of a step that an archive runs on a package. */
export interface WorkTask {
  id: string
  label: string
  state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped' | 'not begun'
  /** What it says of its failure. */
  message: string
}

/** A step that an archive runs, with its tasks where it is not done. */
export interface WorkStep extends WorkTask {
  /** Of a hundred; null where nobody says. */
  progress: number | null
  made: string | null
  tasks: WorkTask[]
}

/**
 * What an archive says of one package when it is asked for that one alone; null or empty where it cannot be
 * asked.
 */
export interface PackageNow {
  steps: WorkStep[]
  events: PremisEvent[] | null
  copies: number | null
}

/** What an account may do with a package; archives name it in many more permissions of their own. */
export const packageActs = [
  'view',
  'open files',
  'search',
  'fetch',
  'order',
  'disseminate',
  'send',
  'begin generation',
  'ingest',
  'change',
  'delete',
] as const
export type PackageAct = (typeof packageActs)[number]

/**
 * A package with every field of the specification (2.9 to 2.12); what the specification does not name is in
 * `unknown`.
 */
export interface Package {
  id: string
  label: string
  identifier: string
  type: string
  state: string
  stepState: string
  work: PackageWork
  status: number | null
  archived: boolean | null
  cached: boolean | null
  aic: string | null
  generation: number | null
  isFirst: boolean
  isLast: boolean
  policy: string | null
  agreement: string | null
  isAgreementLocked: boolean | null
  responsible: Person | null
  organization: string | null
  created: string | null
  entered: string | null
  started: string | null
  ended: string | null
  appraised: string | null
  bytes: number
  items: number | null
  path: string
  digest: string
  algorithm: string
  contentMets: MetsFile | null
  packageMets: MetsFile | null
  agents: PackageAgent[]
  /** What this account may do with it. */
  acts: PackageAct[]
  profiles: ProfileOfPackage[]
  profilesNotAttached: string[]
  workarea: unknown[]
  newVersion: unknown
  unknown: Record<string, unknown>
}

export interface PackagePage {
  package: Package
  aic: { id: string; label: string } | null
  /** The oldest first. */
  generations: {
    id: string
    created: string | null
    bytes: number
    items: number | null
    isLast: boolean
  }[]
  /**
   * Whether the archive opens the last generation to make the next out of it; else a package that is sent
   * under the same identifier is the next.
   */
  opensGenerations: boolean
  copies: Copy[]
  wanted: number | null
  /** Copies are made when a package is preserved. */
  isPreserved: boolean
  policyName: string | null
  /** How confidential what its policy keeps is, from 0; null where the archive does not say. */
  informationClass: number | null
  agreementName: string | null
  timeLine: TimeLineEntry[]
  /** The record as the archive gave it. */
  raw: string
  asOf: string | null
}

/** Fields that the list of packages is filtered by; an AIC has those of its newest generation. */
export const packageFields = [
  'state',
  'creator',
  'policy',
  'medium',
  'size',
  'year',
  'copies',
  'work',
] as const
export type PackageField = (typeof packageFields)[number]

/** Where one size ends and the next begins, in bytes: "1000000-100000000" is a value of "size". */
export const sizeBounds = [0, 1e6, 1e8, 1e9, 1e10, 1e11, 1e12]

/** Columns whose values may be the same in every row. */
export const comparedColumns = ['state', 'bytes', 'copies', 'generations', 'changed', 'creator'] as const
export type ComparedColumn = (typeof comparedColumns)[number]

/** So many packages can be chosen at once. */
export const mostChosen = 10_000

/** Which rows of the list of packages are wanted: as it is narrowed and sorted, and what is open in it. */
export const WhichPackages = v.object({
  view: v.picklist(['tree', 'flat']),
  sort: v.picklist(['label', 'identifier', 'creator', 'state', 'bytes', 'copies', 'generations', 'changed']),
  filters: v.optional(filtersOf(packageFields)),
  descending: v.boolean(),
  filter: v.pipe(v.string(), v.maxLength(1000)),
  open: v.pipe(v.array(recordId), v.maxLength(10_000)),
  ...paging,
})
export type WhichPackages = v.InferOutput<typeof WhichPackages>

const WhichPackageBeginning = v.object({
  ...v.omit(WhichPackages, ['offset', 'limit']).entries,
  ...beginning,
})
export type WhichPackageBeginning = v.InferOutput<typeof WhichPackageBeginning>

const WhichPackageLine = v.object({ ...v.omit(WhichPackages, ['offset', 'limit']).entries, id: recordId })
export type WhichPackageLine = v.InferOutput<typeof WhichPackageLine>

const WhichPackageFacet = v.object({
  ...v.omit(WhichPackages, ['offset', 'limit', 'open']).entries,
  field: v.picklist(packageFields),
})
export type WhichPackageFacet = v.InferOutput<typeof WhichPackageFacet>

const WhichPackageColumns = v.omit(WhichPackages, ['offset', 'limit', 'open'])
export type WhichPackageColumns = v.InferOutput<typeof WhichPackageColumns>

const WhichPackageLines = v.object({
  ...v.omit(WhichPackages, ['limit']).entries,
  limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostChosen)),
})
export type WhichPackageLines = v.InferOutput<typeof WhichPackageLines>

/** What a window may ask about information packages. Everything comes from the local copy. */
export const packages = {
  list: query(WhichPackages).returns<Listed<PackageRow>>(),
  /** The line of that row; null where none begins so. */
  beginning: query(WhichPackageBeginning).returns<{ line: number | null }>(),
  /**
   * The line on which a package stands, by itself or as its AIC; null where the list does not hold it. An
   * earlier generation has no row of its own while its AIC is closed: that one is named then.
   */
  line: query(WhichPackageLine).returns<{ line: number | null; closed: string | null }>(),
  /** The values of a field among the rows that match all other filters, the most frequent first. */
  facet: query(WhichPackageFacet).returns<FacetValue[]>(),
  /** Columns that say the same in every row that matches. */
  uniform: query(WhichPackageColumns).returns<ComparedColumn[]>(),
  /** The packages of some lines, for many to be chosen at once: of an AIC its newest generation. */
  chosen: query(WhichPackageLines).returns<{ id: string; bytes: number }[]>(),
  one: query(v.object({ id: recordId })).returns<PackagePage>(),
  /**
   * The same package as the archive itself has it now: the steps it runs, what happened that is not held yet,
   * how many copies there are.
   */
  now: query(v.object({ id: recordId })).returns<{
    steps: WorkStep[]
    later: TimeLineEntry[]
    copies: number | null
  }>(),
  /** The local copy is newer than before. */
  changed: news<{ asOf: string }>(),
}
