import type { FieldDifference, FormField, FormValue, FormValues } from '../contract/description.ts'
import { bodyOf } from './forms.ts'
import type { Reach } from './http.ts'
import { idOf } from './records.ts'

type Wire = Record<string, unknown>

/** Fields that a form can change in place: nested rows would replace everything that stands there (ESSArch: a list in a PATCH replaces the stored one). */
export const isChangeable = ({ type }: FormField) => type !== 'rows' && type !== 'json' && type !== 'choices'

const valueOf = (field: FormField, value: unknown): FormValue => {
  if (field.type === 'boolean') return value === true
  const plain = field.type === 'choice' ? idOf(value) : value
  if (typeof plain === 'number') return String(plain)
  if (typeof plain !== 'string') return ''
  return field.type === 'date' ? plain.slice(0, 10) : plain
}

/** A record as a form shows it. */
export const valuesOf = (fields: FormField[], record: Wire): FormValues =>
  Object.fromEntries(fields.map((field) => [field.name, valueOf(field, record[field.name])]))

/** One record as the archive has it now. */
export const readNow = async ({ get }: Pick<Reach, 'get'>, list: string, id: string): Promise<Wire> => {
  const record = await get(`${list}/${encodeURIComponent(id)}/`)
  return typeof record === 'object' && record !== null ? (record as Wire) : {}
}

/** What somebody else changed since a form was opened, field by field, with what it holds now. */
export const differencesIn = (
  fields: FormField[],
  before: FormValues,
  now: FormValues,
  mine: FormValues,
): FieldDifference[] =>
  fields
    .filter(({ name }) => before[name] !== now[name])
    .map(({ name, label }) => ({
      name,
      label,
      before: before[name] ?? '',
      theirs: now[name] ?? '',
      mine: mine[name] ?? '',
      isMine: mine[name] !== before[name],
    }))

/** What a change says: the fields that differ from what the archive has, nothing else. An emptied field is sent as such. */
export const changeOf = (fields: FormField[], now: FormValues, mine: FormValues): Wire => {
  const changed = fields.filter(({ name }) => (mine[name] ?? '') !== (now[name] ?? ''))
  const isEmpty = (value: FormValue | undefined) =>
    value === undefined || (typeof value === 'string' && value.trim() === '')
  const emptied = changed.filter(({ name }) => isEmpty(mine[name]))
  const empty = ({ type }: FormField) => (type === 'text' || type === 'long text' ? '' : null)
  return {
    ...bodyOf(changed, mine, () => ''),
    ...Object.fromEntries(emptied.map((field) => [field.name, empty(field)])),
  }
}
