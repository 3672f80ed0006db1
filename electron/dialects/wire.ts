import * as v from 'valibot'
import { isRecord } from '../common/records.ts'
import { longestId } from '../contract/ids.ts'

/** Of integers beyond that, two may have become one when they were read (RFC 8259 6, ECMA-262 6.1.6.1). */
const isExact = (id: number): boolean => !Number.isInteger(id) || Number.isSafeInteger(id)
const inexact = 'Expected an id that can be read exactly but received a number of more than 53 bits'

/** A text or a number as text. */
export const key = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.check(isExact, inexact))]),
  v.transform((id) => String(id).toWellFormed()),
)
/** An id as text: archives give UUIDs, and integers for some kinds. An empty one names nothing. */
export const id = v.pipe(
  key,
  v.nonEmpty('Expected an id but received none'),
  v.maxLength(longestId, `Expected an id of at most ${longestId} characters`),
)
/** An id by which records stand in the order in which they came. */
export const serialId = v.pipe(
  key,
  v.check(
    (said) => /^\d+$/.test(said) && Number.isSafeInteger(Number(said)),
    ({ received }) => `Expected an integer as id but received ${received.slice(0, longestId)}`,
  ),
  v.transform(Number),
)
/** What is seen of a text: nothing where it is only white space. */
export const seen = (text: string): string => (text.trim() === '' ? '' : text)
/** A text; missing, null or of another type is the empty one, and so is one that nobody would see. */
export const text = v.optional(v.pipe(v.fallback(v.string(), ''), v.transform(seen)), '')
export const maybeText = v.optional(v.fallback(v.nullable(v.string()), null), null)
/** Numbers that neither JSON nor SQLite can hold exactly are no numbers. */
const exact = v.pipe(v.number(), v.minValue(Number.MIN_SAFE_INTEGER), v.maxValue(Number.MAX_SAFE_INTEGER))
export const number = v.optional(v.fallback(exact, 0), 0)
export const maybeNumber = v.optional(v.fallback(v.nullable(exact), null), null)
export const maybeFlag = v.optional(v.fallback(v.nullable(v.boolean()), null), null)
export const texts = v.optional(v.fallback(v.array(v.string()), []), [])
export const anything = v.optional(v.unknown())
const isExactReference = (value: unknown): boolean => {
  const id = isRecord(value) ? value['id'] : value
  return typeof id !== 'number' || isExact(id)
}
/**
 * A reference: an id, an object that carries one, or nothing. One that cannot be read exactly is an error: it
 * would name another record.
 */
export const maybeId = v.optional(
  v.pipe(
    v.unknown(),
    v.check(isExactReference, inexact),
    v.fallback(
      v.nullable(
        v.union([
          id,
          v.pipe(
            v.looseObject({ id }),
            v.transform((record) => record.id),
          ),
        ]),
      ),
      null,
    ),
  ),
  null,
)

/** What a record holds beside the named fields: shown, never dropped. */
export const fieldsBeside = (record: object, named: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !(key in named)))
