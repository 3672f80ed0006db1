import { entryIn } from '../common/records.ts'
import type { Counts } from './counts.ts'
import type { Finding } from './findings.ts'
import { codeOf, pathOf, sqliteCodeOf } from '../common/errors.ts'

/** The ways things go wrong that a person can understand. A closed list: whoever shows one shows them all. */
export type Failure =
  /**
   * No connection could be made, or it was lost before an answer began. `isUnsent`: there was none at all, so
   * nothing of the request left this computer.
   */
  | { kind: 'offline'; address: string; detail: string; isUnsent?: boolean }
  /** The proxy on the way to the archive; nothing reached the archive. `proxy` is its host and port. */
  | { kind: 'proxy'; proxy: string; trouble: ProxyTrouble; detail: string }
  /** The password would travel unencrypted to another computer, and nobody said yes to that. */
  | { kind: 'unencrypted'; address: string }
  /** `wants`: the only ways of signing in that it takes, none of which can be had here (RFC 9110 11.6.1). */
  | { kind: 'signed-out'; wants?: string }
  | { kind: 'wrong-password' }
  /**
   * The archive let nobody in, and did not say that the password was wrong: after too many attempts many lock
   * an account for a while. `detail` is what it said. `isOtherWay`: it takes other ways of signing in alone.
   */
  | { kind: 'shut-out'; detail: string; isOtherWay?: true }
  | { kind: 'not-allowed'; detail: string }
  /** `isRemoved`: a person took it off the list of this desk, and may put it back. */
  | { kind: 'not-found'; what: string; isRemoved?: boolean }
  /** The archive read the request and refused it; messages per field, as it gave them. */
  | { kind: 'refused'; fields: Record<string, string[]> }
  | { kind: 'conflict'; detail: string }
  /** An answer that is none: HTML, half a body, an error of the server's own. `excerpt` is its beginning. */
  | {
      kind: 'server-broke'
      address: string
      status: number
      detail: ServerTrouble
      excerpt: string
      /** Seconds that the archive asks to be left alone (Retry-After, RFC 9110 10.2.3). */
      retryAfterS?: number
    }
  /** `path` is empty where it is the desk's own data. */
  | { kind: 'disk'; trouble: DiskTrouble; path: string }
  /** A file of the source is not as it was when it was first read. */
  | {
      kind: 'source'
      trouble: SourceTrouble
      path: string
      others?: { trouble: SourceTrouble; path: string }[]
    }
  /** A package that is not complete and valid; the first of its errors, and how many there are. */
  | { kind: 'bad-package'; path: string; errors: number; first: Finding }
  /** What was counted before does not agree with what was made. */
  | { kind: 'counts'; path: string; planned: Counts; found: Counts }
  /** The sources hold something else than when they were counted for the draft. */
  | { kind: 'recounted'; before: Counts; now: Counts }
  | { kind: 'not-ready'; missing: NotReady[] }
  /** A file that should be a profile and is none, and why. */
  | { kind: 'bad-profile'; path: string; detail: string }
  | { kind: 'bad-descriptive'; path: string; detail: 'no-xml' | 'too-large' }
  /** A package that is done and does not meet its profile: the rules, with what each wants. */
  | { kind: 'profile'; rules: { rule: string; detail: string }[] }
  /**
   * A folder that should hold a transfer of another desk and does not, or a file that should be a table and
   * is none.
   */
  | { kind: 'bad-handover'; path: string; detail: string }
  | { kind: 'bad-table'; path: string; detail: string }
  /** A file that was to be taken in holds no stored searches. */
  | { kind: 'bad-searches'; path: string; detail: string }
  /** What was opened belongs to another archive of this desk: its id, and what it is called. */
  | { kind: 'other-archive'; archive: string; name: string }
  /** A transfer is to be packed in a format that only another version of this program knows. */
  | { kind: 'unknown-format'; format: string }
  | { kind: 'no-ingest-folder'; path: string | null }
  /**
   * What this desk keeps of a job is not what its kind wants; it stays as it is, and nothing is done with it.
   */
  | { kind: 'unreadable-job'; detail: string }
  /** `path` lay below `mountPoint` before, where nothing is mounted now: what is put there reaches nobody. */
  | { kind: 'not-mounted'; path: string; mountPoint: string }
  /**
   * Nobody knows whether the archive has it: the answer was lost, or a backup brought the transfer back. The
   * archive is asked again. `mayBeSent`: it was asked for minutes and did not find it, so a person may send
   * the package again. "submission": it had it, and shows it no more.
   */
  | { kind: 'unconfirmed'; what: 'registration' | 'package' | 'submission'; mayBeSent: boolean }
  /**
   * The archive names a folder on another computer for packages, and nobody at this desk has chosen it yet.
   */
  | { kind: 'network-folder'; path: string }
  /**
   * What the archive says it holds is not what was sent: `path` in the package. "no digest": it says none by
   * an algorithm that is known here; "changed": it is another than in the generation before.
   */
  | {
      kind: 'not-as-sent'
      path: string
      trouble: 'missing' | 'not sent' | 'size' | 'digest' | 'no digest' | 'changed'
    }
  /** A list is longer than a file of the format that was chosen can be made. */
  | { kind: 'too-many-rows'; most: number }
  /** Nothing was printed; why, in the words of the printing system. */
  | { kind: 'print'; detail: string }
  | { kind: 'local-archive'; detail: string }
  | { kind: 'bug'; reference: string }

export type SourceTrouble =
  'vanished' | 'changed' | 'unreadable' | 'not-a-file' | 'no-text' | 'holds-target' | 'not-in-zip'
