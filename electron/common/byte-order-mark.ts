/** The form of UTF-16 that a text's first bytes say (RFC 2781 3.2); undefined where they say none. */
export const utf16ByMark = ([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined => {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** A text without the mark of the byte order that may stand before it, and is none of it (RFC 8259 8.1). */
export const withoutMark = (text: string): string => text.replace(/^\ufeff/, '')
