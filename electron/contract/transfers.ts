import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { Failure } from './failure.ts'

const line = v.pipe(v.string(), v.maxLength(255))

/** The form of a draft, as it is typed; nothing of it has to be right before it is sent (specification 2.14, transfer). */
export const TransferForm = v.object({
  name: line,
  /** The delivery's id as text; empty while none is chosen. */
  delivery: v.pipe(v.string(), v.maxLength(100)),
  organization: line,
  address: line,
  person: line,
  email: line,
  description: v.pipe(v.string(), v.maxLength(20_000)),
  /** The package's own identifier; one that the archive knows already makes a new generation of that package. */
  identifier: line,
})
export type TransferForm = v.InferOutput<typeof TransferForm>

/** Where a transfer is, in the order it goes there. `refused` may follow any of them but the first. */
export type Stage = 'draft' | 'packing' | 'prepared' | 'sending' | 'sent' | 'received' | 'preserved' | 'refused'

/** A folder or file of the source: where it lies, and what is in it as far as it was counted. */
export interface Source {
  path: string
  isFolder: boolean
  files: number
  folders: number
  bytes: number
  failure: Failure | null
}

export interface Counts {
  files: number
  folders: number
  bytes: number
}

export interface Transfer {
  id: string
  stage: Stage
  form: TransferForm
  sources: Source[]
  counts: Counts
  made: string
  changed: string
  /** What the bag holds; null before it is packed. */
  bag: { path: string; counts: Counts } | null
  times: { prepared: string | null; sent: string | null; received: string | null; preserved: string | null }
  /** The transfer's id in the archive. */
  remote: string | null
  /** The package it became. */
  package: string | null
  /** It was handed over and is sent by itself when the archive can be reached. */
  isWaiting: boolean
  /** How often it was tried in vain since it was handed over, and when it is tried again by itself. */
  attempts: number
  nextAt: string | null
  /** The name of a delivery of this desk that must be in the archive first. */
  waitsFor: string | null
  failure: Failure | null
}

/** How far the work on a transfer is: now in bytes and files, with the name of the file now being read. */
export interface Progress {
  id: string
  work: 'counting' | 'packing' | 'checking' | 'sending'
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

const Which = v.object({ id: v.pipe(v.string(), v.uuid()) })

/** Drafts and what became of them. They live on this computer until the archive has them. */
export const transfers = {
  list: query(v.undefined()).returns<Transfer[]>(),
  one: query(Which).returns<Transfer>(),
  create: command(v.undefined()).returns<Transfer>(),
  save: command(v.object({ ...Which.entries, form: TransferForm })).returns<Transfer>(),
  /** Main asks the person which files or which folder; the page never names a path. */
  add: command(v.object({ ...Which.entries, what: v.picklist(['folder', 'files']) })).returns<Transfer>(),
  removeSource: command(v.object({ ...Which.entries, path: v.string() })).returns<Transfer>(),
  pack: command(Which).returns<Transfer>(),
  cancel: command(Which).returns<Transfer>(),
  send: command(Which).returns<Transfer>(),
  /** Sends this one, whatever time it was to wait, and though the queue is stopped. */
  sendNow: command(Which).returns<Transfer>(),
  /** Back from prepared (or refused) to a draft; the bag is removed, the sources are not. */
  reopen: command(Which).returns<Transfer>(),
  remove: command(Which).returns<void>(),
  restore: command(Which).returns<Transfer>(),
  deliveries: query(v.undefined()).returns<Delivery[]>(),
  /** A new delivery, which goes through the outbox: it may be chosen before the archive has it. */
  createDelivery: command(v.object({ name: v.pipe(line, v.minLength(1)) })).returns<Delivery>(),
  changed: news<{ id: string }>(),
  progress: news<Progress>(),
}
