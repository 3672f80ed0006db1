/** What a folder, a source or a package holds. */
export interface Counts {
  files: number
  folders: number
  bytes: number
}
