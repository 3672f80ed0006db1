import { mainNames, titleKeys } from './forms.ts'
import { idOf, isObject } from './records.ts'
import { partWith } from '../essarch/ways.ts'
import type { ListClient } from '../../archive-client/http.ts'
import { keyOf, recordReader } from '../../archive-client/whole-list.ts'
import type { Likely } from '../dialect.ts'
import type { ListName } from '../../contract/lists.ts'

type Wire = Record<string, unknown>

const isPlain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** A text as far as archives keep it: they may join letters and marks (NFC), and write ends of lines anew. */
const textOf = (value: unknown) => idOf(value).normalize('NFC').replaceAll(/\s+/g, ' ').trim()

/**
 * A moment or a day as ISO 8601 writes it; archives write what they were given with another precision or
 * zone. Before there were zones they may differ by seconds, which is more than ISO 8601 has.
 */
const isoDate = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/
const isoDay = /^\d{4}-\d{2}-\d{2}$/
const momentOf = (text: string) => Date.parse(text.replace(/([+-]\d{2}:\d{2}):\d{2}$/, '$1'))
/** Days begin so much earlier or later somewhere. */
const widestZoneMs = 14 * 3_600_000

const same = (a: unknown, b: unknown) => {
  const [one, other] = [textOf(a), textOf(b)]
  if (one === other) return true
  if (!isoDate.test(one) || !isoDate.test(other)) return false
  // Some archives give a day as the moment at which it begins with them.
  const apartMs = isoDay.test(one) === isoDay.test(other) ? 0 : widestZoneMs
  return Math.abs(momentOf(one) - momentOf(other)) <= apartMs
}

/**
 * A field of a record by its name, whatever the case of its letters; tags keep theirs in their current
 * version.
 */
const fieldOf = (record: Wire, name: string): unknown => {
  const version = record['current_version']
  const places = [record, ...(isObject(version) ? [version] : [])]
  for (const place of places) {
    const key = Object.keys(place).find((other) => other.toLowerCase() === name.toLowerCase())
    if (key !== undefined) return place[key]
  }
  return undefined
}

/** Whether a record says what was sent; "similar" where that cannot be told. */
export type Likeness = 'same' | 'similar' | 'different'

const worst = (all: Likeness[]): Likeness =>
  all.includes('different') ? 'different' : all.includes('similar') ? 'similar' : 'same'

/**
 * Lists are compared whatever their order. Some archives leave out what they do not link, and add of their
 * own.
 */
const likenessOfLists = (sent: unknown[], found: unknown[]): Likeness => {
  const isIn = (all: unknown[], one: unknown) =>
    all.some((other) => (isObject(one) ? likenessOf(one, other) !== 'different' : same(one, other)))
  const missing = sent.filter((one) => !isIn(found, one)).length
  if (missing === 0 && sent.length === found.length) return 'same'
  return missing === sent.length && found.length > 0 ? 'different' : 'similar'
}

/**
 * Whether a record of the archive says what a creation said, as far as both have the same fields: texts,
 * numbers
 * and references, and what is listed, such as the packages of an order or the names of an agent. At least one
 * field must be compared. The interface has no key of ours to recognise a record by.
 */
export function likenessOf(body: Wire, record: unknown): Likeness {
  if (!isObject(record)) return 'different'
  const compared = Object.entries(body).flatMap(([name, sent]): Likeness[] => {
    const found = fieldOf(record, name)
    if (isPlain(sent) && sent !== '' && found !== undefined) return [same(sent, found) ? 'same' : 'different']
    return Array.isArray(sent) && sent.length > 0 && Array.isArray(found)
      ? [likenessOfLists(sent, found)]
      : []
  })
  return compared.length === 0 ? 'different' : worst(compared)
}

/** Whether a record is called what a creation is called: an agent has several names. */
const isNamesake = (body: Wire, record: unknown): boolean => {
  if (!isObject(record)) return false
  const title = titleKeys.find((name) => isPlain(body[name]) && body[name] !== '')
  if (title !== undefined) return same(body[title], fieldOf(record, title))
  const [mine, theirs] = [body['names'], fieldOf(record, 'names')].map(mainNames)
  return mine?.[0] !== undefined && theirs?.some((name) => same(name, mine[0])) === true
}

/** Whether a record says of itself that it was made at a moment or later; many records do not say when. */
export const wasMadeSince = (record: unknown, moment: string): boolean => {
  const made = isObject(record) ? fieldOf(record, 'create_date') : undefined
  return typeof made === 'string' && Date.parse(made) >= Date.parse(moment)
}

/** A record and all that nest in it, as places do in places. */
const withThoseInside = (record: unknown): unknown[] => {
  const all = [record]
  // More are added while it is walked through.
  for (const one of all) {
    const inside: unknown = isObject(one) ? one['children'] : undefined
    if (Array.isArray(inside)) for (const child of inside) all.push(child)
  }
  return all
}

/**
 * The records of a list that say what a body says, or are called so. The list may be long: the others are
 * looked at as they arrive, and let go.
 */
export const saying = async (
  archive: Pick<ListClient, 'elements'>,
  list: ListName,
  body: Wire,
  path?: string,
): Promise<Likely> => {
  const found: Likely['found'] = new Map()
  const { isSure } = await archive.elements(
    partWith(list, body, path),
    recordReader((outer) => {
      for (const record of withThoseInside(outer)) {
        const likeness = likenessOf(body, record)
        if (likeness !== 'different') found.set(keyOf(record), { record, likeness })
        else if (isNamesake(body, record)) found.set(keyOf(record), { record, likeness: 'namesake' })
        else found.delete(keyOf(record))
      }
    }),
  )
  return { found, isSure }
}
