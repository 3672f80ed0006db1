import { nearlyFull, type Medium } from '../../../electron/contract/storage.ts'

/** 0 to 1 of what the medium's target says it holds; null where no limit is known. */
export const fullnessOf = ({ usedBytes, capacityBytes }: Medium) =>
  capacityBytes === null ? null : usedBytes / capacityBytes

/**
 * A medium that is still written to and will soon take no more; one that is marked full is as it should be.
 */
export const isNearlyFull = (medium: Medium) =>
  medium.use === 'written' && (fullnessOf(medium) ?? 0) >= nearlyFull
