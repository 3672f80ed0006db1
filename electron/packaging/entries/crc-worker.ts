import { crc32 } from 'node:zlib'
import { serveRequests } from '../../common/serve-requests.ts'
import { readFully } from '../pack/copy.ts'
import { stepBytes, type CrcRequest } from './crc-thread.ts'

/** So far it may be ahead. */
const mostSteps = 16
const waitMs = 100
const block = Buffer.allocUnsafeSlow(stepBytes)

/** Waits until the other one is near. Says whether the CRC is wanted still. */
const isWanted = (steps: CrcRequest['steps'], step: number): boolean => {
  for (;;) {
    const reached = Atomics.load(steps, 0)
    if (reached < 0 || step - reached < mostSteps) return reached >= 0
    Atomics.wait(steps, 0, reached, waitMs)
  }
}

/** The CRC-32 of a content; undefined where it ends early, or nobody wants it any more. */
const crcOf = ({ handle, from, bytes, steps }: CrcRequest): number | undefined => {
  let crc = 0
  for (let position = 0; position < bytes; position += block.length) {
    if (!isWanted(steps, position / block.length)) return undefined
    const part = block.subarray(0, Math.min(block.length, bytes - position))
    if (readFully(handle, part, from + position) < part.length) return undefined
    crc = crc32(part, crc)
  }
  return crc
}

serveRequests<CrcRequest>(crcOf)
