import { about } from './about.ts'
import { activity } from './activity.ts'
import { alerts } from './alerts.ts'
import { batch } from './batch.ts'
import { capabilities } from './capabilities.ts'
import { changes } from './changes.ts'
import { comparisons } from './comparisons.ts'
import { connection } from './connection.ts'
import { checks } from './checks.ts'
import type { Contract } from './define.ts'
import { description } from './description.ts'
import { diagnostics } from './diagnostics.ts'
import { dips } from './dips.ts'
import { exports } from './exports.ts'
import { files } from './files.ts'
import { find } from './find.ts'
import { network } from './network.ts'
import { notices } from './notices.ts'
import { orders } from './orders.ts'
import { outbox } from './outbox.ts'
import { packages } from './packages.ts'
import { printing } from './printing.ts'
import { reader } from './reader.ts'
import { search } from './search.ts'
import { searches } from './searches.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
import { storage } from './storage.ts'
import { transfers } from './transfers.ts'
import { updates } from './updates.ts'
import { viewer } from './viewer.ts'
import { views } from './views.ts'

/** What a window may ask, order and hear of the application as a whole: one line per feature. */
export const applicationContract = {
  session,
  checks,
  notices,
  network,
  settings,
  about,
  diagnostics,
  updates,
  viewer,
} satisfies Contract
export type ApplicationContract = typeof applicationContract

/** The same of one archive: every call names the archive that it concerns. */
export const archiveContract = {
  connection,
  packages,
  find,
  search,
  searches,
  orders,
  storage,
  transfers,
  batch,
  description,
  changes,
  outbox,
  activity,
  alerts,
  exports,
  printing,
  views,
  capabilities,
  files,
  reader,
  comparisons,
  dips,
} satisfies Contract
export type ArchiveContract = typeof archiveContract
