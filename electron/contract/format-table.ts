/** Files of one format, as the tool named it. */
export interface FormatCount {
  /** PRONOM's identifier; empty where the tool has none. */
  puid: string
  name: string
  mime: string
  basis: string
  files: number
  bytes: number
}

/** What the files of a package are, the most frequent formats first. */
export interface FormatTable {
  /**
   * "built-in" is weaker: it knows fewer formats, and no PRONOM; "extension": nothing was opened yet, and the
   * names alone say it.
   */
  tool: 'siegfried' | 'fido' | 'built-in' | 'extension'
  /** Better tools that were there and failed; packages that were packed before this was noted have none. */
  failed?: ('siegfried' | 'fido' | 'built-in')[]
  kinds: number
  formats: FormatCount[]
}
