import type { Readable } from 'node:stream'

/** The chunks of a stream without an encoding and not of objects, which gives them as buffers. */
export const chunksOf = (stream: Readable): AsyncIterable<Buffer> => stream
