import * as v from 'valibot'
import type { TransferForm } from '../contract/transfers.ts'
import type { Reach } from './http.ts'
import { plainList } from './listing.ts'
import * as wire from './wire.ts'

const Transfer = v.looseObject({
  id: wire.id,
  name: wire.text,
  delivery: wire.maybeId,
  description: wire.text,
})
const Delivery = v.looseObject({
  id: wire.id,
  name: wire.text,
  type: v.optional(
    v.fallback(v.nullable(v.union([v.looseObject({ name: wire.text }), v.number(), v.string()])), null),
    null,
  ),
})

const toDelivery = (value: unknown) => {
  const { id, name, type } = v.parse(Delivery, value)
  return { id, name, type: typeof type === 'object' && type !== null ? type.name : '' }
}

const toTransfer = (value: unknown) => {
  const { id, name, delivery, description } = v.parse(Transfer, value)
  return { id, name, delivery, description }
}

/** Ids travel as the archive gave them: a number where it is one. */
const toWireId = (id: string) => (/^\d+$/.test(id) ? Number(id) : id)

/**
 * The mark that tells our transfer from its twin: the interface has no idempotency key, so the last line of the description carries
 * the draft's id. It is how a transfer whose answer was lost is found again.
 */
export const markOf = (draft: string) => `[Lectern ${draft}]`

export const transfers = plainList('transfers/', toTransfer)

export const deliveries = plainList('deliveries/', toDelivery)

/** Creates a transfer (specification 2.14) and gives its id. */
export const createTransfer = async ({ post }: Reach, draft: string, form: TransferForm): Promise<string> => {
  const made = await post('transfers/', {
    name: form.name,
    delivery: toWireId(form.delivery),
    submitter_organization: form.organization,
    submitter_organization_main_address: form.address,
    submitter_individual_name: form.person,
    submitter_individual_email: form.email,
    description: `${form.description}${form.description === '' ? '' : '\n\n'}${markOf(draft)}`,
  })
  return toTransfer(made).id
}
