import { statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Failed } from '../contract/failure.ts'

/**
 * How much one list may bring, in rows and in bytes of text; and how many bytes must stay free on the disks
 * it is kept on.
 */
export interface ListBounds {
  rows: number
  bytes: number
  reserveBytes: number
  /** Bytes that are free where there are fewest. */
  free: () => number
  file: string
}

const fewestRows = 2_000_000
const mostFirstBytes = 16e9
const growth = 2
const reserveBytes = 512 * 1024 * 1024
/** So many bytes come between two looks at the disk. */
const stepBytes = 16 * 1024 * 1024

/**
 * Where SQLite keeps what waits until its list is complete (SQLite documentation, "Temporary Files Used By
 * SQLite", 5).
 */
const temporaryFolder = () =>
  process.platform === 'win32'
    ? os.tmpdir()
    : (process.env['SQLITE_TMPDIR'] ?? process.env['TMPDIR'] ?? '/var/tmp')

const freeIn = (folder: string): number => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    // A disk that does not say how full it is stops nobody; writing to it will tell.
    return Infinity
  }
}

/** Bounds by what a list held before and by the room there is: a list without end must not fill the disk. */
export const boundsOf = (database: DatabaseSync, before: { rows: number; bytes: number }): ListBounds => {
  const file = database.location() ?? ''
  const free = () => Math.min(freeIn(path.dirname(file)), freeIn(temporaryFolder()))
  // A record takes its text, what is read from it, and its words: about three times the text.
  const room = Math.max(0, free() - reserveBytes) / 3
  return {
    rows: Math.max(fewestRows, growth * before.rows),
    bytes: Math.max(growth * before.bytes, Math.min(mostFirstBytes, room)),
    reserveBytes,
    free,
    file,
  }
}

/**
 * Counts what a reading of a list takes in.
 * @param address of the list, for the failure
 */
export const openMeter = (
  { rows, bytes, reserveBytes: reserve, free, file }: ListBounds,
  address: string,
) => {
  let inPass = 0
  let written = 0
  let looked = 0
  const tooLong = () =>
    new Failed({ kind: 'server-broke', address, status: 200, detail: 'too-long', excerpt: '' })
  return {
    beginPass: () => {
      inPass = 0
    },
    /** @throws Failed where the list goes on beyond its bounds */
    saw: () => {
      inPass += 1
      if (inPass > rows) throw tooLong()
    },
    /**
     * So many bytes of it are new.
     * @throws Failed where they are too many, or leave too little room on the disk
     */
    wrote: (length: number) => {
      written += length
      if (written > bytes) throw tooLong()
      if (written - looked < Math.min(stepBytes, bytes / 8)) return
      looked = written
      if (free() < reserve) throw new Failed({ kind: 'disk', trouble: 'full', path: file })
    },
  }
}

export type ListMeter = ReturnType<typeof openMeter>
