import type { Finding, FindingCode } from '../../contract/findings.ts'
import { messageOf, systemCallOf } from '../../common/errors.ts'

/**
 * A tar or zip, or a file in it, that cannot be read: what is wrong with it, and where; the message is the
 * finding's detail.
 */
export class Broken extends Error {
  readonly code: FindingCode
  constructor(code: FindingCode, detail: string | number) {
    super(String(detail))
    this.code = code
  }
}

/**
 * Why something cannot be read. What the system says names the path again, which the finding names already.
 */
export const reasonOf = (error: unknown): string => {
  const message = messageOf(error)
  const call = systemCallOf(error)
  return call === '' ? message : (message.split(`, ${call}`)[0] ?? message)
}

/** What a tar or zip says of an entry that tools read differently, or that is not sound. */
export type EntryNote = Pick<Finding, 'level' | 'code' | 'detail'>
