/** Letters that have no accent to lose. */
const plain = /^[ -~åäöÅÄÖ–]*$/

/** Letters without any mark and in lower case, as an index of words has them: å is a, é is e. */
export const unmarked = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')

/** Letters without their accents and in lower case; å ä ö stay letters of their own, as in Swedish. */
export const folded = (text: string) =>
  plain.test(text)
    ? text.toLowerCase()
    : text
        .toLowerCase()
        .normalize('NFC')
        .replace(/[^åäö]+/g, unmarked)
