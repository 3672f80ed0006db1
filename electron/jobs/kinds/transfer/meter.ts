import type { Counts } from '../../../contract/counts.ts'
import type { Progress } from '../../../contract/transfers.ts'
import type { WorkProgress } from '../../../packaging/pack/control.ts'

/** Before that nobody can say how long it takes. */
const soonestMs = 3_000

/** How far a work is, in the words of the contract; its rate is 0 in the first seconds. */
export const meter = (id: string, work: Progress['work'], progress: (progress: Progress) => void) => {
  let of: Counts = { files: 0, folders: 0, bytes: 0 }
  const began = performance.now()
  return {
    onPlan: ({ counts }: { counts: Counts }) => {
      of = counts
      progress({
        id,
        work,
        files: 0,
        ofFiles: of.files,
        bytes: 0,
        ofBytes: of.bytes,
        bytesPerSecond: 0,
        file: '',
      })
    },
    onProgress: ({ phase, files, bytes, file }: WorkProgress) => {
      const now = work === 'packing' ? phase : work
      const ms = performance.now() - began
      progress({
        id,
        work: now,
        files,
        ofFiles: of.files,
        bytes,
        ofBytes: of.bytes,
        bytesPerSecond: ms < soonestMs ? 0 : Math.round((bytes / ms) * 1_000),
        file,
      })
    },
  }
}
