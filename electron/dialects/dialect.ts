import type { Client, Credentials, ListClient } from '../archive-client/http.ts'
import type { Conventions } from '../archive-client/conventions.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import type { FormField, FormValues, RecordField, RecordLink, RecordTable } from '../contract/description.ts'
import { Failed } from '../contract/failure.ts'
import type { FileEntry } from '../contract/files.ts'
import type { ListName } from '../contract/lists.ts'
import type { Package, PackageNow, PremisEvent, WorkStep } from '../contract/packages.ts'
import type { SearchFilters } from '../contract/search.ts'
import { describedBy, isRefreshed, type RefreshedSubject, type Subject } from '../contract/subjects.ts'
import type { Agreement } from '../contract/agreements.ts'
import type { Delivery, TransferForm } from '../contract/transfers.ts'
import type { AgreementsPart } from './agreements.ts'
import type { ContentsPart } from './contents.ts'
import type { ListDefinition } from './listing.ts'
import type { LookUp } from './lookups.ts'
import type { ReceptionPart } from './reception.ts'
import type {
  DisseminationStatus,
  HeldOrder,
  HeldRecord,
  IndexAnswer,
  Notification,
  PackageFacts,
  PreservedFile,
  RegisteredTransfer,
  StorageMedium,
  StorageMethod,
  StorageObject,
  StoragePolicy,
  StorageRelation,
  StorageTarget,
  SubmissionStatus,
  UploadPlace,
} from './models.ts'

/**
 * What an archive speaks over HTTP: the paths, the names of fields, the codes and the messages that stand
 * behind the things this product knows. One who speaks with an archive asks here, in our words, and is
 * answered in our words.
 *
 * Everything throws `Failed` where the archive cannot be reached or refuses; a record that cannot be read
 * throws a ValiError, which a list notes beside the records that could be. Parts that a dialect does not have
 * are null: what an archive of it can do never says otherwise (`Capabilities`).
 */
export interface Dialect {
  /** By this name a desk remembers which dialect an archive speaks. It never changes. */
  name: string
  conventions: Conventions
  session: SessionPart
  /** Asks an archive what it can do; it changes nothing there. */
  capabilities: (archive: Client, asked: CapabilityQuestion) => Promise<Capabilities>
  /** Works for another organization from now on. */
  chooseOrganization: ((archive: Client, id: string) => Promise<unknown>) | null
  /**
   * Where the lists are that the desk works with, and how one element of each becomes rows. What is missing
   * is empty.
   */
  lists: Partial<{ [Name in RefreshedSubject]: ListDefinition<Models[Name]> }>
  /** The same of a list of description. */
  described: (list: ListName) => ListDefinition<HeldRecord> | undefined
  /** What a record of any list is found by. */
  wordsOf: (record: unknown) => { name: string; code: string; body: string }
  /** Another one whenever `wordsOf` finds other words in the same record. */
  wordsVersion: number
  /** Whether a package was preserved, by what its list says of it. */
  isPreserved: (facts: Pick<PackageFacts, 'archived' | 'state'>) => boolean
  /** A package with everything that the archive said of it. */
  readPackage: (record: unknown) => Package
  records: RecordsPart
  contents: ContentsPart | null
  orders: OrdersPart
  news: NewsPart
  creating: CreatingPart | null
  changing: ChangingPart | null
  /** Asks the archive's own index. */
  search: ((archive: Client, filters: SearchFilters) => Promise<IndexAnswer>) | null
  storedSearches: StoredSearchesPart
  transfers: TransfersPart | null
  submission: SubmissionPart | null
  files: FilesPart | null
  work: WorkPart | null
  dissemination: DisseminationPart | null
}

/** What each list is made of. */
export interface Models extends Record<RefreshedSubject, HeldRow> {
  packages: PackageFacts
  objects: StorageObject
  media: StorageMedium
  targets: StorageTarget
  relations: StorageRelation
  methods: StorageMethod
  policies: StoragePolicy
  agreements: Agreement & { policy: string | null }
  deliveries: Delivery
  transfers: RegisteredTransfer
  events: PremisEvent
  notifications: Notification
}

