import { listEvents, listNotifications } from '../archive-client/activity.ts'
import { listAgreements } from '../archive-client/agreements.ts'
import type { Reach } from '../archive-client/http.ts'
import type { Listing } from '../archive-client/listing.ts'
import { listPackages } from '../archive-client/packages.ts'
import { listMedia, listMethods, listObjects, listPolicies, listRelations, listTargets } from '../archive-client/storage.ts'
import { listDeliveries, listTransfers } from '../archive-client/transfers.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import type { Cache, Subject } from '../store/cache.ts'

type Found = Listing<{ id: string | number }>

/** Every list that is held, and how it is asked for. */
const lists: { subject: Subject; ask: (archive: Reach) => Promise<Found> }[] = [
  { subject: 'packages', ask: listPackages },
  { subject: 'objects', ask: listObjects },
  { subject: 'media', ask: listMedia },
  { subject: 'targets', ask: listTargets },
  { subject: 'relations', ask: listRelations },
  { subject: 'methods', ask: listMethods },
  { subject: 'policies', ask: listPolicies },
  { subject: 'agreements', ask: listAgreements },
  { subject: 'deliveries', ask: listDeliveries },
  { subject: 'transfers', ask: listTransfers },
  { subject: 'events', ask: listEvents },
  { subject: 'notifications', ask: listNotifications },
]

interface Parts {
  cache: Cache
  reached: () => { account: { archive: string }; archive: Reach } | undefined
  now: () => Date
  began: () => void
  /** The lists are complete (null) or could not be had; those held before stay as they were. */
  ended: (failure: Failure | null) => void
  bug: (error: unknown) => string
}

/** A list that an account may not see, or that the archive does not have, is an empty one; any other failure stops the refresh. */
const askGently = async (ask: () => Promise<Found>): Promise<Found> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Failed && (error.failure.kind === 'not-allowed' || error.failure.kind === 'not-found')) return { rows: [], unreadable: [] }
    throw error
  }
}

/**
 * Keeps the local copy fresh. `whole` reads all lists and takes them over in one go; asked for while one runs, it is the same one.
 */
export const openRefresh = ({ cache, reached, now, began, ended, bug }: Parts) => {
  let running: Promise<void> | undefined

  const once = async () => {
    const there = reached()
    if (!there) return
    began()
    try {
      const rows = await Promise.all(lists.map(async ({ subject, ask }) => ({ subject, ...(await askGently(() => ask(there.archive))) })))
      if (reached()?.account.archive !== there.account.archive) return
      cache.replace(there.account.archive, rows, now().toISOString())
      ended(null)
    } catch (error) {
      ended(error instanceof Failed ? error.failure : { kind: 'bug', reference: bug(error) })
    }
  }

  const whole = () => {
    running ??= once().finally(() => (running = undefined))
    return running
  }

  /** One cheap request; everything is read again only when the archive told something new, or cannot be reached. */
  const glance = async () => {
    const there = reached()
    if (!there || running) return
    const held = cache.all<{ id: number }>(there.account.archive, 'notifications').map(({ id }) => id)
    const told = await listNotifications(there.archive).catch(() => undefined)
    const isSame = told?.rows.length === held.length && told.rows.every(({ model }) => held.includes(model.id))
    if (!isSame) await whole()
  }

  return { whole, glance }
}
