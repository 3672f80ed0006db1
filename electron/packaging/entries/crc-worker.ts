import { crc32 } from 'node:zlib'
import { serveRequests } from '../../common/serve-requests.ts'
import { readFully } from '../pack/copy.ts'
import { blockOf, blocksOf, filled, released, slots, waitMs, type CrcRequest } from './crc-thread.ts'

/** Waits for a free place in the ring. Says whether another block is wanted. */
const isWanted = ({ counters }: CrcRequest, index: number): boolean => {
  for (;;) {
    const free = Atomics.load(counters, released)
    if (free < 0 || index - free < slots) return free >= 0
    Atomics.wait(counters, released, free, waitMs)
  }
}

/** Reads a content into the ring, until it ends early or nobody wants it any more. */
const read = (request: CrcRequest) => {
  const { handle, crcs, counters } = request
  let crc = 0
  for (let index = 0; index < blocksOf(request) && isWanted(request, index); index += 1) {
    const { position, block } = blockOf(request, index)
    if (readFully(handle, block, position) < block.length) return
    crc = crc32(block, crc)
    crcs[index % slots] = crc
    // Only now does the other thread look at either.
    Atomics.store(counters, filled, index + 1)
    Atomics.notify(counters, filled)
  }
}

serveRequests<CrcRequest>(read)
