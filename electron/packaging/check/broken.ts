import type { Finding, FindingCode } from '../../contract/findings.ts'

/** A tar or zip, or a file in it, that cannot be read: what is wrong with it, and where; the message is the finding's detail. */
export class Broken extends Error {
  readonly code: FindingCode
  constructor(code: FindingCode, detail: string | number) {
    super(String(detail))
    this.code = code
  }
}

/** What a tar or zip says of an entry that tools read differently, or that is not sound. */
export type EntryNote = Pick<Finding, 'level' | 'code' | 'detail'>
