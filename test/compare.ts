import type { FieldType } from './specification.ts'

const typeOf = (value: unknown): FieldType => (value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : (typeof value as FieldType))

/** Where rows differ from what the specification says of their fields; each difference once. */
export const compare = (fields: Record<string, FieldType[]>, rows: Record<string, unknown>[]) => {
  const differences = rows.flatMap((row) =>
    Object.entries(fields).flatMap(([field, types]) => {
      const found = field in row ? typeOf(row[field]) : 'missing'
      return types.includes(found) ? [] : [{ field, expected: types.join(' or '), found }]
    }),
  )
  return [...new Map(differences.map((it) => [JSON.stringify(it), it])).values()]
}
