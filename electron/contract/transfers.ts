import * as v from 'valibot'
import type { Agreement, AgreementField } from './agreements.ts'
import { command, news, query } from './define.ts'
import type { Counts } from './counts.ts'
import { passes, type Failure } from './failure.ts'
import type { Constraint } from './jobs.ts'
import { filtersOf, type FacetValue } from './filters.ts'
import type { FormatTable } from './format-table.ts'
import { mostChosen } from './packages.ts'
import { beginning, paging } from './paging.ts'
import { deskId, longestId, recordId } from './ids.ts'
import type { TransferHistory } from './transfer-history.ts'
import type { PackingObstacles, SourceSurvey, Survey } from './survey.ts'

const line = v.pipe(v.string(), v.maxLength(255))
/** So many characters a further tag has at most. */
export const longestTag = 2_000
/** And so many the description. */
export const longestDescription = 20_000

/**
 * The form of a draft, as it is typed; nothing of it has to be right before it is sent (specification 2.14,
 * transfer).
 */
export const TransferForm = v.object({
  name: line,
  /** The delivery's id as text; empty while none is chosen. */
  delivery: v.pipe(v.string(), v.maxLength(longestId)),
  /** The id of the submission agreement that it is sent under, where the archive takes packages so. */
  agreement: v.optional(v.pipe(v.string(), v.maxLength(longestId)), ''),
  /** What the agreement asks for of each package, by the keys of its fields; absent is what is usual. */
  agreementValues: v.exactOptional(v.record(line, v.pipe(v.string(), v.maxLength(longestTag)))),
  organization: line,
  address: line,
  person: line,
  email: line,
  description: v.pipe(v.string(), v.maxLength(longestDescription)),
  /**
   * The package's own identifier; one that the archive knows already makes a new generation of that package.
   */
  identifier: line,
  /** The package that it adds to as its next generation, where the archive opens that for it. */
  generationOf: v.exactOptional(v.object({ id: recordId, title: v.string() })),
  /** Further tags of the package, by their labels, as a profile wants them (RFC 8493 2.2.2). */
  tags: v.optional(v.record(line, v.pipe(v.string(), v.maxLength(longestTag))), {}),
})
export type TransferForm = v.InferOutput<typeof TransferForm>

/** How a package is made. */
export const PackingSettings = v.object({
  /** By its name in packaging/formats.ts; the first of them where nothing is said. */
  format: v.exactOptional(v.pipe(v.string(), v.maxLength(40))),
  /** The version of the format; its first one where nothing is said. */
  version: v.exactOptional(v.pipe(v.string(), v.maxLength(40))),
  /** Whether each folder of the sources is a representation of its own, where the format has them. */
  representations: v.exactOptional(v.picklist(['one', 'each folder'])),
  form: v.picklist(['folder', 'tar', 'zip']),
  algorithm: v.picklist(['sha256', 'sha512']),
  isPolite: v.boolean(),
  /**
   * How it goes where packages go over the interface: as one file, which is what absent means, or each file
   * by itself, so that the archive sees them.
   */
  upload: v.exactOptional(v.picklist(['one file', 'each file'])),
  /**
   * Who proposed its format: the submission agreement, or the desk, which goes by the last one; absent where
   * a person chose it.
   */
  formatProposedBy: v.exactOptional(v.picklist(['desk', 'agreement'])),
})
export type PackingSettings = v.InferOutput<typeof PackingSettings>

/** A profile that a draft is made for: what it asks for beside the form, and what is not met yet. */
export interface DraftProfile {
  name: string
  identifier: string
  fields: {
    label: string
    isRequired: boolean
    values: string[]
    description: string
    /** What else columns of a table are headed that hold the field, in small letters. */
    headings?: string[]
  }[]
  problems: { rule: string; label: string | null; detail: string }[]
}

/** A package that is prepared. */
export interface Sip {
  path: string
  form: PackingSettings['form']
  algorithm: PackingSettings['algorithm']
  counts: Counts
  skipped: number
  /** Digest of the payload manifest. */
  manifest: string
  /** One number for what its files hold, whatever their names. */
  content: string
  formats: FormatTable | null
}

/** Where a transfer is, in the order it goes there. `refused` may follow any of them but the first. */
export type TransferState =
  'draft' | 'packing' | 'prepared' | 'sending' | 'sent' | 'received' | 'preserved' | 'refused'

