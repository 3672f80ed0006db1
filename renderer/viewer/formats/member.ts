import type { Content } from '../content.ts'

/** What lies in a container of files. */
export interface Member {
  /** Its folders and its name, with "/" between them. */
  path: string
  bytes: number
  modified: Date | undefined
  isFolder: boolean
  isEncrypted?: boolean
  /** @throws TooLarge, Undrawable, Unreachable */
  open: () => Promise<Content>
}

/** What is inflated at most, whatever a container promises. */
export const mostInflatedBytes = 256 * 1024 * 1024

/** The last part of a path. */
export const nameIn = (path: string) => path.split(/[/\\]/).findLast((part) => part !== '') ?? path
