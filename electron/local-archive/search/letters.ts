import PostalMime, { type Address } from 'postal-mime'
import { decidingBytes, longestSeparator, separatorOf } from '../../contract/mailbox.ts'
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

const longer = (letter: Buffer, part: Buffer) =>
  Buffer.concat([letter, part.subarray(0, Math.max(0, mostLetterBytes - letter.length))])

/** Lines that are empty, and byte order marks, stand before the first letter, and between letters. */
const isBlank = (letter: Buffer) => !/[^\s\xef\xbb\xbf]/.test(letter.toString('latin1', 0, longestSeparator))

/** The letters of a mailbox, each without what stands before it; of a long one the beginning. */
export async function* lettersIn(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let separator: RegExp | undefined
  let isDecided = false
  let letter: Buffer = Buffer.alloc(0)
  let rest: Buffer = Buffer.from('\n')
  /** Takes what begins before this place. */
  const take = function* (settled: number) {
    let begin = 0
    for (const { index, 0: found } of separator ? rest.toString('latin1').matchAll(separator) : []) {
      if (index >= settled) break
      const whole = longer(letter, rest.subarray(begin, index))
      if (!isBlank(whole)) yield whole
      letter = Buffer.alloc(0)
      begin = index + found.length
    }
    const end = Math.max(begin, settled)
    letter = longer(letter, rest.subarray(begin, end))
    rest = rest.subarray(end)
  }
  const decide = () => {
    if (!isDecided) separator = separatorOf(rest.toString('latin1', 1, decidingBytes + 1))
    isDecided = true
  }
  for await (const part of parts) {
    rest = Buffer.concat([rest, part])
    // What stands later in the file decides nothing.
    if (!isDecided && rest.length <= decidingBytes) continue
    decide()
    yield* take(Math.max(0, rest.length - longestSeparator))
  }
  decide()
  yield* take(rest.length)
  // Where nothing parts letters, there is one; the line feed before it is ours.
  const last = separator ? letter : letter.subarray(1)
  if (!isBlank(last)) yield last
}
