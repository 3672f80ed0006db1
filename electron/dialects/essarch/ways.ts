import { wayTo, type Capabilities, type Way } from '../../contract/capabilities.ts'
import type { FormField } from '../../contract/description.ts'
import type { ListName } from '../../contract/lists.ts'
import { createsIn, type CreationField } from '../specification/creates.ts'
import { idOf } from '../specification/records.ts'

type Wire = Record<string, unknown>

/** Ways for which the list itself describes no fields. */
const byAnotherWay: Way[] = ['structure', 'search', 'administration', 'never']
export const isAskedOf = (list: ListName, capabilities: Capabilities | null): boolean =>
  !byAnotherWay.includes(wayTo(capabilities, list))

/**
 * The fields of a form where records are not created in their own list: as the specification names them, but
 * for what must be said more exactly.
 */
export const fieldsBy = (way: Way, list: ListName): Record<string, CreationField> => {
  const named = createsIn(list) ?? {}
  return way === 'structure'
    ? { ...named, type: { type: 'reference', to: 'structure-unit-types', isRequired: true } }
    : { ...named, structure: { type: 'reference', to: 'structures', isRequired: true } }
}

/**
 * A form with what may be chosen there: nothing is put into a published structure. Of such a template a new
 * archive gets a copy, in which its nodes stand (ESSArch: `is_template`, `published`).
 */
export const offeredBy = (way: Way, fields: FormField[]): FormField[] => {
  const structures = fields.find(({ name }) => name === 'structure')?.choices ?? []
  const templates = new Set(structures.flatMap(({ value, isTemplate }) => (isTemplate ? [value] : [])))
  return fields.map((field) => ({
    ...field,
    choices: field.choices.filter(
      ({ within, isTemplate }) =>
        !(isTemplate === true && way === 'structure') && !templates.has(within ?? ''),
    ),
  }))
}

const without = (body: Wire, ...names: string[]): Wire =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

/**
 * An archive as a POST to the search makes it, or what stands in one (ESSArch: `index` archive or component).
 */
const nodeOf = (body: Wire): Wire => {
  const { structure, structure_unit: unit, parent, agent, reference_code: code } = body
  const rest = without(body, 'structure', 'structure_unit', 'parent', 'agent', 'reference_code')
  const named = code === undefined ? { use_uuid_as_refcode: true } : { reference_code: code }
  if (unit === undefined && parent === undefined)
    return {
      ...rest,
      ...named,
      index: 'archive',
      structures: structure === undefined ? [] : [structure],
      archive_creator: agent ?? null,
    }
  const place = unit === undefined ? { parent } : { structure_unit: unit }
  return {
    ...rest,
    ...(code === undefined ? {} : named),
    ...place,
    ...(structure === undefined ? {} : { structure }),
    index: 'component',
    location: null,
  }
}

const orderOf = (body: Wire, { linksPackages, types }: Capabilities['order']): Wire => {
  if (linksPackages || 'label' in body) return body
  const { name, type: chosen = types[0]?.id, ...rest } = without(body, 'information_packages')
  const type = typeof chosen === 'string' && /^\d+$/.test(chosen) ? Number(chosen) : chosen
  return { label: name, ...(type === undefined ? {} : { type }), ...rest }
}

/**
 * Where a creation goes and what it says, by what the archive can do: to its list as the specification has it
 * (4.2, 2.14), else below
 * its structure or by way of the search.
 * @param body as the specification names it
 */
export const requestOf = (
  list: ListName,
  body: Wire,
  capabilities: Capabilities | null,
): { path: string; body: Wire } => {
  const way = wayTo(capabilities, list)
  if (list === 'structure-units' && way === 'structure')
    return {
      path: `structures/${encodeURIComponent(idOf(body['structure']))}/units/`,
      body: without(body, 'structure'),
    }
  if (list === 'tags' && way === 'search') return { path: 'search/', body: nodeOf(body) }
  return {
    path: `${list}/`,
    body: list === 'orders' && capabilities ? orderOf(body, capabilities.order) : body,
  }
}

/** Where units of a structure are created (ESSArch). */
const unitsOf = /^structures\/([^/]+)\/units\/$/

/**
 * The part of a list in which a record stands that was made of a body. Each file of every package is a tag
 * too (ESSArch): of tags those of its index are read, and of the units of all archives those of the structure
 * that the record was sent to.
 * @param path where it is sent to
 */
export const partWith = (list: ListName, { index }: Wire, path = ''): string => {
  const structure = unitsOf.exec(path)?.[1]
  if (list === 'structure-units' && structure !== undefined) return `structure-units/?structure=${structure}`
  return list === 'tags' && typeof index === 'string'
    ? `tags/?${new URLSearchParams({ index }).toString()}`
    : `${list}/`
}