/** How far a package is that is brought over the interface, in the order in which it goes there. */
export const archiveSteps = [
  'registered',
  'agreed',
  'locked',
  'prepared',
  'uploaded',
  'created',
  'submitted',
  'received',
  'preserved',
] as const
export type ArchiveStep = (typeof archiveSteps)[number]

/** A folder or file of the source: where it lies, and what is in it as far as it was counted. */
export interface Source {
  path: string
  isFolder: boolean
  files: number
  folders: number
  bytes: number
  /** What will not be packed, and which names are unusual. */
  skipped: Survey['skipped']
  warned: Survey['warned']
  extensions: Survey['extensions']
  empty: Survey['empty']
  unnameable: Survey['unnameable']
  unreadable: SourceSurvey['unreadable']
  notInZip: SourceSurvey['notInZip']
  emptyFolders: SourceSurvey['emptyFolders']
  misnamed: SourceSurvey['misnamed']
  failure: Failure | null
}

export interface Transfer {
  id: string
  state: TransferState
  form: TransferForm
  sources: Source[]
  counts: Counts
  made: string
  changed: string
  packing: PackingSettings
  profile: DraftProfile | null
  /** The package; null before it is packed. */
  sip: Sip | null
  /** Packing waits until a person goes on with it. */
  isPaused: boolean
  /** When it was copied for another desk, which sends it from there; null where it is this desk's own. */
  handedOver: string | null
  times: { prepared: string | null; sent: string | null; received: string | null; preserved: string | null }
  /** The transfer's id in the archive. */
  remote: string | null
  /** The package it became. */
  package: string | null
  /** The algorithm by which what the archive holds was found to be what was sent; else null. */
  compared: string | null
  /** What an archive to which it goes over the interface is at; null where it goes another way. */
  archiveWork: {
    /** The last step that it took, and when that was seen (ISO 8601). */
    step: ArchiveStep
    since: string
    /** How long the next one took of late, in milliseconds; null where none was seen. */
    usualMs: number | null
  } | null
  /** The file that describes the package, in place of what its form says; null where there is none. */
  descriptive: string | null
  /** Files that the archive is likely to refuse where each goes by itself; null where none goes so. */
  refusable:
    (Pick<Survey, 'empty' | 'unnameable'> & { extensions: { extension: string; files: number }[] }) | null
  /** It was handed over and is sent by itself when the archive can be reached. */
  isWaiting: boolean
  /** How many attempts failed since it was handed over, and when it is tried again by itself. */
  attempts: number
  nextAt: string | null
  /** The name of a delivery of this desk that must be in the archive first. */
  waitsFor: string | null
  /** It goes to the archive over its interface, and not by an ingest folder. */
  isOverInterface: boolean
  /**
   * By which way its contents go there, as far as that is chosen: over the interface, or into a folder of the
   * archive that this computer sees; null where the folder is chosen when it is sent.
   */
  transport: { by: 'interface' | 'reception folder' | 'ingest folder' | 'unknown'; folder: string | null }
  /** A reception folder in which something of it lies that is of no use any more; null where none does. */
  leftIn: string | null
  /** Which generation of its package it is or becomes, the first being 1; null where that is not known. */
  generation: number | null
  /** What stands in the way of steps that its state allows. */
  constraints: Constraint[]
  failure: Failure | null
}

/** What a list shows of a transfer. */
export interface TransferRow extends Pick<
  Transfer,
  'id' | 'state' | 'changed' | 'handedOver' | 'isPaused' | 'isWaiting' | 'nextAt' | 'waitsFor' | 'failure'
> {
  name: string
  identifier: string
  /** The package that it became in the archive, or that waits for it there; null where nobody knows one. */
  package: string | null
  generation: number | null
  bytes: number
  /** What has to be chosen before it can be sent; null where that is done. */
  lacks: 'delivery' | 'agreement' | null
}

/**
 * What there is to do with a transfer. "troubled": it stopped, and a person has to look; "waiting": it was
 * handed over and is not sent yet; "working": it is packed, or the archive has it and has not preserved it;
 * "drafts": it is being written, or is prepared and nobody has sent it.
 */
export type TransferGroup = 'troubled' | 'waiting' | 'working' | 'drafts'

/** Of each group how many there are, and those that were begun last. */
export type TransferGroups = Record<TransferGroup, { count: number; first: TransferRow[] }>

/** Whether a transfer sends a package that this desk did not pack: of its manifest there is no digest. */
export const isMadeElsewhere = ({ sip }: Pick<Transfer, 'sip'>): boolean => sip?.manifest === ''

