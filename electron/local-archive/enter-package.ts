import { isTape, type EventCode } from './codes.ts'
import type { Body, Database } from './database.ts'
import { notify, writeEvent } from './events.ts'
import type { CopiedPackage } from './intake/copy-package.ts'
import { addPackage, nextGeneration } from './packages.ts'
import { policyOf, recordCopy, type Place } from './places.ts'
import { indexDocuments } from './search/index-records.ts'
import type { CheckedPackage } from './strict-check.ts'
import type { Copy } from './write-copies.ts'

/** A package whose copies are on the disk. */
interface WrittenPackage {
  id: string
  identifier: string
  label: string
  made: Date
  responsible: Body
  transfer: Body | undefined
  about: Omit<Parameters<typeof writeEvent>[3], 'note'>
  checked: CheckedPackage
  copied: CopiedPackage
  places: Place[]
  copies: Copy[]
  /** Whether what is told of it counts as read. */
  isSeen: boolean | undefined
}

/** Enters everything that is said of a package. Call it inside a transaction: from then on it is shown. */
export const enterPackage = (database: Database, now: () => Date, written: WrittenPackage) => {
  const { id, identifier, transfer, checked, copied, places, copies, responsible } = written
  const { tar, mets } = copied
  const event = (code: EventCode, note: string) =>
    writeEvent(database, now(), code, { ...written.about, package: id, note })
  const generation = nextGeneration(database, identifier)
  const aip = addPackage(database, {
    id,
    identifier,
    label: written.label,
    generation,
    made: written.made,
    responsible,
    transfer,
    record: checked.record,
    provenance: checked.provenance,
    items: checked.files,
    tar: { ...tar, path: copies[0]?.file ?? '' },
    mets,
    policy: policyOf(database),
  })
  const producer =
    transfer && database.one('delivery', String(transfer['delivery']))?.['producer_organization']
  indexDocuments(aip, typeof producer === 'string' ? [producer] : [], database)
  event(50230, `The package is complete and valid: ${checked.files} files, ${checked.bytes} bytes`)
  event(50400, `Written as ${id}.tar, ${tar.bytes} bytes, sha256 ${tar.sha256}`)
  event(30200, `Generation ${generation} of ${identifier}`)
  places.forEach((place, index) => {
    const time = now().toISOString()
    recordCopy(database, place, { package: id, file: copies[index]?.file, bytes: tar.bytes, time })
    event(
      isTape(place.target['type']) ? 40700 : 40600,
      `Written to ${String(place.medium['medium_id'])}, read back and equal`,
    )
  })
  event(30300, `Preserved in ${copies.length} copies`)
  const message = `${String(aip['label'])} (${identifier}) is now preserved`
  notify(database, now(), responsible, 'success', message, written.isSeen)
}
