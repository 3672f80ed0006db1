import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Failed } from '../contract/failure.ts'
import type { Control, CopyJob, WorkerMessage } from './copy-files.ts'
import { diskFailure } from './disk.ts'
import { sourceFailure } from './plan.ts'

const block = Buffer.allocUnsafe(1024 * 1024)
const checksumsAtOnce = 256

const { jobs, control } = workerData as { jobs: CopyJob[]; control: Control }
const { counters, bytes } = control
const isStopped = () => Atomics.load(counters, 1) === 1
const say = (message: WorkerMessage) => parentPort?.postMessage(message)

const openSource = (file: string) => {
  try {
    return openSync(file, 'r')
  } catch (error) {
    throw sourceFailure(error, file)
  }
}

const openTarget = (file: string) => {
  try {
    return openSync(file, 'wx+')
  } catch (error) {
    throw diskFailure(error, file)
  }
}

const writeWhole = (target: number, length: number, to: string) => {
  try {
    for (let done = 0; done < length;) done += writeSync(target, block, done, length - done)
  } catch (error) {
    throw diskFailure(error, to)
  }
}

const hasChanged = (source: number, { bytes: planned, modifiedMs }: CopyJob) => {
  const { size, mtimeMs } = fstatSync(source)
  return size !== planned || (modifiedMs !== null && mtimeMs !== modifiedMs)
}

/** Reads the source once into hash and target; says undefined when told to stop. */
const copy = (job: CopyJob, source: number, target: number): string | undefined => {
  const hash = createHash('sha256')
  let copied = 0
  if (hasChanged(source, job)) throw new Failed({ kind: 'source', trouble: 'changed', path: job.from })
  for (;;) {
    if (isStopped()) return undefined
    let length: number
    try {
      length = readSync(source, block, 0, block.length, null)
    } catch (error) {
      throw sourceFailure(error, job.from)
    }
    if (length === 0) break
    hash.update(block.subarray(0, length))
    writeWhole(target, length, job.to)
    copied += length
    Atomics.add(bytes, 0, BigInt(length))
  }
  if (copied !== job.bytes || hasChanged(source, job)) throw new Failed({ kind: 'source', trouble: 'changed', path: job.from })
  return hash.digest('hex')
}

const readBack = (target: number, to: string): string | undefined => {
  const hash = createHash('sha256')
  for (let position = 0; ;) {
    if (isStopped()) return undefined
    let length: number
    try {
      length = readSync(target, block, 0, block.length, position)
    } catch (error) {
      throw diskFailure(error, to)
    }
    if (length === 0) return hash.digest('hex')
    hash.update(block.subarray(0, length))
    position += length
    Atomics.add(bytes, 1, BigInt(length))
  }
}

const copyOne = (job: CopyJob): string | undefined => {
  const source = openSource(job.from)
  try {
    const target = openTarget(job.to)
    try {
      const sha256 = copy(job, source, target)
      if (sha256 === undefined) return undefined
      if (job.expected !== null && job.expected !== sha256) throw new Failed({ kind: 'source', trouble: 'changed', path: job.from })
      const found = readBack(target, job.to)
      if (found !== undefined && found !== sha256) throw new Failed({ kind: 'disk', trouble: 'read-back', path: job.to })
      return found
    } finally {
      closeSync(target)
    }
  } finally {
    closeSync(source)
  }
}

const work = () => {
  let ready: [number, string][] = []
  while (!isStopped()) {
    const index = Atomics.add(counters, 0, 1)
    const job = jobs[index]
    if (!job) break
    Atomics.store(counters, 3, index)
    const sha256 = copyOne(job)
    if (sha256 === undefined) break
    ready.push([index, sha256])
    Atomics.add(counters, 2, 1)
    if (ready.length >= checksumsAtOnce) {
      say({ checksums: ready })
      ready = []
    }
  }
  say({ checksums: ready })
}

try {
  work()
} catch (error) {
  if (!(error instanceof Failed)) throw error
  say({ failure: error.failure })
}
