import * as v from 'valibot'
import { plainList } from './listing.ts'
import * as wire from './wire.ts'

const Agreement = v.looseObject({ id: wire.id, name: wire.text })

/** Submission agreements (specification 2.8), by name. */
export const agreements = plainList('submission-agreements/', (record) => {
  const { id, name } = v.parse(Agreement, record)
  return { id, name }
})
