import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { Failure, Unreadable } from './failure.ts'
import { archiveId } from './ids.ts'

/** Where the secret of an account is kept, in falling order of safety and length of life. */
export type KeptIn = 'keychain' | 'encrypted file' | 'this session'

export interface Account {
  /** The archive's own id on this computer; drafts and copies are filed under it. */
  archive: string
  name: string
  url: string
  /** Whether it is the archive that Lectern itself carries. */
  isHere: boolean
  username: string
  fullName: string
  keptIn: KeptIn
  scheme: 'Token' | 'Basic'
  /** When the archive will no longer take the token; null where nothing of the kind is known. */
  endsAt: string | null
  /** Which of the colours is its own, from 0. */
  colour: number
}

/** A list that came back with far fewer rows than are held; those are kept until a person agrees. */
export interface Shrunk {
  /** The list, as the local copy calls it. */
  subject: string
  held: number
  found: number
}

/** A list that changed while it was read: rows may be missing, and some may be gone from the archive. */
export interface Incomplete {
  /** The list, as the local copy calls it. */
  subject: string
  /** How many rows the archive says it has; null where it does not say. */
  counted: number | null
}

export interface Connection {
  /**
   * What the last exchange with the archive showed. "refused": it is there, and does not take what is asked;
   * "slow": it answers late.
   */
  state: 'connecting' | 'online' | 'slow' | 'offline' | 'refused' | 'signed-out'
  /** When the local copy was last complete; an ISO time, or null before the first time. */
  asOf: string | null
  /** When what is new or changed was last looked for in this run; an ISO time, or null. */
  lookedAt: string | null
  /** Whether its lists are being read, or are about to be. */
  refreshing: boolean
  /** Why the last refresh failed. */
  failure: Failure | null
  /** Records that are left out of the lists, since they could not be read. */
  unreadable: Unreadable[]
  shrunk: Shrunk[]
  incomplete: Incomplete[]
}

/** An archive that somebody is signed in to. */
export interface ArchiveStatus {
  account: Account
  connection: Connection
}

export interface SessionStatus {
  /** In the order in which they were shown last. */
  archives: ArchiveStatus[]
  /** An address used before, to begin with. */
  lastUrl: string
  lastUsername: string
}

/** One step of checking an address, in the order they are taken. */
export interface Step {
  name: 'address' | 'encryption' | 'proxy' | 'host' | 'connection' | 'tls' | 'answers' | 'scheme'
  /** `warning`: it can be gone on with, if a person says so. */
  outcome: 'passed' | 'warning' | 'failed' | 'not reached'
  /** What was found: an IP address, a proxy, a certificate's name, a status. */
  found: string
  /** What a person can do something about, such as signing in at a proxy. */
  failure: Failure | null
}

const Address = v.object({ url: v.pipe(v.string(), v.maxLength(2000)) })
/** Whether a person agreed that others may read the password on its way. */
const mayBeRead = v.optional(v.boolean())
const Credentials = v.object({
  ...Address.entries,
  username: v.pipe(v.string(), v.maxLength(300)),
  password: v.pipe(v.string(), v.maxLength(2000)),
  mayBeRead,
})
const Start = v.object({ sample: v.boolean() })

const Which = v.object({ archive: archiveId })

/** Who is at the desk, and with which archives it speaks. No member gives a secret. */
export const session = {
  status: query(v.undefined()).returns<SessionStatus>(),
  check: query(Address).returns<Step[]>(),
  /** Gives the archive that somebody is signed in to from now on. */
  signIn: command(Credentials).returns<{ archive: string }>(),
  /** The same person again, after the archive no longer took the token; nothing else changes. */
  signInAgain: command(
    v.object({ ...Which.entries, password: v.pipe(v.string(), v.maxLength(2000)), mayBeRead }),
  ).returns<{ archive: string }>(),
  signInHere: command(Start).returns<{ archive: string }>(),
  /** Somebody looks at an archive from now on; it is connected where it was not. */
  show: command(Which).returns<void>(),
  signOut: command(Which).returns<void>(),
  /**
   * Signs out, and deletes what was read of an archive; what this desk itself keeps for it stays. Failed
   * conflict where something of it is unsent or under way.
   */
  forget: command(Which).returns<void>(),
  changed: news<SessionStatus>(),
}
