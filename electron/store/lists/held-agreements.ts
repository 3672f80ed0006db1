import type { Agreement } from '../../contract/agreements.ts'
import type { Cache } from '../cache/cache.ts'

/** More than any archive has; what is held of them is read at once. */
const mostAgreements = 5_000

/** The submission agreements that the local copy of an archive holds, in the archive's order. */
export const heldAgreements = (cache: Pick<Cache, 'some'>): Agreement[] =>
  cache
    .some<Agreement>('agreements', mostAgreements)
    .map(({ id, name, organization }) => ({ id, name, organization }))
