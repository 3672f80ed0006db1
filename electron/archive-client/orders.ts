import * as v from 'valibot'
import * as wire from './wire.ts'

const Order = v.looseObject({
  ...{ id: wire.id, name: wire.text, label: wire.text, order_content: wire.text, create_date: wire.maybeText },
  responsible: v.optional(v.fallback(v.nullable(v.looseObject({ username: wire.text, first_name: wire.text, last_name: wire.text })), null), null),
  information_packages: v.optional(v.fallback(v.array(v.unknown()), []), []),
})

const Reference = v.union([
  v.pipe(
    v.looseObject({ id: wire.id }),
    v.transform((it) => it.id),
  ),
  wire.id,
])

/** Packages are named by id, by address, or whole. */
const idIn = (value: unknown): string[] => {
  const read = v.safeParse(Reference, value)
  return read.success && read.output !== '' ? [read.output.split('/').filter(Boolean).at(-1) ?? read.output] : []
}

export interface HeldOrder {
  id: string
  name: string
  content: string
  made: string | null
  responsible: string
  packages: string[]
}

/** An order as the archive gave it (specification 2.14: name or label, responsible, information_packages). */
export const readOrder = (raw: unknown): HeldOrder => {
  const { id, name, label, order_content: content, create_date: made, responsible, information_packages } = v.parse(Order, raw)
  const who = responsible ? `${responsible.first_name} ${responsible.last_name}`.trim() || responsible.username : ''
  return { id, name: name || label, content, made, responsible: who, packages: information_packages.flatMap(idIn) }
}
