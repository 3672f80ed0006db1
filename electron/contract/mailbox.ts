/** None is longer: what was read of a file may end in the middle of the last one. */
export const longestSeparator = 1024

/** Whether a file is a mailbox, and of which kind, is decided by so many bytes of its beginning. */
export const decidingBytes = 4096

/**
 * Who sent a letter, and when, in the way of `ctime`; after a byte order mark where files were put one after
 * the other. Each line is gone through twice at most, whatever stands in it.
 */
const postmark =
  /\n(?:\xef\xbb\xbf)?From (?=[^\r\n]{0,800}?\d:\d\d)[^\r\n]{0,900}\r?\n(?=[!-9;-~]{1,80}:|>From )/g
/** A line of its own after a letter and one before the next, which may have a postmark, too (MMDF). */
// eslint-disable-next-line no-control-regex -- such is the line
const marks = /\n(?:\xef\xbb\xbf)?(?:\x01{4}\r?\n){1,2}(?:From [^\r\n]{0,900}\r?\n)?(?=[!-9;-~]{1,80}:|$)/g

/**
 * What stands before each letter of a mailbox (RFC 4155, mboxo, mboxrd; MMDF), for whoever reads one: the
 * same letters are listed and found. A line "From noon on" within a letter is none, nor is "From 12:30 on"
 * without a field below it.
 * @param beginning of the file, a character a byte
 * @returns a global pattern, for a text with a line feed before it; undefined where this is no mailbox
 */
export const separatorOf = (beginning: string): RegExp | undefined =>
  [postmark, marks].find(({ source }) =>
    new RegExp(`^${source}`).test(`\n${beginning.replace(/^(?:\xef\xbb\xbf)?\s+/, '')}`),
  )
