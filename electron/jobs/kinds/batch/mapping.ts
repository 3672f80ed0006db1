import { lstat } from 'node:fs/promises'
import path from 'node:path'
import type { BatchField, Mapping, RowTrouble } from '../../../contract/batch.ts'
import type { KeptBatch } from '../../../store/desk/desk-store.ts'
import { longestTag, type DraftProfile } from '../../../contract/transfers.ts'
import { codeOf } from '../../../common/errors.ts'
import { inSlices } from '../../../common/slices.ts'
import { isWholeEmail } from '../../../contract/email.ts'

const headings: Record<BatchField, RegExp> = {
  source: /^(source|path|folder|file|files|källa|sökväg|mapp|fil)$/i,
  name: /^(name|title|label|namn|titel|external-description)$/i,
  delivery: /^(delivery|leverans)$/i,
  agreement: /^((submission )?agreement|(leverans)?överenskommelse)$/i,
  identifier: /^(identifier|id|external-identifier|identifierare)$/i,
  description: /^(description|note|beskrivning|internal-sender-description)$/i,
  organization: /^(organization|organisation|source-organization|submitter_organization)$/i,
  address: /^(address|adress|organization-address)$/i,
  person: /^(person|contact|contact-name|submitted by|kontakt|inlämnat av)$/i,
  email: /^(e-?mail|e-?post|contact-email)$/i,
}

/** Which column is likely which field, by its heading. */
export const guess = (columns: string[]): Mapping => {
  const found = (field: BatchField) => {
    const index = columns.findIndex((column) => headings[field].test(column.trim()))
    return index < 0 ? null : index
  }
  return {
    source: found('source'),
    name: found('name'),
    delivery: found('delivery'),
    agreement: found('agreement'),
    identifier: found('identifier'),
    description: found('description'),
    organization: found('organization'),
    address: found('address'),
    person: found('person'),
    email: found('email'),
    tags: {},
  }
}

/**
 * The mapping with a column for each further field that nobody was asked for yet: the one that is headed as
 * the field and holds nothing else.
 */
export const withTags = (mapping: Mapping, columns: string[], fields: DraftProfile['fields']): Mapping => {
  const { tags, ...others } = mapping
  const taken = new Set([...Object.values(others), ...fields.map(({ label }) => tags[label] ?? null)])
  const columnOf = ({ label, headings = [] }: DraftProfile['fields'][number]) => {
    const names = new Set([label.toLowerCase(), ...headings])
    const index = columns.findIndex((column, at) => !taken.has(at) && names.has(column.trim().toLowerCase()))
    return index < 0 ? null : index
  }
  const asked = fields.filter(({ label }) => !Object.hasOwn(tags, label))
  return {
    ...mapping,
    tags: { ...tags, ...Object.fromEntries(asked.map((field) => [field.label, columnOf(field)])) },
  }
}

/** What a row says of further fields, by their labels; an empty cell says nothing. */
export const tagsOf = (
  row: string[],
  { tags }: Mapping,
  fields: DraftProfile['fields'],
): Record<string, string> =>
  Object.fromEntries(
    fields
      .map(({ label }) => [label, cellOf(row, tags[label] ?? null)] as const)
      .filter(([, value]) => value !== ''),
  )

export const cellOf = (row: string[], column: number | null): string =>
  (column === null ? '' : (row[column] ?? '')).trim()

/** Where a row's files are: from the folder of the table, unless it says it from the root. */
export const sourceOf = (
  row: string[],
  { kind, mapping, tablePath }: Pick<KeptBatch, 'kind' | 'mapping' | 'tablePath'>,
): string => {
  // A folder's name may end with spaces; without them it is the name of another, or of the folder around it.
  const written =
    kind === 'folder' && mapping.source !== null ? (row[mapping.source] ?? '') : cellOf(row, mapping.source)
  return written === '' ? '' : path.resolve(path.dirname(tablePath), written)
}