/** Whether a failure has stopped a transfer, so that a person has to look after it. */
export const needsPerson = ({ state, failure }: Pick<Transfer, 'state' | 'failure'>) =>
  state === 'refused' || (failure !== null && !passes(failure))

/**
 * Something that seems to hold the same as a transfer: an earlier one of this desk, or a package of the
 * archive.
 */
export interface Duplicate {
  kind: 'transfer' | 'package'
  id: string
  name: string
  /**
   * "content": every file has the same bytes, whatever its name; "identifier": the archive has the identifier
   * already.
   */
  by: 'content' | 'identifier'
  time: string
}

/** One thing that has to be so before originals may be deleted. */
export interface DeletionReason {
  code: 'preserved' | 'copies' | 'all-packed' | 'same-contents' | 'compared'
  isMet: boolean
  /** How many there are, and how many are wanted, where it is about numbers. */
  is: number | null
  of: number | null
}

/** What a donor is given once a transfer is preserved, or so far. */
export interface Receipt {
  transfer: Transfer
  deliveryName: string
  /** Empty where it went another way than over the interface. */
  agreementName: string
  sources: string[]
  package: {
    id: string
    label: string
    identifier: string
    aic: string | null
    generation: number | null
    bytes: number
    digest: string
    algorithm: string
  } | null
  copies: { medium: string; target: string; location: string; path: string; written: string }[]
  wanted: number | null
  mayDelete: boolean
  reasons: DeletionReason[]
  made: string
}

/** How far the work on a transfer is: now in bytes and files, with the name of the file now being read. */
export interface Progress {
  id: string
  work: 'counting' | 'packing' | 'finishing' | 'checking' | 'sending'
  files: number
  ofFiles: number
  bytes: number
  ofBytes: number
  bytesPerSecond: number
  file: string
}

export interface Delivery {
  /** The archive's id; "queued:…" for one of this desk that is on its way. */
  id: string
  name: string
  type: string
}

const Which = v.object({ id: deskId })
const Part = v.object(paging)

/** What the list of transfers can be narrowed by, and sorted by. */
export const transferFields = [
  'state',
  'organization',
  'person',
  'delivery',
  'agreement',
  'size',
  'year',
] as const
export type TransferField = (typeof transferFields)[number]
export const transferSorts = ['name', 'where', 'identifier', 'size', 'changed'] as const
export type TransferSort = (typeof transferSorts)[number]

const Narrowed = {
  filter: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
  filters: v.optional(filtersOf(transferFields)),
  /** Left out, those that were begun last stand first. */
  sort: v.optional(v.picklist(transferSorts)),
  descending: v.optional(v.boolean()),
}
const WhichTransfers = v.object({
  ...Part.entries,
  ...Narrowed,
  /** These alone, as they were chosen. */
  ids: v.optional(v.pipe(v.array(recordId), v.maxLength(mostChosen))),
})
export type WhichTransfers = v.InferOutput<typeof WhichTransfers>
const WhichTransferBeginning = v.object({ ...Narrowed, ...beginning })
export type WhichTransferBeginning = v.InferOutput<typeof WhichTransferBeginning>
const WhichTransferLine = v.object({ ...Narrowed, id: recordId })
export type WhichTransferLine = v.InferOutput<typeof WhichTransferLine>
const WhichTransferFacet = v.object({ ...Narrowed, field: v.picklist(transferFields) })
export type WhichTransferFacet = v.InferOutput<typeof WhichTransferFacet>
const WhichTransferColumns = v.omit(v.object(Narrowed), ['sort', 'descending'])
export type WhichTransferColumns = v.InferOutput<typeof WhichTransferColumns>
/**
 * Columns whose values may be the same in every row. How far transfers are is always shown: they go on by
 * themselves, and a column that came and went with them would be no help.
 */
export const comparedTransferColumns = ['identifier', 'size', 'changed'] as const
export type ComparedTransferColumn = (typeof comparedTransferColumns)[number]

