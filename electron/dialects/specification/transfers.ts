import * as v from 'valibot'
import type { TransferForm } from '../../contract/transfers.ts'
import type { Client } from '../../archive-client/http.ts'
import { plainList } from './plain-list.ts'
import type { RegisteredTransfer } from '../models.ts'
import * as wire from '../wire.ts'
import { readAnswer } from './answers.ts'

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

const toTransfer = (value: unknown): RegisteredTransfer => {
  const { id, name, delivery, description } = v.parse(Transfer, value)
  return { id, name, delivery, description }
}

/** Ids travel as the archive gave them: a number where it is one. */
const toWireId = (id: string) => (/^\d+$/.test(id) ? Number(id) : id)

export const transfers = plainList({ path: 'transfers/', version: 1, read: toTransfer })

export const deliveries = plainList({ path: 'deliveries/', version: 1, read: toDelivery })

/** Creates a transfer (specification 2.14) and gives its id. */
export const createTransfer = async ({ post }: Pick<Client, 'post'>, form: TransferForm): Promise<string> => {
  const made = await post('transfers/', {
    name: form.name,
    delivery: toWireId(form.delivery),
    submitter_organization: form.organization,
    submitter_organization_main_address: form.address,
    submitter_individual_name: form.person,
    submitter_individual_email: form.email,
    description: form.description,
  })
  return readAnswer(v.looseObject({ id: wire.id }), made, 'transfers/').id
}
