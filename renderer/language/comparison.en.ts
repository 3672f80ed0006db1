import { number } from './formatters.ts'

const n = (count: number) => number(count, 'en')
const files = (count: number) => (count === 1 ? '1 file' : `${n(count)} files`)

/** Two generations of a package side by side, in English. */
export const comparisonEn = {
  /** On the button beside the generations; to whom it is read aloud, with what is compared. */
  open: 'Compare',
  openWhat: 'generations',
  title: (label: string) => `${label}: generations compared`,
  back: 'Back to the package',
  generations: (former: number, later: number) => `Generation ${n(former)} beside generation ${n(later)}`,
  choose: 'Generations that are compared',
  former: 'Before',
  later: 'After',
  swap: 'Swap the two',
  generation: (place: number, day: string) => `Generation ${n(place)} · ${day}`,
  fields: 'Fields',
  copies: 'Copies',
  media: 'Media',
  others: 'Others',
  field: 'Field',
  differing: (count: number, all: number) =>
    count === 0 ? `All ${n(all)} fields are the same.` : `${n(count)} of ${n(all)} fields differ.`,
  allFields: 'All fields',
  differs: 'differs',
  files: 'Files',
  reading: (done: number, all: number | null) =>
    all === null
      ? `${files(done)} read`
      : done === 0
        ? 'The files of both are being read.'
        : `${n(done)} of ${files(all)} read`,
  stop: 'Stop',
  stopped: 'The comparison of files was stopped.',
  again: 'Compare files again',
  same: (count: number) => `${n(count)} the same`,
  none: (count: number) =>
    count === 0
      ? 'Neither has any files.'
      : count === 1
        ? 'The one file is the same.'
        : `All ${files(count)} are the same.`,
  changes: {
    added: 'Added',
    removed: 'Removed',
    changed: 'Changed',
    redated: 'Other date alone',
    respelled: 'Name written otherwise',
    unknown: 'Cannot be told',
  },
  /** What happened to one file. */
  became: {
    added: 'Added',
    removed: 'Removed',
    changed: 'Changed',
    redated: 'Other date alone',
    respelled: 'Name written otherwise',
    unknown: 'Cannot be told',
  },
  allChanges: 'All that differ',
  show: 'Show',
  hints: {
    added: '',
    removed: '',
    changed: '',
    redated: 'As long as before, with another date. The archive names no digest that would say more.',
    respelled: 'The name reads the same, but is written in another Unicode normal form.',
    unknown: 'The archive tells neither digest nor size.',
  },
  respelled: (former: string, later: string) => `name ${former} → ${later}`,
  comparedBy: (parts: string) => `Compared by ${parts}.`,
  by: {
    digest: (count: number) => `digest (${files(count)})`,
    'size and date': (count: number) => `size and date (${files(count)})`,
    size: (count: number) => `size (${files(count)})`,
    nothing: (count: number) => `nothing that the archive would tell (${files(count)})`,
  },
  file: 'File',
  change: 'What happened',
  openFolder: (name: string) => `Open ${name}`,
  closeFolder: (name: string) => `Close ${name}`,
  more: (count: number) => `${n(count)} more`,
  digest: 'Digest',
  formerDigest: 'Digest before',
  laterDigest: 'Digest after',
  kind: 'Kind',
  firstOf: (shown: number, all: number) => `The first ${n(shown)} of ${files(all)} that differ`,
  leftOut: (count: number) => `… and ${n(count)} more that differ and are not listed`,
  notCompared: 'Files were not compared when this was printed.',
  unsaid: 'This archive does not tell which files lie in a package. The fields are what can be compared.',
  unreached:
    'The archive cannot be reached now, and the files are asked there. The fields are as they are held.',
  notAllowed: 'You may not see the files of these packages. The fields are what can be compared.',
  notFound:
    'The files of one of the two are not within reach of the archive. The fields are what can be compared.',
  tooMany: (most: number) => `One of the two has more than ${files(most)}: too many to compare at this desk.`,
}
/** The same texts in any language. */
export type ComparisonWords = typeof comparisonEn
