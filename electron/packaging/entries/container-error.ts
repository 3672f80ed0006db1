import type { Finding, FindingCode } from '../../contract/findings.ts'
import { messageOf, systemCallOf } from '../../common/errors.ts'

/**
 * A tar or zip, or a file in it, that cannot be read: what is wrong with it, and where; the message is the
 * finding's detail.
 */
export class ContainerError extends Error {
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

/** The finding of a file that cannot be read, by what was thrown: its code and its detail. */
export const unreadableFile = (name: string, error: unknown): { code: FindingCode; detail: string } =>
  error instanceof ContainerError
    ? { code: error.code, detail: error.message }
    : { code: 'unreadable', detail: `${name}: ${reasonOf(error)}` }

/** What a tar or zip says of an entry that tools read differently, or that is not sound. */
export type EntryNote = Pick<Finding, 'level' | 'code' | 'detail'>
