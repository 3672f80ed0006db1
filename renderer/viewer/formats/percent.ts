/** Signs that nobody sees, or that turn round what follows: with them an address may look like another. */
const unseen = /[\p{C}\p{Z}]/u

/**
 * An address as people read it: what is percent-encoded in it is decoded, but for what would make it another
 * address (RFC 3987 3.2), or one that looks like another.
 */
export const readableAddress = (address: string): string =>
  address.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      const decoded = decodeURI(encoded)
      return unseen.test(decoded) ? encoded : decoded
    } catch {
      return encoded
    }
  })

/** What percent-encoding stands for (RFC 3986 2.1); where it is malformed, the text as it is written. */
export const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
