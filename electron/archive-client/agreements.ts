import * as v from 'valibot'
import type { Reach } from './http.ts'
import * as wire from './wire.ts'

const Agreement = v.looseObject({ id: wire.id, name: wire.text })

/** Submission agreements (specification 2.8), by name. */
export const listAgreements = async ({ list }: Reach) =>
  (await list('submission-agreements/')).map((raw) => {
    const { id, name } = v.parse(Agreement, raw)
    return { model: { id, name }, raw }
  })
