import { crc32 } from 'node:zlib'
import { serveRequests } from '../../common/serve-requests.ts'
import { readFully } from '../pack/copy.ts'
import { stepBytes, type ContentToSum } from './sum-thread.ts'

/** So far it may be ahead. */
const mostSteps = 16
const waitMs = 100
const block = Buffer.allocUnsafeSlow(stepBytes)

/** Waits until the other one is near. Says whether the sum is wanted still. */
const isWanted = (steps: ContentToSum['steps'], step: number): boolean => {
  for (;;) {
    const reached = Atomics.load(steps, 0)
    if (reached < 0 || step - reached < mostSteps) return reached >= 0
    Atomics.wait(steps, 0, reached, waitMs)
  }
}

/** The CRC-32 of a content; undefined where it ends early, or nobody wants it any more. */
const sumOf = ({ handle, from, bytes, steps }: ContentToSum): number | undefined => {
  let sum = 0
  for (let position = 0; position < bytes; position += block.length) {
    if (!isWanted(steps, position / block.length)) return undefined
    const part = block.subarray(0, Math.min(block.length, bytes - position))
    if (readFully(handle, part, from + position) < part.length) return undefined
    sum = crc32(part, sum)
  }
  return sum
}

serveRequests<ContentToSum>(sumOf)
