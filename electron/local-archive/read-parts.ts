import { createReadStream } from 'node:fs'

const shortestPart = 4 * 1024
const longestPart = 1024 * 1024

/**
 * Reads a file in parts of at most a megabyte, and no larger than the file needs: each part has a buffer of
 * its own, and of megabytes for small files the collector of garbage would free one after the other.
 * @param bytes the size that it had
 */
export const readParts = (file: string, bytes: number) =>
  createReadStream(file, { highWaterMark: Math.min(longestPart, Math.max(shortestPart, bytes)) })
