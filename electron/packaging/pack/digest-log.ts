import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { checksumBytes, type Algorithm } from '../digests.ts'

/**
 * What is known of a file once its copy was read back: its digests one after the other, and the CRC-32 of its
 * content where its container keeps one, else 0.
 */
export interface DigestRecord {
  digests: Buffer
  crc: number
}

/** Length in bytes of all digests of one file. */
export const digestsLength = (algorithms: readonly Algorithm[]) =>
  algorithms.reduce((sum, algorithm) => sum + checksumBytes[algorithm], 0)

/** Length in bytes of a record: digests, CRC-32 of the content, CRC-32 of the record itself. */
export const recordLength = (algorithms: readonly Algorithm[]) => digestsLength(algorithms) + 8

const encodeRecord = ({ digests, crc }: DigestRecord): Buffer => {
  const record = Buffer.alloc(digests.length + 8)
  digests.copy(record)
  record.writeUInt32LE(crc, digests.length)
  record.writeUInt32LE(crc32(record.subarray(0, -4)), digests.length + 4)
  return record
}

/** Undefined where the file was never finished: the record is empty, or was torn in the middle. */
const decodeRecord = (record: Buffer): DigestRecord | undefined => {
  const body = record.subarray(0, -4)
  if (record.length < 8 || crc32(body) !== record.readUInt32LE(body.length)) return undefined
  return { digests: Buffer.from(body.subarray(0, -4)), crc: body.readUInt32LE(body.length - 4) }
}

/**
 * The digest log of a work: one record a file, at its place, written when the file is done.
 * @throws Error of the system where there is no such file
 */
export const openDigestLog = (file: string, algorithms: readonly Algorithm[]) => {
  const handle = openSync(file, 'r+')
  const length = recordLength(algorithms)
  return {
    write: (first: number, done: DigestRecord[]) => {
      const records = Buffer.concat(done.map(encodeRecord))
      for (let written = 0; written < records.length;)
        written += writeSync(handle, records, written, records.length - written, first * length + written)
    },
    /** Records of files that follow each other. */
    read: (first: number, files: number): (DigestRecord | undefined)[] => {
      const bytes = Buffer.alloc(files * length)
      const read = readSync(handle, bytes, 0, bytes.length, first * length)
      return Array.from({ length: files }, (_, index) =>
        (index + 1) * length <= read
          ? decodeRecord(bytes.subarray(index * length, (index + 1) * length))
          : undefined,
      )
    },
    close: () => closeSync(handle),
  }
}
export type DigestLog = ReturnType<typeof openDigestLog>

/** Records in their order, a thousand at a time. @param begin the number of the first file */
export function* recordsOf(
  digestLog: DigestLog,
  files: number,
  begin = 0,
): Generator<DigestRecord | undefined, undefined> {
  const end = begin + files
  for (let first = begin; first < end; first += 1_000)
    yield* digestLog.read(first, Math.min(1_000, end - first))
  return undefined
}
