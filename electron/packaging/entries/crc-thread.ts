import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { background, toProcess } from '../../common/background.ts'
import { openRequestThread } from '../../common/request-thread.ts'
import { readFully } from '../pack/copy.ts'
import { ContainerError } from './container-error.ts'

/** Blocks of the memory that both threads share, and their size. */
export const slots = 4
const blockBytes = 1024 * 1024
/** So long one thread waits for the other before it looks at what else there is. */
export const waitMs = 50

/** Places in the shared counters. */
export const filled = 0
export const released = 1

/** A content to read, of a file that is open in this process. */
export interface CrcRequest {
  handle: number
  from: number
  bytes: number
  ring: SharedArrayBuffer
  /** CRC-32 of the content up to the end of the block at each place of the ring. */
  crcs: Uint32Array<SharedArrayBuffer>
  /** How many blocks were read, and how many are not used any more: below zero once nobody wants others. */
  counters: Int32Array<SharedArrayBuffer>
}

/** How many blocks a content has. */
export const blocksOf = ({ bytes }: Pick<CrcRequest, 'bytes'>): number => Math.ceil(bytes / blockBytes)

/** Where in the file a block of it begins, and its place in the ring. */
export const blockOf = ({ from, bytes, ring }: CrcRequest, index: number) => ({
  position: from + index * blockBytes,
  block: Buffer.from(ring, (index % slots) * blockBytes, Math.min(blockBytes, bytes - index * blockBytes)),
})

/**
 * A thread that reads a content and computes its CRC-32, while the one that asks computes a digest of the
 * same blocks: to do all of it takes that one a third longer.
 */
export const openCrcThread = (script: URL) => {
  const thread = openRequestThread<CrcRequest>({
    task: 'computes CRC-32',
    script,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  })
  /** Most packages have no file that is so long. */
  let ring: SharedArrayBuffer | undefined

  /** Waits until a block was read; says whether it was, or the thread has ended its work before. */
  const isFilled = async ({ counters }: CrcRequest, index: number, isOver: () => boolean) => {
    while (Atomics.load(counters, filled) <= index) {
      if (isOver()) return false
      // Only in turns of their own is it heard that the thread is gone.
      if (Atomics.wait(counters, filled, index, waitMs) === 'timed-out') await nextTurn()
    }
    return true
  }

  return {
    /**
     * The blocks of a content, each good until the next one is asked for; one content after the other.
     * @param end hears its CRC-32
     * @throws ContainerError where it ends early; the error of the system
     */
    read: async function* (
      handle: number,
      from: number,
      bytes: number,
      end: (crc: number) => void,
    ): AsyncGenerator<Buffer> {
      const crcs = new Uint32Array(new SharedArrayBuffer(slots * Uint32Array.BYTES_PER_ELEMENT))
      const counters = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
      ring ??= new SharedArrayBuffer(slots * blockBytes)
      const request: CrcRequest = { handle, from, bytes, ring, crcs, counters }
      let isOver = false
      const over = () => {
        isOver = true
      }
      background(thread.request(request).then(over, over), toProcess)
      const release = (blocks: number) => {
        Atomics.store(counters, released, blocks)
        Atomics.notify(counters, released)
      }
      let crc = 0
      try {
        for (let index = 0; index < blocksOf(request); index += 1) {
          release(index)
          const { position, block } = blockOf(request, index)
          if (await isFilled(request, index, () => isOver)) crc = crcs[index % slots] ?? 0
          else {
            // Whoever asks goes on where the thread could not, and hears from the system why.
            const length = readFully(handle, block, position)
            if (length < block.length) throw new ContainerError('archive-cut', position + length)
            crc = crc32(block, crc)
          }
          yield block
        }
      } finally {
        release(-1)
      }
      end(crc)
    },
    close: async () => {
      await thread.terminate()
      await thread.close()
    },
  }
}
export type CrcThread = ReturnType<typeof openCrcThread>