/** What all of them have: an id, and records that they refer to as "list:id". */
export interface HeldRow {
  id: string | number
  refs?: string[]
}

/** The list of an archive that a subject is; undefined where it has none. */
export const listOf = (
  { lists, described }: Pick<Dialect, 'lists' | 'described'>,
  subject: Subject,
): ListDefinition<HeldRow> | undefined => {
  if (isRefreshed(subject)) return lists[subject]
  const list = describedBy(subject)
  return list && described(list)
}

/**
 * By what the rows of a list are read: another dialect, or another version of its definition, may make
 * something else of the same records.
 */
export const readerOf = (dialect: Dialect, subject: Subject): string =>
  `${dialect.name} ${listOf(dialect, subject)?.version ?? 'without'}`

/** What a list is called where something is said of it: its path. */
export const addressOf = (dialect: Dialect, subject: Subject): string =>
  `/${dialect.conventions.base}${listOf(dialect, subject)?.path ?? subject}`

/** The client of an archive, with the dialect in which it is asked. */
export interface ArchiveClient extends Client {
  dialect: Dialect
  /** Looks for something in its whole lists, where that holds nobody up. */
  lookUp: LookUp
}

export const withDialect = (archive: Client, dialect: Dialect, lookUp: LookUp): ArchiveClient =>
  Object.assign(archive, { dialect, lookUp })

/** A part that a dialect has to have for what is asked. @throws Failed not-allowed where it has none */
export const needed = <Part>(part: Part | null | undefined): Part => {
  if (part === null || part === undefined) throw new Failed({ kind: 'not-allowed', detail: '' })
  return part
}

export interface SessionPart {
  /** What every archive of this dialect answers: whoever asks for it learns what they are called there. */
  accountPath: string
  /** Who the credentials belong to. @throws Failed not-found where the archive does not speak this dialect */
  account: (archive: Client) => Promise<{ username: string; fullName: string }>
  /**
   * Signs in for a token: when it ends (an ISO time), where the archive says so, and the cookies of the
   * session that began with it.
   * Undefined where the archive has no tokens; then name and password go with each request (RFC 7617).
   */
  obtainToken: (
    archive: Pick<Client, 'enter'>,
    credentials: Credentials,
  ) => Promise<{ token: string; cookie: string; ends: string | null } | undefined>
  /** Ends a token, and the session that began with it. */
  endToken: ((archive: Pick<Client, 'leave'>, cookie: string) => Promise<void>) | null
}

export interface CapabilityQuestion {
  /** How one is signed in, which is known before. */
  signIn: Pick<Capabilities, 'signIn' | 'tokenEnds' | 'hasSession'>
  now: Date
  /** What it said the last time. */
  known: Capabilities | null
  /** Told as soon as enough is known to read its lists; the rest takes longer. */
  shaped: (capabilities: Capabilities) => void
  /** Resolves when the rest may be asked: rows are shown, or somebody waits for it. */
  rowsShown: Promise<unknown>
}

/** What a record that is held is called; undefined for one that is not. */
export type TitleOf = (link: RecordLink) => string | undefined

export interface RecordsPart {
  /** A record as its page shows it: every field that the archive gave. */
  read: (
    list: ListName,
    record: unknown,
    titleOf: TitleOf,
  ) => { fields: RecordField[]; tables: RecordTable[]; leading: string[] }
  /** Lists whose records may refer to those of a list. */
  referringTo: (list: ListName) => ListName[]
}

export interface OrdersPart {
  read: (record: unknown) => HeldOrder
  /** The fields of a new order, and what they hold. */
  form: (
    order: { name: string; content: string; packages: { id: string; name: string }[]; type?: string },
    capabilities: Capabilities | null,
  ) => { fields: FormField[]; values: FormValues }
  /** What a filled form of an order says. */
  ofForm: (values: FormValues) => { name: string | null; content: string; packages: string[] }
}