/** What a row says of further fields that their vocabularies do not have. */
export const unknownValues = (
  row: string[],
  mapping: Mapping,
  fields: DraftProfile['fields'],
): { label: string; value: string }[] => {
  const said = tagsOf(row, mapping, fields)
  return fields.flatMap(({ label, values }) => {
    const value = said[label]
    return value === undefined || values.length === 0 || values.includes(value) ? [] : [{ label, value }]
  })
}

const longest = 255

/** What of the system says that a path leads to nothing; all else says that it could not be looked at. */
const saysGone = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']

/** What is wrong with a source, as far as one can see without opening it. */
const sourceTroubleOf = async (file: string): Promise<RowTrouble | undefined> => {
  if (file === '') return 'no-source'
  try {
    const entry = await lstat(file)
    return entry.isFile() || entry.isDirectory() ? undefined : 'source-no-file'
  } catch (error) {
    if (!saysGone.includes(codeOf(error))) return 'source-unseen'
    // What the system has under bytes that are no text is not found by the text that was made of them.
    return file.includes('\ufffd') ? 'source-no-text' : 'source-gone'
  }
}

/** So many sources are looked for at the same time. */
const lookedAtOnce = 200

/**
 * What is wrong with each row, all of them at once: some of it shows only beside the others. However many
 * there are, others have their turn meanwhile.
 */
export const troublesOf = async (
  batch: Pick<KeptBatch, 'kind' | 'rows' | 'columns' | 'mapping' | 'tablePath'>,
  fields: DraftProfile['fields'],
  isKnown: (field: 'delivery' | 'agreement', written: string) => boolean,
): Promise<RowTrouble[][]> => {
  const { rows, columns, mapping } = batch
  const sources = rows.map((row) => sourceOf(row, batch))
  const identifiers = rows.map((row) => cellOf(row, mapping.identifier))
  const counts = (values: string[]) =>
    values.reduce((all, value) => all.set(value, (all.get(value) ?? 0) + 1), new Map<string, number>())
  const ofSource = counts(sources)
  const ofIdentifier = counts(identifiers)
  const { tags, ...others } = mapping
  const formColumns = new Set(Object.values(others))
  const tagColumns = new Set(fields.map(({ label }) => tags[label] ?? null))
  // What a field of the form takes as well may be no longer than that.
  const longestIn = (column: number) =>
    tagColumns.has(column) && !formColumns.has(column) ? longestTag : longest
  const ofSources: (RowTrouble | undefined)[] = []
  for (let first = 0; first < sources.length; first += lookedAtOnce)
    ofSources.push(...(await Promise.all(sources.slice(first, first + lookedAtOnce).map(sourceTroubleOf))))
  const troublesAt = (row: string[], index: number): RowTrouble[] => {
    const [source = '', identifier = ''] = [sources[index], identifiers[index]]
    const ofThis = ofSources[index]
    return [
      ...(row.length > columns.length ? (['more-cells'] as const) : []),
      ...(ofThis === undefined ? [] : [ofThis]),
      ...(source !== '' && (ofSource.get(source) ?? 0) > 1 ? (['source-twice'] as const) : []),
      ...(cellOf(row, mapping.name) === '' && source === '' ? (['no-name'] as const) : []),
      ...(isWholeEmail(cellOf(row, mapping.email)) ? [] : (['email'] as const)),
      ...(['delivery', 'agreement'] as const).filter((field) => {
        const written = cellOf(row, mapping[field])
        return written !== '' && !isKnown(field, written)
      }),
      ...(identifier !== '' && (ofIdentifier.get(identifier) ?? 0) > 1
        ? (['identifier-twice'] as const)
        : []),
      ...(row.some(
        (cell, column) =>
          cell.length > longestIn(column) && column !== mapping.description && column !== mapping.source,
      )
        ? (['too-long'] as const)
        : []),
      ...(unknownValues(row, mapping, fields).length === 0 ? [] : (['not-in-vocabulary'] as const)),
    ]
  }
  const found: RowTrouble[][] = []
  await inSlices(
    [...rows.entries()],
    ([index, row]) => found.push(troublesAt(row, index)),
    () => false,
  )
  return found
}
