/**
 * A file that holds all files of a bag, each at a place that is known before anything is written: so several
 * threads write it at once, and what was written before a crash stays where it is.
 */
export interface Container {
  /** Whether the CRC-32 of a file's content stands in its header. */
  hasCrc: boolean
  /** Bytes before a file's content. Needs nothing of the content. */
  headerLength: (name: string, bytes: number, modifiedMs: number) => number
  header: (entry: Entry) => Buffer
  /** Bytes between a file's content and the next header. */
  padding: (bytes: number) => number
  /** The entry of a folder; it has no content. */
  folder: (name: string, modifiedMs: number) => Buffer
  /** What follows the last entry. */
  ending: (entries: Iterable<Placed>, end: number, write: (bytes: Buffer) => void) => void
}

/** A file of a container; `crc` is the CRC-32 of its content, where the container keeps one. */
export interface Entry {
  name: string
  bytes: number
  modifiedMs: number
  crc: number
}

export interface Placed extends Entry {
  /** Where its header begins. */
  position: number
  isFolder: boolean
}