export type ServerTrouble =
  'html' | 'not-json' | 'cut-off' | 'too-long' | 'too-slow' | 'unexpected' | 'redirect' | 'error'
/** `method`: it wants a way of signing in that cannot be had here; `kind`: it is no HTTP or SOCKS 5 proxy. */
export type ProxyTrouble = 'unreachable' | 'refused' | 'sign-in' | 'wrong-password' | 'method' | 'kind'
export type DiskTrouble = 'full' | 'not-allowed' | 'gone' | 'read-back' | 'held' | 'other'
export type NotReady =
  | 'name'
  | 'delivery'
  | 'agreement'
  /** A package format that the agreement takes. */
  | 'format'
  | 'contents'
  | 'packages'
  | 'email'
  | 'packed'
  /** One that can be the name of a folder. */
  | 'identifier'
  /** As it goes over the interface. */
  | 'packed anew'
  /** This account may not bring packages into the archive. */
  | 'permission'
  | 'profile'

/** What it is to whoever signs in with name and password that an archive wants to know who asks. */
export const unauthenticated = ({ wants }: Extract<Failure, { kind: 'signed-out' }>): Failure =>
  wants === undefined ? { kind: 'wrong-password' } : { kind: 'shut-out', detail: wants, isOtherWay: true }

/** Whether the archive was not reached: what is to be sent waits until it is. */
export const isUnreached = ({ kind }: Pick<Failure, 'kind'>) => kind === 'offline' || kind === 'proxy'

/**
 * Whether it is sure that the archive did nothing: no connection was made, or it did not let the request in.
 */
export const isSurelyUnsent = (failure: Failure) =>
  (failure.kind === 'offline' && failure.isUnsent === true) ||
  failure.kind === 'proxy' ||
  failure.kind === 'signed-out'

/** Whether the archive answered that it did not do what it was asked. */
export const isRefusal = ({ kind }: Failure) =>
  kind === 'refused' || kind === 'not-allowed' || kind === 'not-found' || kind === 'conflict'

/**
 * Whether a status speaks of the moment alone: the server was late or busy (RFC 9110 15.5.9, RFC 6585 4), or
 * broke (RFC 9110 15.6), but not that it can do no such thing (501, 505).
 */
const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505)

/**
 * Whether a server that was reached failed at that moment alone, so that the same request may be answered
 * soon: it broke or was busy, its answer broke off, or it was late. What else is no answer (a page at an
 * address that it does not know, a redirection) would be the same again. `passes` says more: what waits to
 * be sent is tried again for days, in which somebody may mend the server.
 */
export const isTransient = (failure: Failure): boolean =>
  failure.kind === 'server-broke' &&
  (isTransientStatus(failure.status) || failure.detail === 'cut-off' || failure.detail === 'too-slow')

/** Kinds of failures that pass by themselves. */
export const passingKinds = [
  'offline',
  'proxy',
  'signed-out',
  'server-broke',
  'unconfirmed',
] as const satisfies Failure['kind'][]

/** Failures that pass by themselves: the desk tries again without being asked. */
export const passes = (failure: Failure) =>
  passingKinds.some((kind) => kind === failure.kind) || (failure.kind === 'disk' && failure.path === '')

/** A failure on its way through one half of the program; between both it travels as a value. */
export class Failed extends Error {
  readonly failure: Failure
  constructor(failure: Failure, options?: { cause?: unknown }) {
    super('status' in failure ? `${failure.kind} ${failure.status} ${failure.detail}` : failure.kind, options)
    this.name = 'Failed'
    this.failure = failure
  }
}

/** A record that could not be read: where it stands in the archive's answer, and what is wrong with it. */
export interface Unreadable {
  path: string
  why: string
}
/** So many are noted: more would only say the same again. */
export const mostUnreadable = 100

/**
 * Result codes of SQLite (https://sqlite.org/rescode.html) that say something of the disk, not of the data.
 */
const sqliteTroubles: Record<number, DiskTrouble> = {
  // SQLITE_BUSY, SQLITE_LOCKED
  5: 'held',
  6: 'held',
  // SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN
  3: 'not-allowed',
  8: 'not-allowed',
  14: 'not-allowed',
  // SQLITE_IOERR, SQLITE_FULL, SQLITE_IOERR_SHMSIZE: a full disk has no space for the index of the log either
  10: 'other',
  13: 'full',
  4874: 'full',
}
const systemTroubles: Record<string, DiskTrouble> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'not-allowed',
}

/** What an error says of the disk that the desk's data lie on; undefined where it is about something else. */
export const diskTroubleOf = (error: unknown): DiskTrouble | undefined => {
  if (!(error instanceof Error)) return undefined
  const code = codeOf(error)
  const errcode = sqliteCodeOf(error)
  return code === 'ERR_SQLITE_ERROR'
    ? (sqliteTroubles[errcode] ?? sqliteTroubles[errcode & 0xff])
    : (entryIn(systemTroubles, code) ?? diskTroubleOf(error.cause))
}

/**
 * Any error as a failure that a person can understand: what was thrown as one, trouble of the disk, else a
 * bug.
 * @param reportBug writes an unexpected error to the log and gives the reference a person can quote
 */
export const failureOf = (error: unknown, reportBug: (error: unknown) => string): Failure => {
  if (error instanceof Failed) return error.failure
  const trouble = diskTroubleOf(error)
  if (trouble === undefined) return { kind: 'bug', reference: reportBug(error) }
  return { kind: 'disk', trouble, path: pathOf(error) }
}
