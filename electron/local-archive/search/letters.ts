import PostalMime, { type Address } from 'postal-mime'
import { openTags } from './tags.ts'

const deepestParts = 40
/** Of a longer letter in a mailbox the beginning is read: the rest is what was sent with it. */
const mostLetterBytes = 16 * 1024 * 1024

const namesOf = (addresses: Address[]): string[] =>
  addresses.flatMap(({ name, address, group }) => [name, address ?? '', ...namesOf(group ?? [])])

/**
 * Who wrote a letter to whom, about what, and its words, without how they were sent (RFC 2045, RFC 2047).
 * @throws where its parts are nested too deep
 */
export const textOfLetter = async (bytes: Uint8Array, mostCharacters: number): Promise<string> => {
  const letter = await PostalMime.parse(bytes, { maxNestingDepth: deepestParts })
  const { subject, from, to, cc, bcc, text, html, attachments } = letter
  const people = namesOf([...(from ? [from] : []), ...(to ?? []), ...(cc ?? []), ...(bcc ?? [])])
  const named = attachments.map(({ filename }) => filename ?? '')
  const tags = openTags(false, mostCharacters)
  // One of the two may only say that the other is to be read.
  if (html) tags.take(html)
  return [subject, ...people, text, tags.end(), ...named].filter(Boolean).join(' ')
}

const border = /\n\r?\nFrom /g
/** One that lies across two parts is no longer than this. */
const borderBytes = 8

const withoutFrom = (letter: Buffer) =>
  letter.toString('latin1', 0, 5) === 'From ' ? letter.subarray(letter.indexOf('\n') + 1) : letter
const longer = (letter: Buffer, part: Buffer) =>
  Buffer.concat([letter, part.subarray(0, Math.max(0, mostLetterBytes - letter.length))])

/** The letters of a mailbox (RFC 4155), each without the line before it; of a long one the beginning. */
export async function* lettersIn(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let letter: Buffer = Buffer.alloc(0)
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of parts) {
    rest = Buffer.concat([rest, part])
    let begin = 0
    for (const { index, 0: found } of rest.toString('latin1').matchAll(border)) {
      const next = index + found.indexOf('From ')
      yield withoutFrom(longer(letter, rest.subarray(begin, next)))
      letter = Buffer.alloc(0)
      begin = next
    }
    const passed = Math.max(begin, rest.length - borderBytes)
    letter = longer(letter, rest.subarray(begin, passed))
    rest = rest.subarray(passed)
  }
  yield withoutFrom(longer(letter, rest))
}
