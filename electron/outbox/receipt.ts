import type { StorageMedium, StorageObject, StoragePolicy } from '../archive-client/storage.ts'
import type { Delivery, DeletionReason, Receipt, Transfer, Twin } from '../contract/transfers.ts'
import type { Cache } from '../store/cache.ts'
import type { KeptTransfer } from '../store/desk.ts'

/**
 * Whether originals may be deleted, with every reason for and against: the archive says that the package is preserved, it holds as many
 * copies as its policy wants, nothing of the sources was left out, and what was sent is what was packed.
 */
const reasonsOf = (it: KeptTransfer, copies: number, wanted: number | null): DeletionReason[] => [
  { code: 'preserved', isMet: it.stage === 'preserved', is: null, of: null },
  // Without a policy nobody knows how many there should be; two is the least that survives the loss of one.
  { code: 'copies', isMet: copies >= (wanted ?? 2) && copies > 0, is: copies, of: wanted ?? 2 },
  {
    code: 'all-packed',
    isMet: it.bag !== null && it.bag.skipped === 0,
    is: it.bag?.skipped ?? null,
    of: null,
  },
  {
    code: 'same-bag',
    isMet:
      it.bag !== null && it.bag.counts.files === it.counts.files && it.bag.counts.bytes === it.counts.bytes,
    is: it.bag?.counts.files ?? null,
    of: it.counts.files,
  },
]

/** What a donor is given: identifiers, digests, counts, dates, the copies, and whether the originals may go. Everything from the local copy. */
export const receiptOf = (it: KeptTransfer, shown: Transfer, cache: Cache, now: Date): Receipt => {
  const found = it.package === null ? undefined : cache.packages.whole(it.package)
  const policy = found?.policy ? cache.one<StoragePolicy>('policies', found.policy)?.model : undefined
  const wanted = policy ? policy.methods.filter(({ isEnabled }) => isEnabled).length : null
  const copies = found ? cache.where<StorageObject>('objects', 'package', found.id) : []
  const reasons = reasonsOf(it, copies.length, wanted)
  return {
    transfer: shown,
    wanted,
    reasons,
    mayDelete: reasons.every(({ isMet }) => isMet),
    made: now.toISOString(),
    deliveryName: cache.one<Delivery>('deliveries', it.form.delivery)?.model.name ?? '',
    sources: it.sources.map(({ path }) => path),
    package: found
      ? {
          id: found.id,
          label: found.label,
          identifier: found.identifier,
          aic: found.aic,
          generation: found.generation,
          bytes: found.bytes,
          digest: found.digest,
          algorithm: found.algorithm,
        }
      : null,
    copies: copies.map((object) => {
      const medium =
        object.medium === null ? undefined : cache.one<StorageMedium>('media', object.medium)?.model
      return {
        medium: object.mediumId,
        target: object.targetName,
        location: medium?.location ?? '',
        path: object.path,
        written: object.written,
      }
    }),
  }
}

/** What seems to hold the same as a transfer that is prepared: by content among this desk's own, by identifier in the archive. */
export const twinsOf = (it: KeptTransfer, own: KeptTransfer[], { packages }: Cache): Twin[] => {
  const { bag } = it
  if (!bag) return []
  const transfers = own
    .filter(
      (other) =>
        other.id !== it.id && other.bag !== null && bag.content !== '' && other.bag.content === bag.content,
    )
    .map((other): Twin => ({
      kind: 'transfer',
      id: other.id,
      name: other.form.name,
      by: 'content',
      time: other.times.sent ?? other.changed,
    }))
  const identified = packages
    .identified(it.form.identifier)
    .filter(({ id, type }) => type !== 'AIC' && id !== it.package)
    .map(({ id, label, since }): Twin => ({
      kind: 'package',
      id,
      name: label,
      by: 'identifier',
      time: since,
    }))
  return [...transfers, ...identified]
}
