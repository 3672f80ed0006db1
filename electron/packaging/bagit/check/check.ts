import type { PackageReport } from '../../../contract/findings.ts'
import { checkInThread } from '../../check-thread.ts'
import type { CheckOptions } from '../../format.ts'
import { bagItFormat } from '../layout.ts'
import type { Profile } from '../profile.ts'

type BagCheckOptions = Omit<CheckOptions, 'profile'> & { profile?: Profile }

/**
 * Checks a bag in a folder, tar or zip (RFC 8493 3): complete, valid, and as a profile wants it where one is
 * given. Every error is found, not the first alone; nothing is unpacked or changed. Versions 0.93 to 1.0. The
 * path may be a link; in the bag none is followed.
 * @throws as `checkInThread`
 */
export const checkBag = (
  path: string,
  { scripts, profile, ...options }: BagCheckOptions,
): Promise<PackageReport> =>
  checkInThread(path, options, {
    format: bagItFormat.name,
    checker: scripts.checker,
    worker: scripts.worker,
    crcWorker: scripts.crcWorker,
    further: { profile: profile ?? null },
  })
