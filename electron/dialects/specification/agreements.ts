import * as v from 'valibot'
import { plainList } from './plain-list.ts'
import * as wire from '../wire.ts'

const Agreement = v.looseObject({
  id: wire.id,
  name: wire.text,
  archivist_organization: wire.text,
  policy: wire.maybeId,
})

/**
 * Submission agreements (specification 2.8), by name; on ESSArch a package has the storage policy of its
 * agreement.
 */
export const agreements = plainList({
  path: 'submission-agreements/',
  version: 2,
  read: (record) => {
    const { id, name, archivist_organization: organization, policy } = v.parse(Agreement, record)
    return { id, name, organization, policy }
  },
})
