import { readFetchLine } from '../manifest.ts'
import { escapeOf } from '../../names.ts'
import { infoReader, type Declaration, type Tag } from '../tag-files.ts'
import type { FindingCode } from '../../../contract/findings.ts'
import type { OpenFile } from '../../entries/package-files.ts'
import { tooLong, undecodable } from './line-marks.ts'
import { literalName } from './lines.ts'
import { eachLine, plainLines, type TextOddity } from './plain-lines.ts'

/** Hears what is wrong in a tag file: its line, from 1 on, and what stands there. */
type Hear = (code: FindingCode, line: number, detail: string) => void
type HearOddity = (oddity: TextOddity) => void

const excerpt = (line: string) => (line.startsWith(tooLong) ? line.slice(1, 301) : line.slice(0, 300))

/**
 * Reads a bag-info.txt label by label, whatever its size.
 * @throws NotText as `plainLines`
 */
export const readInfoFile = async (
  file: OpenFile,
  { version, encoding }: Declaration,
  tag: (read: Tag) => void,
  wrong: Hear,
  odd: HearOddity,
): Promise<void> => {
  let current = ''
  const reader = infoReader(version === '1.0', (parsed) => {
    if ('tag' in parsed) tag(parsed.tag)
    else wrong('info-line', parsed.badLine, excerpt(current))
  })
  await eachLine(plainLines(file, encoding, odd), (line, number) => {
    if (line === undecodable) {
      wrong('tag-encoding', number, encoding)
      return
    }
    // A value may be of any length: what is too long is cut, and right otherwise.
    current = line.startsWith(tooLong) ? line.slice(1) : line
    reader.line(current, number)
  })
  reader.end()
}

/** An absolute address begins with its scheme (RFC 3986 3.1). */
const isAbsolute = (url: string) => /^[a-z][a-z0-9+.-]*:./i.test(url)

/**
 * Reads a fetch.txt line by line, whatever its size: the names that it promises.
 * @throws NotText as `plainLines`
 */
export const readFetchFile = (
  file: OpenFile,
  { version, encoding }: Declaration,
  promised: (name: string) => void,
  wrong: Hear,
  odd: HearOddity,
): Promise<void> =>
  eachLine(plainLines(file, encoding, odd), (line, number) => {
    if (line.trim() === '') return
    if (line === undecodable) {
      wrong('tag-encoding', number, encoding)
      return
    }
    const fetched = readFetchLine(line)
    const name = fetched ? literalName(fetched.written, version === '1.0') : ''
    if (!fetched || !isAbsolute(fetched.url) || line.startsWith(tooLong))
      wrong('bad-line', number, excerpt(line))
    else if (escapeOf(name) !== undefined) wrong('escapes', number, name)
    else if (!name.startsWith('data/')) wrong('not-payload', number, name)
    else promised(name)
  })
