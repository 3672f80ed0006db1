/** Whether a value is an object of JSON (RFC 8259 section 4). */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The keys of a record by their type. For constants alone: an object may hold more than its type says, and a
 * constant does not.
 */
export const keysOf = <Key extends string>(record: Readonly<Partial<Record<Key, unknown>>>): Key[] =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a constant has the keys of its type
  Object.keys(record) as Key[]

/**
 * What a table says of a text that somebody else wrote; undefined also where that is what every object has,
 * as "constructor".
 */
export const entryIn = <Value>(table: Readonly<Record<string, Value>>, text: string): Value | undefined =>
  Object.hasOwn(table, text) ? table[text] : undefined
