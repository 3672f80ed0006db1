import * as v from 'valibot'
import { entryIn } from '../../common/records.ts'
import type { RecordField, RecordTable } from '../../contract/description.ts'
import { definitionOf, type ListName } from '../../contract/lists.ts'
import type { TitleOf } from '../dialect.ts'
import type { HeldRecord } from '../models.ts'
import { meaningOf } from '../essarch/codes.ts'
import * as wire from '../wire.ts'
import { joined, readRows, type ListDefinition, type Listing } from '../listing.ts'
import { referencesOf, targetOf } from './references.ts'
import { searchOfQuery } from './saved-searches.ts'

type Wire = Record<string, unknown>
const AnyRecord = v.record(v.string(), v.unknown())
export const isObject = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).toWellFormed()
    : ''

const naming = [
  'name',
  'main',
  'main_type',
  'label',
  'text',
  'identifier',
  'username',
  'repository_code',
  'name_native',
  'policy_name',
  'eventDetail',
  'medium_id',
  'value',
]

/**
 * The readable part of a value: a name, a title, a text; of a list, those of its items; else the JSON itself.
 */
export const readable = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(readable).filter(Boolean).join('; ')
  if (!isObject(value)) return textOf(value)
  const name = naming
    .map((key) => value[key])
    .find((text) => text !== undefined && text !== null && text !== '')
  return name === undefined ? (Object.keys(value).length === 0 ? '' : JSON.stringify(value)) : readable(name)
}

const titleKeys = [
  'name',
  'label',
  'name_native',
  'repository_code',
  'policy_name',
  'eventDetail',
  'message',
  'main_type',
  'username',
  'content_location_value',
]
const noteKeys = [
  'reference_code',
  'eventDateTime',
  'time_created',
  'eventType',
  'country',
  'archive_name',
  'profile_type',
  'policy_id',
  'medium_id',
  'archivist_organization',
  'status',
  'type',
  'level_type',
  'sub_type',
  'structure_name',
]

/** A record named by its address (ESSArch: the packages of an order). */
const address = /^https?:\/\/[^?#]*\/api\/[a-z/-]+\/([^/?#]+)\/?$/

/**
 * A record with what is said of its current version (tags) beside its own fields. By the id of that version
 * a tag is named everywhere else: in the search, as a parent, as the archive of units (ESSArch).
 */
const flattened = (record: Wire): Wire => {
  const { current_version: version, id, ...outer } = record
  return isObject(version) ? { id, ...version, ...outer } : record
}

/** The id that a value is or carries: a plain one, that in an address, or that of an embedded record. */
export const idOf = (value: unknown): string => {
  const record = isObject(value) ? flattened(value) : undefined
  const text = textOf(record ? (record['id'] ?? record['_id'] ?? record['pk'] ?? record['eventType']) : value)
  return address.exec(text)?.[1] ?? text
}

/** Where a tag stands in a structure. */
const placeOf = (record: Wire): Wire => {
  const [place] = Array.isArray(record['structures']) ? (record['structures'] as unknown[]) : []
  return isObject(place) ? place : {}
}

const parentOf = (record: Wire): string | null => idOf(record['parent'] ?? placeOf(record)['parent']) || null

const structureOf = (list: ListName, record: Wire): string | null => {
  if (list === 'structure-units') return idOf(record['structure']) || null
  return list === 'tags' ? idOf(placeOf(record)['structure']) || null : null
}

const toHeld = (list: ListName, value: unknown, above: string | null): HeldRecord => {
  const record = flattened(v.parse(AnyRecord, value))
  const saidIn = (key: string) => {
    const value = record[key]
    return typeof value === 'boolean' ? '' : (meaningOf(list, key, value) ?? wire.seen(readable(value)))
  }
  const first = (keys: string[]) => keys.map(saidIn).find((text) => text !== '') ?? ''
  const id = v.parse(wire.id, idOf(record))
  const place = list === 'tags' ? idOf(placeOf(record)) : ''
  return {
    id,
    ...(place === '' || place === id ? {} : { place }),
    title: first(titleKeys) || id,
    note: first(noteKeys),
    parent: definitionOf(list).isTree ? (parentOf(record) ?? above) : null,
    within: structureOf(list, record),
    ...(record['is_template'] === true && record['published'] === true ? { isTemplate: true } : {}),
    ...(list === 'structure-units' && record['is_tag_leaf_node'] === false ? { hasNodes: true } : {}),
    refs: referencesOf(list, record, idOf),
  }
}

/** Records one after the other; where they nest in `children`, each is followed by what is below it. */
const flat = (
  list: ListName,
  path: string,
  records: unknown[],
  first: number,
  known = new Map<string | number, unknown>(),
  above: string | null = null,
): Listing<HeldRecord> =>
  joined(
    records.map((record, index): Listing<HeldRecord> => {
      const from = first + index
      const { children, ...outer } = isObject(record) ? record : {}
      const isNesting = Array.isArray(children)
      const top = readRows(path, [isNesting ? outer : record], (record) => toHeld(list, record, above), {
        known,
        from,
      })
      return isNesting
        ? joined([
            top,
            flat(list, `${path}[${from}].children`, children, 0, known, top.rows[0]?.model.id ?? above),
          ])
        : top
    }),
  )

/** How often what is made of a list has changed; 2 where it is not named. */
const versions: Partial<Record<ListName, number>> = {
  'structure-units': 3,
  'submission-agreements': 3,
  'storage-methods': 3,
  'storage-targets': 3,
  'storage-method-target-relations': 3,
}

/** A list of description. */
export const recordsOf = (list: ListName): ListDefinition<HeldRecord> => ({
  path: `${list}/`,
  version: versions[list] ?? 2,
  read: (element, from, above = null) => flat(list, `/api/${list}/`, [element], from, new Map(), above),
})

/** A file or a folder of a preserved package: each is a tag too (ESSArch). */
const PartOfPackage = v.looseObject({
  current_version: v.looseObject({ elastic_index: v.picklist(['document', 'directory']) }),
})

/** Top-level resources and what is described in them (specification 4.2). */
export const tags = (): ListDefinition<HeldRecord> => {
  const all = recordsOf('tags')
  return {
    ...all,
    version: 3,
    views: {
      path: 'tags/?index=archive',
      beside: 'tags/?index=component',
      likely: null,
      counted: null,
      isWanted: () => true,
    },
    read: (element, from, above) =>
      v.is(PartOfPackage, element) ? joined([]) : all.read(element, from, above),
  }
}

/** What the texts of some fields are. */
const kindOfText: Record<string, RecordField['is']> = {
  max_capacity: 'bytes',
  used_capacity: 'bytes',
  object_size: 'bytes',
  eventOutcomeDetailNote: 'message',
  message: 'message',
  eventDetail: 'word',
}

const fieldOf = (
  list: ListName,
  path: string,
  name: string,
  value: unknown,
  titleOf: TitleOf,
): RecordField => {
  const target = targetOf(list, path)
  const id = target ? idOf(value) : ''
  const to = target && id !== '' ? { list: target, id } : null
  const meaning = meaningOf(list, path, value)
  const title = to && !isObject(value) ? titleOf(to) : undefined
  const search = list === 'me/searches' && name === 'query' ? searchOfQuery(value, titleOf) : undefined
  const is = search !== undefined ? 'search' : entryIn(kindOfText, name)
  return {
    name,
    value: search?.address ?? title ?? meaning ?? readable(value),
    code: meaning === undefined ? null : textOf(value),
    to,
    isProfileKind: name === 'profile_type',
    ...(is === undefined ? {} : { is }),
    ...(search === undefined ? {} : { search: search.words }),
  }
}

const tableOf = (list: ListName, name: string, items: unknown[], titleOf: TitleOf): RecordTable => {
  if (targetOf(list, name) || !items.every(isObject))
    return {
      name,
      columns: ['name'],
      rows: items.map((item) => [fieldOf(list, name, 'name', item, titleOf)]),
    }
  const isEmpty = (value: unknown) =>
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))].filter(
    (column) => column !== 'id' && items.some((item) => !isEmpty(item[column])),
  )
  return {
    name,
    columns,
    rows: items.map((item) =>
      columns.map((column) => fieldOf(list, `${name}.${column}`, column, item[column], titleOf)),
    ),
  }
}

