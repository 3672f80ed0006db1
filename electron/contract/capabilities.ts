import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { ListName } from './lists.ts'
import { recordId } from './ids.ts'

/**
 * How a record of a list comes into being on an archive: by a POST to its list, below its structure, or by
 * way of the search; or why it does not: this account may not, it is done in the archive's own
 * administration, or nobody can over the interface.
 */
export type Way = 'list' | 'structure' | 'search' | 'not allowed' | 'administration' | 'never' | 'unknown'

/** What is done with packages that takes a permission for it. */
export const packageWays = ['files', 'access', 'dip'] as const
export type PackageWay = (typeof packageWays)[number]

/** What an archive can do, as it said itself when it was asked. */
export interface Capabilities {
  /** When it was asked; an ISO time, or null while it is asked for the first time. */
  asked: string | null
  /** Parts that it says are switched on or off. */
  features: { name: string; isOn: boolean }[]
  /** Whether a plain list is only its first page. */
  isPaged: boolean
  /** Whether lists say how many records there are in all (the header Count). */
  isCounting: boolean
  /** Whether packages can be asked for in views (`view_type`); the plain list is then not the whole one. */
  hasViews: boolean
  /** How filters of a search are written: after the path, or as a query string only. */
  search: 'path' | 'query string' | 'none'
  signIn: 'Token' | 'Basic'
  /**
   * When the token ends: as the archive says, else after the usual time; null with name and password in each
   * request.
   */
  tokenEnds: string | null
  /** Whether the sign-in began a session that a push channel can use. */
  hasSession: boolean
  lists: { list: ListName; reads: 'yes' | 'not allowed' | 'not there'; way: Way; isChangeable: boolean }[]
  /** Whether an order names packages beside its text, and of which types it can be. */
  order: { linksPackages: boolean; types: { id: string; name: string }[] }
  /** What stands below a package beyond the specification. */
  packages: {
    files: boolean
    events: boolean
    copies: boolean
    steps: boolean
    access: boolean
    dip: boolean
    /** What of it the archive offers to others, and not to this account. */
    denied: PackageWay[]
  }
  /**
   * Whether packages can be brought over the interface alone: not by this account, until they are submitted,
   * or, where this account may receive them too, until they are preserved. Unknown where the server broke
   * when it was asked.
   */
  submission: 'unknown' | 'no' | 'not allowed' | 'until submitted' | 'whole'
  notifications: { markSeen: boolean }
  /** Whether units and nodes are asked what stands in them, which the list of nodes then does not say. */
  givesContents: boolean
  user: {
    /** `app.codename`; null where the archive does not say. */
    permissions: string[] | null
    isSuperuser: boolean
    organizations: { id: string; name: string }[]
    /** The one that is worked for now; null where there is none. */
    organization: string | null
  }
}

/** How records of a list are created on an archive; unknown where it was never asked. */
export const wayTo = (capabilities: Capabilities | null, list: ListName): Way =>
  capabilities?.lists.find((known) => known.list === list)?.way ?? 'unknown'

/** Whether packages go to an archive over its interface, as far as that is known. */
export const takesPackages = (capabilities: Capabilities | null): boolean =>
  !['no', 'unknown'].includes(capabilities?.submission ?? 'unknown')

/** What an archive can do. Nothing else asks which archive it is. */
export const capabilities = {
  /** As it was told last; null before it was ever asked. */
  read: query(v.undefined()).returns<Capabilities | null>(),
  /** Asks it again. */
  ask: command(v.undefined()).returns<Capabilities>(),
  /** Works for another organization from now on: other permissions, and other packages to be seen. */
  chooseOrganization: command(v.object({ id: recordId })).returns<Capabilities>(),
  changed: news<Capabilities>(),
}
