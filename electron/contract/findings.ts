/** What may be said of a package; a closed list, so that each has its sentence. */
export const findingCodes = [
  'not-a-package',
  'unreadable',
  'vanished',
  'declaration-mark',
  'declaration-lines',
  'declaration-version',
  'declaration-encoding',
  'tag-encoding',
  'tag-mark',
  'info-line',
  'info-repeated',
  'oxum',
  'oxum-repeated',
  'no-payload-folder',
  'no-manifest',
  'unknown-algorithm',
  'weak-algorithm',
  'bad-line',
  'unusual-line',
  'escapes',
  'not-payload',
  'is-payload',
  'lists-tag-manifest',
  'lists-folder',
  'listed-twice',
  'twins',
  'missing',
  'to-fetch',
  'fetch-unlisted',
  'unlisted',
  'counts',
  'too-many-names',
  'manifest-unlisted',
  'tag-unlisted',
  'mismatch',
  'other-spelling',
  'name-not-text',
  'too-deep',
  'too-many-folders',
  'link',
  'entry-twice',
  'archive-cut',
  'archive-damaged',
  'archive-gap',
  'archive-parts',
  'entry-differs',
  'entry-doubtful',
  'entry-overlap',
  'entry-method',
  'entry-damaged',
  'entry-conflict',
  'name-empty',
  'name-long',
  'name-differs',
  'name-unmarked',
  'mac-folder',
  'no-base-folder',
  'base-folder-name',
  'form-name',
  'entry-outside',
  'bomb',
  'profile',
  'xml',
  'xml-doctype',
  'xml-bounds',
  'not-mets',
  'mets-schema',
  'e-ark-rule',
  'e-ark-version',
  'fgs-1',
  'other-profile',
  'labels-left-out',
  'only-checked',
  'external',
  'size',
  'too-large',
  'memory',
] as const
export type FindingCode = (typeof findingCodes)[number]

/**
 * What is found of the reading and not of the package: a disk that fails, a folder that may not be read, a
 * file that vanishes, memory that does not suffice.
 */
export const readingCodes: ReadonlySet<FindingCode> = new Set(['unreadable', 'vanished', 'memory'])

/** One thing that is wrong with a package (an error), or that somebody should know of it (a warning). */
export interface Finding {
  level: 'error' | 'warning'
  code: FindingCode
  /** The file of the package that says so, or that it is about. */
  file: string
  /** Line in that file, from 1 on; null where it is about no line. */
  line: number | null
  /** The name, value or rule at fault; empty where there is none. */
  detail: string
}

/** Findings of one code that are not listed, because there are so many. */
export interface CountedFindings {
  level: Finding['level']
  code: FindingCode
  count: number
}

/**
 * What a look at a package found. Of each code the first thousand findings are listed, of the others there is
 * a number.
 */
export interface PackageReport {
  path: string
  /** The name of the format that it was checked as. */
  format: string
  form: 'folder' | 'tar' | 'zip' | 'none'
  version: string
  /** `unreadable`: nothing speaks against the package, but not all of it could be read. */
  state: 'valid' | 'invalid' | 'not-a-package' | 'unreadable'
  errors: number
  warnings: number
  findings: Finding[]
  more: CountedFindings[]
  /** The payload: what is there, not what is listed. */
  counts: { files: number; folders: number; bytes: number }
  algorithms: string[]
  /** What it says of itself: the first thousand labels. */
  info: [label: string, value: string][]
}
