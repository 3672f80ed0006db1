import { performance } from 'node:perf_hooks'
import { isRecord } from '../../common/records.ts'

/** So many characters are sent at a time. */
const pieceLength = 64 * 1024
/** Longer no piece is worked on, whatever its length: then others may have their turn. */
const longestPieceMs = 10

/**
 * Rows inside a record that are made one by one while they are written: there may be many, or large, or long
 * in the making.
 */
export class LazyList {
  readonly rows: () => Iterable<unknown>
  constructor(rows: () => Iterable<unknown>) {
    this.rows = rows
  }
  toJSON() {
    return [...this.rows()]
  }
}

/** Whether there are such rows in a record, or in an object of it; they never stand in its arrays. */
const isLazy = (value: unknown): boolean =>
  value instanceof LazyList || (isRecord(value) && Object.values(value).some(isLazy))

interface Inner {
  inner: unknown
}

/** The text of a value up to what is to be written inside it, and on from there. */
function* partsOf(value: unknown): Generator<string | Inner> {
  let separator = ''
  if (value instanceof LazyList) {
    yield '['
    for (const inner of value.rows()) {
      yield separator
      yield { inner }
      separator = ','
    }
    yield ']'
  } else if (isRecord(value) && isLazy(value)) {
    yield '{'
    for (const [name, inner] of Object.entries(value)) {
      if (inner === undefined) continue
      yield `${separator}${JSON.stringify(name)}:`
      yield { inner }
      separator = ','
    }
    yield '}'
  } else yield JSON.stringify(value)
}

/**
 * Writes a value as JSON piece by piece, in UTF-8. Rows in rows are written however deep they lie, as nothing
 * calls itself.
 * @returns pieces that are never empty, each after some 64 Ki characters or 10 ms of work
 */
export function* writeJson(value: unknown): Generator<Buffer> {
  const open = [partsOf(value)]
  let text = ''
  let began = performance.now()
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const next = top.next()
    if (next.done) open.pop()
    else if (typeof next.value === 'string') text += next.value
    else open.push(partsOf(next.value.inner))
    if (text === '' || (text.length < pieceLength && performance.now() - began < longestPieceMs)) continue
    yield Buffer.from(text)
    text = ''
    began = performance.now()
  }
  if (text !== '') yield Buffer.from(text)
}
