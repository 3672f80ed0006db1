/** Conventions of an archive's HTTP: where its interface begins, and how its lists are divided into pages. */
export interface Conventions {
  /** The path of the interface below the address of the archive, with a slash at its end. */
  base: string
  /**
   * Where the records of a list are: null where an answer is the array itself, which is read as it arrives
   * (the next page is then
   * in Link, RFC 8288); else the names under which an object holds them, and the address of the next page or
   * null. Such an answer
   * is read whole, so pages have to be short.
   */
  envelope: { records: string; next: string } | null
  /** The header that says how many records there are in all. */
  countHeader: string
  /** What archives give where nobody asks for more: a list of exactly so many may be one page of several. */
  usualLength: number
  pageParameter: string
  /** How many records a page is to have; null where nobody can say. */
  sizeParameter: string | null
  /** So long a page may take, in milliseconds; of a list that takes longer, pages have fewer records. */
  pageMs: number
  /**
   * What to ask with, one reading after the other, until a whole list came. Of the first, so many records
   * come at a time.
   */
  readings: readonly { length: number; parameters: Record<string, string> }[]
}
