import * as v from 'valibot'
import { plainList } from './plain-list.ts'
import * as wire from '../wire.ts'

const Agreement = v.looseObject({ id: wire.id, name: wire.text, policy: wire.maybeId })

/**
 * Submission agreements (specification 2.8), by name; on ESSArch a package has the storage policy of its
 * agreement.
 */
export const agreements = plainList({
  path: 'submission-agreements/',
  version: 1,
  read: (record) => {
    const { id, name, policy } = v.parse(Agreement, record)
    return { id, name, policy }
  },
})