/** Drafts and what became of them. They live on this computer until the archive has them. */
export const transfers = {
  /** A part of the list; `of` says how many there are, however it is narrowed. */
  list: query(WhichTransfers).returns<{ rows: TransferRow[]; lines: number; of: number }>(),
  /** The values of a field with their counts, among what matches all other filters. */
  facet: query(WhichTransferFacet).returns<FacetValue[]>(),
  /** The columns that say the same in every row; of one row or none, none. */
  uniform: query(WhichTransferColumns).returns<ComparedTransferColumn[]>(),
  /** The line of the next transfer whose name begins so, from a line on and then from the top. */
  beginning: query(WhichTransferBeginning).returns<{ line: number | null }>(),
  /** The line of a transfer in the list as it is narrowed and sorted; null where it is not in it. */
  line: query(WhichTransferLine).returns<{ line: number | null }>(),
  /** What there is to do. */
  groups: query(v.undefined()).returns<TransferGroups>(),
  one: query(Which).returns<Transfer>(),
  create: command(v.undefined()).returns<Transfer>(),
  /** A new draft with the form and packing of an earlier transfer, but for its name and identifier. */
  createLike: command(Which).returns<Transfer>(),
  save: command(v.object({ ...Which.entries, form: TransferForm })).returns<Transfer>(),
  /** Main asks the person which files or which folder; the page never names a path. */
  add: command(v.object({ ...Which.entries, what: v.picklist(['folder', 'files']) })).returns<Transfer>(),
  removeSource: command(v.object({ ...Which.entries, path: v.string() })).returns<Transfer>(),
  /** Counts the sources of a draft anew. */
  recount: command(Which).returns<Transfer>(),
  obstacles: query(Which).returns<PackingObstacles>(),
  pack: command(Which).returns<Transfer>(),
  arrange: command(v.object({ ...Which.entries, packing: PackingSettings })).returns<Transfer>(),
  /** Main asks the person for the file of a profile. */
  chooseProfile: command(Which).returns<Transfer>(),
  dropProfile: command(Which).returns<Transfer>(),
  /** Main asks the person for the file that describes the package (EAD, MODS, Dublin Core). */
  chooseDescriptive: command(Which).returns<Transfer>(),
  dropDescriptive: command(Which).returns<Transfer>(),
  pause: command(Which).returns<Transfer>(),
  goOn: command(Which).returns<Transfer>(),
  cancel: command(Which).returns<Transfer>(),
  send: command(Which).returns<Transfer>(),
  /** Sends this one, whatever time it was to wait, and though the queue is stopped. */
  sendNow: command(Which).returns<Transfer>(),
  /**
   * The folder that its failure names is the right one, for this archive: on another computer where nobody
   * chose it yet, or where nothing is mounted any more. Sends.
   */
  sendIntoFolder: command(Which).returns<Transfer>(),
  /**
   * Sends a package again that the archive does not show, or no more (failure `unconfirmed`), as a person
   * decided.
   */
  sendAgain: command(Which).returns<Transfer>(),
  /** Back from prepared (or refused) to a draft; the package is removed, the sources are not. */
  reopen: command(Which).returns<Transfer>(),
  /** Sees whether the archive went on with what it had refused after it was sent. */
  lookAgain: command(Which).returns<Transfer>(),
  remove: command(Which).returns<void>(),
  restore: command(Which).returns<Transfer>(),
  duplicates: query(Which).returns<Duplicate[]>(),
  receipt: query(Which).returns<Receipt>(),
  history: query(Which).returns<TransferHistory>(),
  /** Main asks for a folder: the draft and its package are copied there, for another desk. */
  handOver: command(Which).returns<Transfer>(),
  /** Main asks for the folder of a transfer that another desk handed over. */
  takeOver: command(v.undefined()).returns<Transfer | null>(),
  /** Copies a package that a check found valid, and prepares its transfer; null where that was stopped. */
  sendOn: command(v.object({ check: deskId })).returns<Transfer | null>(),
  deliveries: query(v.undefined()).returns<Delivery[]>(),
  /**
   * The submission agreements that packages may be sent under: those that are published, as far as that is
   * known.
   */
  agreements: query(v.undefined()).returns<Agreement[]>(),
  /**
   * What packages under an agreement are described by, as the local copy has it at once, or as the archive
   * says when it is asked; null where the one does not hold it, or the other cannot be asked now.
   */
  agreementFields: query(
    v.object({ agreement: recordId, from: v.picklist(['local copy', 'archive']) }),
  ).returns<AgreementField[] | null>(),
  /**
   * Whether the archive makes representations itself of what is sent under an agreement: no package that has
   * them goes into it whole. False where it cannot be asked now.
   */
  agreementMakesRepresentations: query(v.object({ agreement: recordId })).returns<boolean>(),
  /** A new delivery, which goes through the outbox: it may be chosen before the archive has it. */
  createDelivery: command(v.object({ name: v.pipe(line, v.minLength(1)) })).returns<Delivery>(),
  changed: news<{ id: string }>(),
  progress: news<Progress>(),
}