export interface NewsPart {
  /** One cheap request whose answer differs when there is anything new. */
  poll: (archive: Pick<Client, 'stream'>) => Promise<string>
  markSeen: ((archive: Pick<Client, 'patch'>, notification: number) => Promise<unknown>) | null
  /**
   * The path of the WebSocket that tells of news, below the address of the archive; null where there is none.
   */
  pushPath: string | null
  /** Null where whole lists alone tell what is new; an archive without views has no such paths either. */
  recent: RecentPart | null
}

/** Where an archive gives what is new or changed without the rest, each record as its whole list has it. */
export interface RecentPart {
  /** Packages of this identifier, but for AICs. */
  identified: (identifier: string) => string
  /** The AIC that they stand in, with them. */
  inFamily: (identifier: string) => string
  copiesOf: (packageId: string) => string
  eventsOf: (packageId: string) => string
  /** Packages that the archive works on, or failed at. */
  underWork: string
  /** Lists from their newest record on; of packages all but AICs. */
  newestFirst: Record<'packages' | 'objects' | 'events' | 'notifications', string>
  /** One page of a list from its newest record on; the first has the number 1. */
  page: (path: string, number: number, length: number) => string
}

/**
 * The records that a reference to a list may name; empty where they are not known, or too many to choose
 * from.
 */
export type Choices = (list: string) => Promise<FormField['choices']>

/** Records of a list that say what a body says, or may do so, or have its name and say other things. */
export interface Likely {
  /** By their keys. */
  found: Map<string, { record: unknown; likeness: 'same' | 'similar' | 'namesake' }>
  /** Whether there are surely no more. */
  isSure: boolean
}

type Body = Record<string, unknown>
type Lists = Pick<ListClient, 'elements'>

/** How records come into being. What is sent and what comes back pass through the outbox unread. */
export interface CreatingPart {
  /** What the archive says of creating in a list, to be kept; undefined where it says nothing. */
  ask: (archive: Client, list: ListName) => Promise<unknown>
  /** Whether the list itself is asked, by what the archive can do. */
  isAsked: (list: ListName, capabilities: Capabilities | null) => boolean
  /**
   * The form for a new record; null where none can be created there, or this account may not.
   * @param said what `ask` gave, now or when it was last asked
   */
  form: (
    list: ListName,
    said: unknown,
    choicesOf: Choices,
    capabilities: Capabilities | null,
  ) => Promise<FormField[] | null>
  /** The choices of a vocabulary that has no place at this desk; empty where it cannot be had. */
  choices: (archive: Pick<Client, 'list'>, path: string) => Promise<FormField['choices']>
  /** What a filled form calls the record; null where it has no name. */
  titleOf: (values: FormValues) => string | null
  /**
   * Where a filled form goes, and what it says.
   * @param remoteOf the id in the archive of a record that this desk made
   */
  request: (
    list: ListName,
    form: { fields: FormField[]; values: FormValues },
    remoteOf: (queued: string) => string,
    capabilities: Capabilities | null,
  ) => { path: string; body: Body }
  /** Where one went whose path was not written down. */
  pathOf: (list: ListName) => string
  /** The id in what an archive answered; empty where it carries none. */
  idOf: (answer: unknown) => string
  /** The records of a list that say what a body says. @param path where that is sent to, where it is known */
  saying: (archive: Lists, list: ListName, body: Body, path?: string) => Promise<Likely>
  /** Whether a record says of itself that it was made at a moment (ISO) or later; many do not say when. */
  wasMadeSince: (record: unknown, moment: string) => boolean
}

export interface ChangingPart {
  /** One record as the archive has it now. */
  read: (archive: Pick<Client, 'get'>, list: ListName, id: string) => Promise<Body>
  /** The same as a form shows it. */
  valuesOf: (fields: FormField[], record: Body) => FormValues
  /** What a change says: the fields that differ, nothing else. */
  changeOf: (fields: FormField[], now: FormValues, mine: FormValues) => Body
  send: (archive: Pick<Client, 'patch'>, list: ListName, id: string, change: Body) => Promise<unknown>
}

