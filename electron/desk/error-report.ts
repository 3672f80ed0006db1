import { diskTroubleOf } from '../contract/failure.ts'

type ReportBug = (error: unknown, source?: string) => string

/**
 * Reports unexpected errors of work that nobody waits for. A disk that is full, held or gone is no bug:
 * whoever saves something is told so, and what goes on by itself does so once there is space.
 * @param reportBug keeps a bug, and gives the reference that a person can name
 * @returns the same for any error; the reference is empty where it is no bug
 */
export const reportingUnlessDisk =
  (reportBug: ReportBug, warn: (source: string, message: string, detail: unknown) => void): ReportBug =>
  (error, source = 'main') => {
    if (diskTroubleOf(error) === undefined) return reportBug(error, source)
    warn(source, 'The disk did not let something be kept', error)
    return ''
  }
