import type { Dialect } from '../../../dialects/dialect.ts'
import type { Delivery, DeletionReason, Receipt, Transfer, Duplicate } from '../../../contract/transfers.ts'
import type { Cache } from '../../../store/cache/cache.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { StorageMedium, StorageObject, StoragePolicy } from '../../../dialects/models.ts'

/**
 * Whether originals may be deleted, with every reason for and against: the archive says that the package is
 * preserved, it holds as many copies as its policy requires, nothing of the sources was left out, and what
 * was sent is what was packed.
 * @param copies those that the loss of one medium takes one of
 */
const reasonsOf = (transfer: KeptTransfer, copies: number, wanted: number | null): DeletionReason[] => [
  { code: 'preserved', isMet: transfer.state === 'preserved', is: null, of: null },
  // Without a policy nobody knows how many there should be; two is the least that survives the loss of one.
  { code: 'copies', isMet: copies >= (wanted ?? 2) && copies > 0, is: copies, of: wanted },
  {
    code: 'all-packed',
    isMet: transfer.sip !== null && transfer.sip.skipped === 0,
    is: transfer.sip?.skipped ?? null,
    of: null,
  },
  {
    code: 'same-contents',
    isMet:
      transfer.sip !== null &&
      transfer.sip.counts.files === transfer.counts.files &&
      transfer.sip.counts.bytes === transfer.counts.bytes,
    is: transfer.sip?.counts.files ?? null,
    of: transfer.counts.files,
  },
  // What goes over the interface is compared file by file with what the archive says that it holds.
  ...((transfer.steps ?? []).length > 0
    ? [{ code: 'compared' as const, isMet: transfer.compared !== null, is: null, of: null }]
    : []),
]

interface Known {
  /** The transfer as a page has it. */
  shown: Transfer
  /** What is held of its archive. */
  cache: Cache
  dialect: Pick<Dialect, 'readPackage'>
  now: Date
}

/**
 * What a donor is given: identifiers, digests, counts, dates, the copies, and whether the originals may go.
 * Everything from the local copy.
 */
export const receiptOf = (transfer: KeptTransfer, { shown, cache, dialect, now }: Known): Receipt => {
  const found =
    transfer.package === null ? undefined : cache.packages.whole(transfer.package, dialect.readPackage)
  const agreementOf = (id: string) =>
    cache.one<{ id: string; name: string; policy: string | null }>('agreements', id)?.model
  // A package that names no policy has that of its agreement.
  const policyId = found?.policy ?? (found?.agreement ? agreementOf(found.agreement)?.policy : null)
  const policy = policyId ? cache.one<StoragePolicy>('policies', policyId)?.model : undefined
  // One that names no method for it says nothing of how many.
  const wanted = policy?.methods.filter(({ isEnabled }) => isEnabled).length || null
  const copies = found ? cache.where<StorageObject>('objects', 'package', found.id) : []
  const mediumOf = ({ medium }: StorageObject) =>
    medium === null ? undefined : cache.one<StorageMedium>('media', medium)?.model
  const sound = copies.filter((object) => mediumOf(object)?.use !== 'failed')
  const reasons = reasonsOf(transfer, new Set(sound.map(({ mediumId }) => mediumId)).size, wanted)
  return {
    transfer: shown,
    wanted,
    reasons,
    mayDelete: reasons.every(({ isMet }) => isMet),
    made: now.toISOString(),
    deliveryName: cache.one<Delivery>('deliveries', transfer.form.delivery)?.model.name ?? '',
    agreementName:
      (transfer.steps ?? []).length > 0 ? (agreementOf(transfer.form.agreement)?.name ?? '') : '',
    sources: transfer.sources.map(({ path }) => path),
    package: found
      ? {
          id: found.id,
          label: found.label,
          identifier: found.identifier,
          aic: found.aic,
          // Archives count from 0 or from 1.
          generation: cache.packages.facts(found.id)?.generation ?? null,
          bytes: found.bytes,
          digest: found.digest,
          algorithm: found.algorithm,
        }
      : null,
    copies: copies.map((object) => ({
      medium: object.mediumId,
      target: object.targetName,
      location: mediumOf(object)?.location ?? '',
      path: object.path,
      written: object.written,
    })),
  }
}

/**
 * What seems to hold the same as a transfer: by content, once it is packed, among this desk's own; by
 * identifier in the archive.
 * @param same transfers of this desk whose files have the same bytes, itself perhaps among them
 */
export const duplicatesOf = (
  transfer: KeptTransfer,
  same: KeptTransfer[],
  { packages }: Cache,
): Duplicate[] => {
  const transfers = same
    .filter(({ id }) => id !== transfer.id)
    .map((other): Duplicate => ({
      kind: 'transfer',
      id: other.id,
      name: other.form.name,
      by: 'content',
      time: other.times.sent ?? other.changed,
    }))
  const identified = packages
    .identified(transfer.form.identifier)
    .filter(({ id, type }) => type !== 'AIC' && id !== transfer.package)
    .map(({ id, label, since }): Duplicate => ({
      kind: 'package',
      id,
      name: label,
      by: 'identifier',
      time: since,
    }))
  return [...transfers, ...identified]
}