export interface StoredSearchesPart {
  /** The query that a held record of the list of stored searches carries. */
  queryIn: (record: unknown) => unknown
  /** A query with our names for its keys; unknown ones stay, those of how it is shown are gone. */
  read: (query: Record<string, unknown>) => Record<string, unknown>
}

export interface TransfersPart {
  /** Registers a transfer, and gives its id. */
  register: (archive: Pick<Client, 'post'>, form: TransferForm) => Promise<string>
}

/**
 * Bringing a package into the archive over the interface alone. Each act is refused where the package is not
 * as far as it has to be: `find` says how far it is.
 */
export interface SubmissionPart extends AgreementsPart, ReceptionPart {
  /** Says of a package what a person filled in, as far as the archive takes it at this time. */
  fillIn: (
    archive: Pick<Client, 'get' | 'list' | 'post' | 'patch'>,
    id: string,
    stage: 'before preparing' | 'before preserving',
    values: Readonly<Record<string, string>>,
  ) => Promise<void>
  /** The package that carries an identifier; the id stays the same until it is preserved. */
  find: (archive: Pick<Client, 'list'>, identifier: string) => Promise<SubmissionStatus | undefined>
  /** Packages of a name that carry an identifier which differs in case, blanks or signs at most. */
  findAlike: (
    archive: Pick<Client, 'list'>,
    wanted: { identifier: string; label: string },
  ) => Promise<SubmissionStatus[]>
  /** A package by its id; undefined where it is not there, or lies in a work area. */
  status: (archive: Pick<Client, 'get'>, id: string) => Promise<SubmissionStatus | undefined>
  /** Whether whoever is signed in made a package, as far as the archive says. */
  isResponsible: (archive: Pick<Client, 'get'>, place: UploadPlace) => Promise<boolean>
  /** @throws Failed conflict where the archive has a package of this identifier */
  create: (archive: Pick<Client, 'post'>, wanted: { identifier: string; label: string }) => Promise<unknown>
  /**
   * Opens a preserved package in the work area as its next generation: it holds all that the package holds,
   * and files may be added.
   * @returns the step that copies it there; null where the archive names none
   */
  openGeneration: (
    archive: Pick<Client, 'post'>,
    packageId: string,
    identifier: string,
  ) => Promise<string | null>
  label: (archive: Pick<Client, 'patch'>, id: string, label: string) => Promise<unknown>
  /** Brings a package out of the work area, as received. */
  leaveWorkArea: (archive: Pick<Client, 'post'>, id: string) => Promise<unknown>
  agree: (archive: Pick<Client, 'patch'>, id: string, agreement: string) => Promise<unknown>
  lock: (archive: Pick<Client, 'post'>, id: string, agreement: string) => Promise<unknown>
  prepare: (archive: Pick<Client, 'post'>, id: string) => Promise<unknown>
  /** The files that lie whole in a folder of the package, with their sizes in bytes. */
  sizesIn: (archive: Pick<Client, 'list'>, place: UploadPlace, folder: string) => Promise<Map<string, number>>
  hasChunk: (
    archive: Pick<Client, 'status'>,
    place: UploadPlace,
    path: string,
    chunk: { number: number; bytes: number },
  ) => Promise<boolean>
  /** @param chunk its number counts from 1 */
  sendChunk: (
    archive: Pick<Client, 'upload'>,
    place: UploadPlace,
    path: string,
    chunk: { number: number; bytes: Uint8Array<ArrayBuffer> },
    stop?: AbortSignal,
  ) => Promise<void>
  /** Makes one file of its chunks; those of another file whose name begins alike must not wait then. */
  merge: (archive: Pick<Client, 'post'>, place: UploadPlace, path: string, bytes: number) => Promise<unknown>
  /** Everything is uploaded. */
  finishUpload: (archive: Pick<Client, 'post'>, id: string) => Promise<unknown>
  make: (archive: Pick<Client, 'post'>, id: string) => Promise<unknown>
  submit: (archive: Pick<Client, 'post'>, id: string) => Promise<unknown>
  receive: (archive: Pick<Client, 'post'>, identifier: string) => Promise<unknown>
  preserve: (archive: Pick<Client, 'post'>, id: string) => Promise<unknown>
  /** Removes a package that is not preserved, with its files; it is gone some time later. */
  discard: (archive: Pick<Client, 'delete'>, place: UploadPlace) => Promise<void>
  /**
   * Whether files of an extension (in lower case with its dot, empty for none) are accepted where a site has
   * changed nothing.
   */
  isUsuallyAccepted: (extension: string) => boolean
  /** The extension for which the archive refused a package, by the reason that it gave; else undefined. */
  refusedExtension: (reason: string) => string | undefined
  /** Why the archive could not go on, in its own words; empty where it says nothing. */
  whyFailed: (archive: Pick<Client, 'list' | 'get' | 'answer'>, id: string) => Promise<string>
  /**
   * Shows each file that the archive's own description of a preserved package names.
   * @throws Failed server-broke where the description is none, or is cut off
   */
  contents: (
    archive: Pick<Client, 'bytes' | 'url'>,
    id: string,
    see: (file: PreservedFile) => void,
    stop: AbortSignal,
  ) => Promise<void>
}

