import type { EntryNote } from './container-error.ts'

/** A file, folder or something else in a tar, zip or folder. */
export interface FoundEntry {
  name: string
  kind: 'file' | 'folder' | 'other'
  bytes: number
  /** Length as it lies there, which is less where it is compressed. */
  stored: number
  /** Where its content begins in the tar or zip, or -1 where it cannot be read; 0 in a folder. */
  position: number
  isStored: boolean
  /**
   * What is wrong with it: its name is no text, it cannot be read, it lies too deep, there are too many to be
   * looked at.
   */
  trouble?: 'not-text' | 'unreadable' | 'too-deep' | 'too-many'
  /** Time of change in ms, where the container says it. */
  modifiedMs?: number | undefined
  /** CRC-32 of its content, where the container has one. */
  crc?: number
  /** What the container has wrong about it. */
  notes?: EntryNote[]
}
