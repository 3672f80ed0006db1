import type { FormField, FormValue, FormValues } from '../../contract/description.ts'
import { bodyOf } from './forms.ts'
import type { Client } from '../../archive-client/http.ts'
import { idOf } from './records.ts'
import { isRecord } from '../../common/records.ts'

type Wire = Record<string, unknown>

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
export const readNow = async ({ get }: Pick<Client, 'get'>, list: string, id: string): Promise<Wire> => {
  const record = await get(`${list}/${encodeURIComponent(id)}/`)
  return isRecord(record) ? record : {}
}

/**
 * What a change says: the fields that differ from what the archive has, nothing else. An emptied field is
 * sent as such.
 */
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

export const sendChange = ({ patch }: Pick<Client, 'patch'>, list: string, id: string, change: Wire) =>
  patch(`${list}/${encodeURIComponent(id)}/`, change)
