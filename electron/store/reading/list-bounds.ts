import { statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Failed } from '../../contract/failure.ts'

/** How many bytes may still be written to a disk; negative where too few of it are free already. */
interface FreeSpace {
  folder: string
  bytes: number
}

/** How much one list may bring, in rows and in bytes of text, and how much the fuller of its disks takes. */
export interface ListBounds {
  rows: number
  bytes: number
  freeSpace: () => FreeSpace
}

/** Twice the longest list that a desk is made for: ten million rows, of some kilobytes each. */
const fewestRows = 20_000_000
const mostFirstBytes = 100e9
const growth = 2
/** So much of a disk stays free for others; of a small one, so large a part. */
const reserveBytes = 512 * 1024 * 1024
const reservedPart = 1 / 8
/** A record takes its text, what is read from it, and its words: about three times the text. */
const bytesOfText = 3
/** So much text at most comes between two looks at the disk, and so large a part of what is free. */
const stepBytes = 16 * 1024 * 1024
const stepPart = 1 / 8
/** Looking costs more than writing less than that. */
const fewestStepBytes = 64 * 1024

/**
 * Where SQLite keeps what waits until its list is complete (SQLite documentation, "Temporary Files Used By
 * SQLite", 5).
 */
const temporaryFolder = () =>
  process.platform === 'win32'
    ? os.tmpdir()
    : (process.env['SQLITE_TMPDIR'] ?? process.env['TMPDIR'] ?? '/var/tmp')

const spaceIn = (folder: string): FreeSpace => {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder)
    return { folder, bytes: bavail * bsize - Math.min(reserveBytes, blocks * bsize * reservedPart) }
  } catch {
    // A disk that does not say how full it is stops nobody; writing to it will tell.
    return { folder, bytes: Infinity }
  }
}

/** Bounds by what a list held before and by what is free: a list without end must not fill the disk. */
export const boundsOf = (database: DatabaseSync, before: { rows: number; bytes: number }): ListBounds => {
  const folder = path.dirname(database.location() ?? '')
  return {
    rows: Math.max(fewestRows, growth * before.rows),
    bytes: Math.max(mostFirstBytes, growth * before.bytes),
    freeSpace: () => {
      const [kept, waiting] = [spaceIn(folder), spaceIn(temporaryFolder())]
      return waiting.bytes < kept.bytes ? waiting : kept
    },
  }
}

/**
 * Counts what a reading of a list takes in.
 * @param address of the list, for the failure
 */
export const openMeter = ({ rows, bytes, freeSpace }: ListBounds, address: string) => {
  let inPass = 0
  let written = 0
  let nextMeasured = 0
  const tooLong = () =>
    new Failed({ kind: 'server-broke', address, status: 200, detail: 'too-long', excerpt: '' })
  const measureSpace = () => {
    const left = freeSpace()
    if (left.bytes <= 0) throw new Failed({ kind: 'disk', trouble: 'full', path: left.folder })
    const step = Math.min(stepBytes, (left.bytes * stepPart) / bytesOfText)
    nextMeasured = written + Math.max(fewestStepBytes, step)
  }
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
     * @throws Failed where they are too many, or leave too little space on the disk
     */
    wrote: (length: number) => {
      if (written >= nextMeasured) measureSpace()
      written += length
      if (written > bytes) throw tooLong()
    },
  }
}

export type ListMeter = ReturnType<typeof openMeter>