/**
 * The profiles of a submission agreement: for each type whether it is included, and which it is
 * (specification 2.8).
 */
const profilesOf = (list: ListName, record: Wire, titleOf: TitleOf): RecordTable => {
  const types = [...new Set(Object.keys(record).map((key) => key.replace(/^include_/, '')))].filter((key) =>
    key.startsWith('profile_'),
  )
  return {
    name: 'profiles',
    columns: ['profile_type', 'included', 'profile'],
    rows: types.map((type) => [
      {
        name: 'profile_type',
        value: type.slice('profile_'.length).replaceAll('_', ' '),
        code: null,
        to: null,
        isProfileKind: true,
      },
      fieldOf(list, '', 'included', record[`include_${type}`], titleOf),
      fieldOf(list, type, 'profile', record[type], titleOf),
    ]),
  }
}

/**
 * A record as its page shows it: every field the archive gave, references as links, codes by their meaning,
 * and what it holds
 * many of as tables. The text of a `*_display` field stands in place of its code.
 * @param titleOf what a record that is held is called
 */
export const readRecord = (
  list: ListName,
  raw: unknown,
  titleOf: TitleOf,
): { fields: RecordField[]; tables: RecordTable[]; leading: string[] } => {
  const record = flattened(v.parse(AnyRecord, raw))
  const isAgreement = list === 'submission-agreements'
  const entries = Object.entries(record).filter(
    ([name]) => !(isAgreement && /^(include_)?profile_/.test(name)),
  )
  const isMany = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0
  return {
    leading: ['reference_code', 'description', 'type'],
    fields: entries
      .filter(
        ([name, value]) =>
          !isMany(value) && !(name.endsWith('_display') && name.slice(0, -'_display'.length) in record),
      )
      .map(([name, value]) => {
        const display = record[`${name}_display`]
        const field = fieldOf(list, name, name, value, titleOf)
        return typeof display === 'string' && display !== ''
          ? { ...field, value: display, code: textOf(value) }
          : field
      }),
    tables: [
      ...entries.flatMap(([name, value]) => (isMany(value) ? [tableOf(list, name, value, titleOf)] : [])),
      ...(isAgreement ? [profilesOf(list, record, titleOf)] : []),
    ],
  }
}
