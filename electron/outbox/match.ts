import { idOf } from '../archive-client/records.ts'
import type { Reach } from '../archive-client/http.ts'
import { recordReader } from '../archive-client/whole-list.ts'
import type { ListName } from '../contract/lists.ts'

type Wire = Record<string, unknown>

const isObject = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isPlain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
const same = (a: unknown, b: unknown) => idOf(a) === idOf(b)

/** A field of a record by its name, whatever the case of its letters; tags keep theirs in their current version. */
const fieldOf = (record: Wire, name: string): unknown => {
  const version = record['current_version']
  const places = [record, ...(isObject(version) ? [version] : [])]
  for (const place of places) {
    const key = Object.keys(place).find((it) => it.toLowerCase() === name.toLowerCase())
    if (key !== undefined) return place[key]
  }
  return undefined
}

/**
 * Whether a record of the archive says what a creation said: every plain field that both have is the same, and there is at
 * least one. The interface has no key of ours to recognise a record by.
 */
export const isSame = (body: Wire, record: unknown): boolean => {
  if (!isObject(record)) return false
  const compared = Object.entries(body)
    .filter(([, sent]) => isPlain(sent) && sent !== '')
    .map(([name, sent]) => ({ sent, found: fieldOf(record, name) }))
    .filter(({ found }) => found !== undefined)
  return compared.length > 0 && compared.every(({ sent, found }) => same(sent, found))
}

/** The records of a list that say what a body says, by their keys. The list may be long: the others are looked at as they arrive, and let go. `isSure`: whether there are surely no more. */
export const saying = async (
  archive: Pick<Reach, 'elements'>,
  list: ListName,
  body: Wire,
): Promise<{ found: Map<string, unknown>; isSure: boolean }> => {
  const found = new Map<string, unknown>()
  const { isSure } = await archive.elements(
    `${list}/`,
    recordReader((record, key) => isSame(body, record) && found.set(key, record)),
  )
  return { found, isSure }
}
