import type { Dialect } from '../../../dialects/dialect.ts'
import type { StoragePolicy } from '../../../dialects/models.ts'
import type { PremisEvent } from '../../../contract/packages.ts'
import type { CacheOf } from '../../../store/cache/caches.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'

const mostPolicies = 1_000

export type Evidence = ReturnType<typeof openEvidence>

/** What this desk holds of an archive that says something of a transfer; the archive may know more by now. */
export const openEvidence = (
  cacheOf: CacheOf,
  dialectOf: (archive: string) => Pick<Dialect, 'isPreserved'>,
) => {
  const eventsOf = ({ archive, remote }: KeptTransfer) =>
    remote === null ? [] : cacheOf(archive).where<PremisEvent>('events', 'transfer', remote)
  /** Packages with the identifier of a transfer, older ones among them. */
  const packagesOf = ({ archive, form }: KeptTransfer) =>
    cacheOf(archive).packages.identified(form.identifier)
  return {
    eventsOf,
    packagesOf,
    /** The ingest folder of the first active policy that names one. */
    ingestFolderOf: (archive: string): string | null =>
      cacheOf(archive)
        .some<StoragePolicy>('policies', mostPolicies)
        .find(({ isActive, ingestFolder }) => isActive && ingestFolder !== null)?.ingestFolder ?? null,
    /**
     * Whether the archive says anything of its package. One under an identifier that a person typed may be
     * another's: it may have been there when this one was sent, and not have been read of.
     */
    wasReceived: (transfer: KeptTransfer): boolean =>
      eventsOf(transfer).some(({ receipt }) => receipt !== null) ||
      (transfer.form.identifier === transfer.id &&
        packagesOf(transfer).some(({ id }) => !transfer.before.includes(id))),
    /**
     * A package of its identifier that came after it was sent, and that the archive calls preserved. Others
     * may have sent one of an identifier that a person gave, and this desk may not have read of it when it
     * sent its own: such a package has to be younger than its reception.
     * @param received when the archive says that it received this transfer's package; null where it does not
     */
    preservedAs: (transfer: KeptTransfer, received: string | null) => {
      const { isPreserved } = dialectOf(transfer.archive)
      const { form, id, before, times } = transfer
      const from = Date.parse(received ?? times.sent ?? '')
      return packagesOf(transfer).find(
        (facts) =>
          facts.type !== 'AIC' &&
          isPreserved(facts) &&
          !before.includes(facts.id) &&
          (form.identifier === id || Date.parse(facts.since) >= from),
      )
    },
    /** Ids of packages of the same identifier that are older than a transfer. */
    olderThan: (transfer: KeptTransfer): string[] =>
      packagesOf(transfer)
        .filter(({ since }) => Date.parse(since) < Date.parse(transfer.made))
        .map(({ id }) => id),
  }
}
