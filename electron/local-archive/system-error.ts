/** What a file system says of itself: no space, no access, no more files to open, a device that fails. */
const ofFiles =
  /^(ENOSPC|EDQUOT|EIO|EACCES|EPERM|EMFILE|ENFILE|EROFS|EBUSY|ENOMEM|ENODEV|ENXIO|ETIMEDOUT|ESTALE|EAGAIN|EINTR)$/
/**
 * SQLite's result codes for the same: ABORT (by a rollback of others), BUSY, LOCKED, NOMEM, READONLY, IOERR,
 * FULL, CANTOPEN (sqlite.org/rescode.html).
 */
const ofDatabase = [4, 5, 6, 7, 8, 10, 13, 14]
const full = 13

const resultCode = (error: Error) =>
  'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
const fileCode = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** Whether this is a trouble of the computer: it says nothing of what was worked on, and passes. */
export const isSystemError = (error: unknown): error is Error =>
  error instanceof NoSpace ||
  (error instanceof Error && (ofFiles.test(fileCode(error)) || ofDatabase.includes(resultCode(error) ?? -1)))

/** There is no space for what is to be written; said before anything was. */
export class NoSpace extends Error {}

export const isOutOfSpace = (error: Error) =>
  error instanceof NoSpace || /^(ENOSPC|EDQUOT)$/.test(fileCode(error)) || resultCode(error) === full

/**
 * The process can open no more files; threads and modules that cannot begin for it say so in their message
 * alone.
 */
export const isOutOfFiles = (error: Error) =>
  /\b(EMFILE|ENFILE)\b|too many open files/i.test(`${fileCode(error)} ${error.message}`)
