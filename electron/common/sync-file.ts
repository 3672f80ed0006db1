import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Brings what was written to a file to the disk. @throws the system's error */
export const syncFile = (file: string): void => {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
