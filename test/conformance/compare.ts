import { isNested, type Fields, type FieldType, type Shape } from './specification.ts'

const typeOf = (value: unknown): FieldType =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : Number.isInteger(value)
        ? 'integer'
        : (typeof value as FieldType)
const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === 'object'

export interface Difference {
  field: string
  expected: string
  found: string
}

const within = (name: string, shape: Shape, row: Record<string, unknown>): Difference[] => {
  const value = row[name]
  const found = name in row ? typeOf(value) : 'missing'
  if (!isNested(shape))
    return shape.includes(found) ? [] : [{ field: name, expected: shape.join(' or '), found }]
  const { how, of, isNullable = false, isOptional = false } = shape
  if ((isNullable && found === 'null') || (isOptional && found === 'missing')) return []
  const expected = how === 'array' ? 'array' : 'object'
  if (found !== expected)
    return [{ field: name, expected: isNullable ? `${expected} or null` : expected, found }]
  const inside = how === 'object' ? [value] : Object.values(value as object)
  return differences(of, inside).map((difference) => ({
    ...difference,
    field: `${name}${how === 'object' ? '' : how === 'array' ? '[]' : '.*'}.${difference.field}`,
  }))
}

const differences = (fields: Fields, rows: unknown[]): Difference[] =>
  rows.flatMap((row) =>
    isObject(row)
      ? Object.entries(fields).flatMap(([name, shape]) => within(name, shape, row))
      : [{ field: '', expected: 'object', found: typeOf(row) }],
  )

/**
 * Where rows differ from what the specification says of their fields, nested ones included; each difference
 * once.
 */
export const compare = (fields: Fields, rows: unknown[]) => [
  ...new Map(
    differences(fields, rows).map((difference) => [JSON.stringify(difference), difference]),
  ).values(),
]
