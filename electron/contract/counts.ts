/** What a folder, a source or a bag holds. */
export interface Counts {
  files: number
  folders: number
  bytes: number
}
