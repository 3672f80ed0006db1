/** A run of signs that a person can read, and where it begins. */
export interface ReadableString {
  place: number
  text: string
}

/** Shorter runs are chance. */
const shortest = 6
const mostStrings = 1_000
const longest = 1_000
/** Letters, digits, signs and blanks of any script, but nothing that is unassigned or controls. */
const readable = /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/u

interface Sign {
  text: string
  length: number
}

/** The sign of UTF-8 that begins at a place (RFC 3629); undefined where none does. */
const signIn = (bytes: Uint8Array, at: number, decoder: TextDecoder): Sign | undefined => {
  const first = bytes[at] ?? 0
  if (first < 0x80) return { text: String.fromCharCode(first), length: 1 }
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (length === 0) return undefined
  try {
    return { text: decoder.decode(bytes.subarray(at, at + length)), length }
  } catch {
    return undefined
  }
}

/** The sign of UTF-16, little end first, of a Latin letter at a place; undefined where none is. */
const wideSignIn = (bytes: Uint8Array, at: number): Sign | undefined =>
  bytes[at + 1] === 0 ? { text: String.fromCharCode(bytes[at] ?? 0), length: 2 } : undefined

/** What can be read in bytes that are no text: runs of UTF-8, and of Latin letters in UTF-16. */
export const readableStrings = (bytes: Uint8Array): ReadableString[] => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const run = (from: number, next: (at: number) => Sign | undefined) => {
    let text = ''
    let at = from
    while (at < bytes.length && text.length < longest) {
      const sign = next(at)
      if (!sign || !readable.test(sign.text)) break
      text += sign.text
      at += sign.length
    }
    return { text, end: at }
  }
  const found: ReadableString[] = []
  for (let at = 0; at < bytes.length && found.length < mostStrings;) {
    const wide = run(at, (place) => wideSignIn(bytes, place))
    const narrow = run(at, (place) => signIn(bytes, place, decoder))
    const { text, end } = wide.text.length > narrow.text.length ? wide : narrow
    if (text.trim().length >= shortest) found.push({ place: at, text })
    at = Math.max(end, at + 1)
  }
  return found
}
