import * as v from 'valibot'
import type { FormField } from '../../contract/description.ts'
import type { OrdersPart } from '../dialect.ts'
import type { HeldOrder } from '../models.ts'
import { idOf } from './records.ts'
import * as wire from '../wire.ts'

const Order = v.looseObject({
  id: wire.id,
  name: wire.text,
  label: wire.text,
  order_content: wire.text,
  create_date: wire.maybeText,
  responsible: v.optional(
    v.fallback(
      v.nullable(v.looseObject({ username: wire.text, first_name: wire.text, last_name: wire.text })),
      null,
    ),
    null,
  ),
  information_packages: v.optional(v.fallback(v.array(v.unknown()), []), []),
})

/** Packages are named by id, by address, or whole. */
const idsIn = (values: unknown[]): string[] => values.map(idOf).filter(Boolean)

/**
 * Where an archive links DIPs alone, what is asked for stands in the text of the order: a line each, with the
 * id between brackets.
 */
const asked = /^.*\[([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]\s*$/gim

/**
 * The text of an order with what is asked for, as a person at the archive reads it and a desk reads it again.
 */
const contentWith = (content: string, packages: { id: string; name: string }[]): string =>
  [content.trim(), packages.map(({ id, name }) => `${name.replaceAll(/[\r\n]+/g, ' ')} [${id}]`).join('\n')]
    .filter(Boolean)
    .join('\n\n')

/** The same in its two parts. */
const contentIn = (text: string) => ({
  content: text.replaceAll(asked, '').trim(),
  packages: [...text.matchAll(asked)].map(([, one = '']) => one),
})

/** An order as the archive gave it (specification 2.14: name or label, responsible, information_packages). */
export const readOrder = (raw: unknown): HeldOrder => {
  const {
    id,
    name,
    label,
    order_content,
    create_date: made,
    responsible,
    information_packages,
  } = v.parse(Order, raw)
  const who = responsible
    ? `${responsible.first_name} ${responsible.last_name}`.trim() || responsible.username
    : ''
  const { content, packages } = contentIn(order_content)
  return {
    id,
    name: name || label,
    content,
    made,
    responsible: who,
    packages: [...new Set([...packages, ...idsIn(information_packages)])],
  }
}

const field = (name: string, type: FormField['type']): FormField => ({
  name,
  label: name,
  help: '',
  type,
  isRequired: name === 'name',
  longest: null,
  choices: [],
  of: [],
})
const fields = [
  field('name', 'text'),
  field('information_packages', 'choices'),
  field('order_content', 'long text'),
  field('type', 'text'),
]

/** A new order. Where an archive links DIPs alone, what is asked for is said in its text too. */
export const formOfOrder: OrdersPart['form'] = ({ name, content, packages, type }, capabilities) => ({
  fields,
  values: {
    name,
    information_packages: packages.map(({ id }) => id),
    order_content: capabilities?.order.linksPackages === false ? contentWith(content, packages) : content,
    ...(type === undefined ? {} : { type }),
  },
})

/** What a filled form says. */
export const sayingOf: OrdersPart['ofForm'] = ({ name, information_packages, order_content }) => ({
  name: typeof name === 'string' ? name : null,
  content: contentIn(typeof order_content === 'string' ? order_content : '').content,
  packages: Array.isArray(information_packages)
    ? information_packages.filter((id) => typeof id === 'string')
    : [],
})
