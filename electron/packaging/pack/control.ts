import { performance } from 'node:perf_hooks'

/** Places in the shared counters. */
const running = 0
const polite = 1
const nextSmall = 2
const nextLarge = 3
const largeLock = 4
const filesDone = 5
const nameLength = 6
const phase = 7

const run = 0
const stop = 1
const pause = 2

/** Places in the shared byte counters. */
const copied = 0
const readBack = 1

const nameBytes = 1024
const noticeableMs = 20

const phases = ['counting', 'packing', 'finishing'] as const
export type Phase = (typeof phases)[number]

/** The memory that the threads of one work share; it crosses to them as it is. */
export interface Shared {
  counters: Int32Array<SharedArrayBuffer>
  bytes: BigInt64Array<SharedArrayBuffer>
  name: Uint8Array<SharedArrayBuffer>
}

/** Memory for the threads of one work, which goes on until it is told otherwise. */
export const share = (): Shared => ({
  counters: new Int32Array(new SharedArrayBuffer(16 * 4)),
  bytes: new BigInt64Array(new SharedArrayBuffer(4 * 8)),
  name: new Uint8Array(new SharedArrayBuffer(nameBytes)),
})

export interface WorkProgress {
  phase: Phase
  files: number
  /** Every byte is counted half when it is written and half when it is read back. */
  bytes: number
  file: string
}

/** The side of the one who ordered the work: how far it is; stop, pause, polite. */
export const controlOf = ({ counters, bytes, name }: Shared) => {
  const set = (state: number) => {
    if (Atomics.load(counters, running) === stop) return
    Atomics.store(counters, running, state)
    Atomics.notify(counters, running)
  }
  return {
    stop: () => set(stop),
    pause: () => set(pause),
    goOn: () => set(run),
    bePolite: (is: boolean) => Atomics.store(counters, polite, is ? 1 : 0),
    progress: (): WorkProgress => ({
      phase: phases[Atomics.load(counters, phase)] ?? 'packing',
      files: Atomics.load(counters, filesDone),
      bytes: Number((Atomics.load(bytes, copied) + Atomics.load(bytes, readBack)) / 2n),
      file: Buffer.from(name.slice(0, Atomics.load(counters, nameLength))).toString('utf8'),
    }),
  }
}
export type Control = ReturnType<typeof controlOf>

export type ThreadControl = ReturnType<typeof threadControl>

/** The side of a thread: whether to go on, what is next, what was done. */
export const threadControl = ({ counters, bytes, name }: Shared) => {
  const text = Buffer.from(name.buffer)
  let workedSince = performance.now()

  const isStopped = () => Atomics.load(counters, running) === stop
  /**
   * Waits while the work is paused, and as long as it worked where it is to be polite. Says whether to go on.
   */
  const gate = (): boolean => {
    if (Atomics.load(counters, polite) === 1) {
      const worked = performance.now() - workedSince
      if (worked > noticeableMs) {
        Atomics.wait(counters, running, run, Math.min(worked, 1_000))
        workedSince = performance.now()
      }
    }
    while (Atomics.load(counters, running) === pause) Atomics.wait(counters, running, pause, 1_000)
    return !isStopped()
  }

  return {
    gate,
    isStopped,
    stop: () => {
      Atomics.store(counters, running, stop)
      Atomics.notify(counters, running)
    },
    enter: (entered: Phase) => Atomics.store(counters, phase, phases.indexOf(entered)),
    /** Begins to count what is next anew, for the next list. */
    rewind: () => Atomics.store(counters, nextSmall, 0),
    takeSmall: () => Atomics.add(counters, nextSmall, 1),
    takeLarge: () => Atomics.add(counters, nextLarge, 1),
    lockLarge: () => Atomics.compareExchange(counters, largeLock, 0, 1) === 0,
    unlockLarge: () => {
      Atomics.store(counters, largeLock, 0)
      Atomics.notify(counters, largeLock)
    },
    /** Until a large file is done by somebody else, or a moment has passed. */
    awaitLarge: () => Atomics.wait(counters, largeLock, 1, 50),
    done: (files: number, written: number, read: number) => {
      Atomics.add(counters, filesDone, files)
      Atomics.add(bytes, copied, BigInt(written))
      Atomics.add(bytes, readBack, BigInt(read))
    },
    reading: (file: string) => Atomics.store(counters, nameLength, text.write(file, 0, nameBytes)),
  }
}
