import { addressOfOtherList, go } from './place.svelte.ts'

/** A file of a package. */
export interface FilePlace {
  package: string
  path: string
}

/** What the reader shows. */
export interface Reading {
  /** Of the package that the address names; empty where none is chosen yet. */
  path: string
  /** Words that somebody looked for, to be found in the file; empty where nobody did. */
  looked: string
  /** Files are narrowed to this format; null where all are shown. */
  format: string | null
  /** What stands beside it to be compared. */
  beside: FilePlace | null
}

/** What the part of an address after "?" says. */
export const readingIn = (query: string): Reading => {
  const given = new URLSearchParams(query)
  const [of, path] = [given.get('beside') ?? '', given.get('besidePath') ?? '']
  return {
    path: given.get('path') ?? '',
    looked: given.get('looked') ?? '',
    format: given.get('format'),
    beside: of === '' || path === '' ? null : { package: of, path },
  }
}

/** The same as it stands in an address. */
export const queryOfReading = (reading: Partial<Reading>): string => {
  const { path, looked = '', format = null, beside = null } = reading
  const given = new URLSearchParams()
  if (path) given.set('path', path)
  if (looked !== '') given.set('looked', looked)
  if (format !== null) given.set('format', format)
  if (beside) {
    given.set('beside', beside.package)
    given.set('besidePath', beside.path)
  }
  return given.toString()
}

/** The address of a file in the reader; of the reader itself where no path is given. */
export const addressInReader = (of: string, reading: Partial<Reading> = {}) => {
  const query = queryOfReading(reading)
  return `${addressOfOtherList('reader', of)}${query === '' ? '' : `?${query}`}`
}

export const goToReader = (of: string, reading: Partial<Reading> = {}) =>
  go('reader', of, queryOfReading(reading))

/** Which file was read last: whoever goes back to its package finds the row where they were. */
let last: FilePlace | undefined
export const noteRead = (file: FilePlace) => (last = file)
/** The path that was read last in a package; undefined where none was. */
export const readLastIn = (of: string): string | undefined => (last?.package === of ? last.path : undefined)