export interface FilesPart {
  /** What lies in a folder of a package, folders first. What has no name is left out. */
  list: (
    archive: Pick<Client, 'list' | 'listed' | 'bytes' | 'url'>,
    packageId: string,
    path: string,
  ) => Promise<FileEntry[]>
  /** Where the bytes of a file are. */
  pathOf: (packageId: string, path: string) => string
  /** Whether the archive looks into a file of this name as if it lay open. */
  isContainer: (path: string) => boolean
  /** All files that lie in such a one, by their whole paths below it. */
  members: (archive: Pick<Client, 'list'>, packageId: string, path: string) => Promise<FileEntry[]>
}

/**
 * What an archive says of one package, or of the work that it does on one, when it is asked for that alone.
 */
export interface WorkPart {
  /** The newest first. */
  steps: (archive: Client, packageId: string) => Promise<WorkStep[]>
  step: (archive: Client, id: string) => Promise<WorkStep>
  eventsAndCopies: (
    archive: Client,
    packageId: string,
    can: { events: boolean; copies: boolean },
  ) => Promise<Pick<PackageNow, 'events' | 'copies'>>
}

/** Making a dissemination package (OAIS: DIP) in the archive, step by step. */
export interface DisseminationPart {
  find: (archive: Client, identifier: string) => Promise<DisseminationStatus | undefined>
  register: (
    archive: Client,
    wanted: { label: string; identifier: string; order: string },
  ) => Promise<unknown>
  status: (archive: Client, id: string) => Promise<DisseminationStatus>
  /** Connects a submission agreement, and locks it. */
  agree: (archive: Client, status: DisseminationStatus, agreement: string) => Promise<void>
  prepare: (archive: Client, id: string) => Promise<unknown>
  /**
   * Asks for a copy in the workspace: the step that brings it; null where it is there, or on its way,
   * already.
   */
  fetch: (archive: Client, packageId: string) => Promise<string | null>
  /** The packages in the workspace of whoever is signed in, by their ids. */
  inWorkspace: (archive: Client) => Promise<Set<string>>
  /** Copies packages of the workspace into a dissemination package, each under its own identifier. */
  copier: (archive: Client, dip: string) => Promise<(identifier: string) => Promise<unknown>>
  create: (archive: Client, id: string) => Promise<unknown>
  /** Why its work failed, in the archive's own words; empty where it says nothing. */
  whyFailed: (archive: Client, id: string) => Promise<string>
}
