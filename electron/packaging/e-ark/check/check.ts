import type { PackageReport } from '../../../contract/findings.ts'
import { checkInThread } from '../../check-thread.ts'
import type { CheckOptions } from '../../format.ts'
import { eArkSip } from '../layout.ts'

/** What reports call packages that are described by METS; kept with them, so they never change. */
export const metsFormats = {
  sip: eArkSip,
  /** E-ARK CSIP: an AIP or DIP, for instance. */
  csip: 'e-ark-csip',
  /** FGS Paketstruktur 1, before it became E-ARK. */
  fgs: 'fgs-1',
  /** Any other METS. */
  mets: 'mets',
} as const

/**
 * Checks a package that is described by METS, in a folder, tar or zip: by the rules of E-ARK CSIP and SIP,
 * versions 2.1.0 and 2.2.0, where it says that it follows them; in any case each file by its size and digest,
 * and that each is described. Every error is found, not the first alone; nothing is unpacked, changed or
 * fetched. `not-a-package` where no METS lies in its root folder. Of a profile nothing is asked.
 * @throws as `checkInThread`
 */
export const checkEArk = (path: string, { scripts, ...options }: CheckOptions): Promise<PackageReport> =>
  checkInThread(path, options, {
    format: metsFormats.sip,
    checker: scripts.metsChecker,
    worker: scripts.claimWorker,
    crcWorker: scripts.crcWorker,
  })
