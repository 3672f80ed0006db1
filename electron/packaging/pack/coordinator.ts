import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { parentPort, Worker } from 'node:worker_threads'
import { Failed, type Failure } from '../../contract/failure.ts'
import type { Counts } from '../../contract/counts.ts'
import type { FormatTable } from '../../contract/format-table.ts'
import type { SourceSurvey } from '../../contract/survey.ts'
import type { DescriptiveFile, Label, PackageFormat, SchemaFile } from '../format.ts'
import { formatNamed } from '../formats.ts'
import { misnamedAs, saysHowItBegins, signatureBytes } from '../identification/signatures.ts'
import { makeFormatTable } from '../identification/table.ts'
import { bootId, diskFailure, ensureSpace, fileTime, outlivesKill, spareBytes } from '../disk.ts'
import { addToContainer, addToFolder } from './added-files.ts'
import { batchesIn, makeBatches } from './batches.ts'
import { contentOf, copiedPayload, type CopiedPayload } from './copied-payload.ts'
import { threadControl, type Shared } from './control.ts'
import { inTarget, openSource, readFully, writeFully } from './copy.ts'
import { watchWrites, type WatchedWrites } from './flush.ts'
import { isChangedByUnzip } from '../names.ts'
import { containerOf } from './serializations.ts'
import type { WorkerData, WorkerMessage } from './worker.ts'
import { openDigestLog, recordLength, type DigestLog } from './digest-log.ts'
import { placedFiles, placedFolders, topModifiedMs } from './layout.ts'
import {
  foldersOf,
  inWork,
  lineWriter,
  readPlan,
  sourceOf,
  writePlan,
  type FormerPlan,
  type PackSpec,
  type Plan,
} from './plan.ts'
import { recount } from './recount.ts'
import { shareRing } from './ring.ts'

import { mostListed, pathCounter, surveyor, walk } from './walk.ts'
import { codeOf, pathOf, systemCallOf } from '../../common/errors.ts'
import { dataOfThread } from '../../common/worker-data.ts'

/** What the thread that leads the work is given. */
export interface CoordinatorData {
  shared: Shared
  spec: PackSpec
  /** What the package is to say of itself. */
  labels: Label[]
  /** The text of the profile that the package has to meet when it is done. */
  profile: string | null
  /** A file that describes it, as a person gave it. */
  descriptive: DescriptiveFile | null
  /** Schemas that a person gave. */
  schemas: SchemaFile[]
  /** The package under its temporary name, and the folder of plan and digest log. */
  target: string
  work: string
  threads: number
  /** The script of the threads that copy. */
  workerScript: string
  /** Whether to say what the files are, in a table inside the package. */
  isIdentified: boolean
}

/** What a package is known by, and what is in it. */
export interface Made {
  found: Counts
  /** The digest that stands for all that it holds; empty for a copy. */
  manifest: string
  content: string
  formats: FormatTable | null
}

export type CoordinatorMessage =
  | { plan: Plan }
  | { failure: Failure; others: Failure[] }
  | { stopped: true }
  | { survey: SourceSurvey }
  | { done: { plan: Plan; made: Made } }

const data = dataOfThread<CoordinatorData>()
const { shared, spec, target, work, threads, workerScript, isIdentified } = data
const control = threadControl(shared)
/** What a copy and a survey do without. */
const format = spec.what === 'package' ? formatNamed(spec.format) : undefined
const container = containerOf(spec.form)
const say = (message: CoordinatorMessage) => parentPort?.postMessage(message)
const betweenChecksMs = 500
const mostTroubles = 100

/** Programs unpack some names of a zip as others; the package would then not be valid any more. */
const refuseName = (name: string) =>
  spec.form === 'zip' && isChangedByUnzip(name) ? 'not-in-zip' : undefined

/** Walks the sources and writes down what it finds. Undefined when it was stopped. */
const makePlan = (): Plan | undefined => {
  const inside = inWork(work)
  const files = lineWriter(inside.files)
  const folders = lineWriter(inside.folders)
  const skipped = lineWriter(inside.skipped)
  const { survey, count } = surveyor()
  try {
    walk(spec.roots, {
      gate: control.gate,
      warn: count.warn,
      refuse: refuseName,
      file: (root, below, bytes, modifiedMs, allocated) => {
        count.file(path.posix.join(spec.roots[root]?.name ?? '', below), bytes, allocated)
        files.line(JSON.stringify([root, below, bytes, modifiedMs]))
      },
      folder: (root, below, modifiedMs) => {
        const name = spec.roots[root]?.name ?? ''
        if (name === '' && below === '') return
        count.folder()
        folders.line(
          JSON.stringify([below === '' ? name : name === '' ? below : `${name}/${below}`, modifiedMs]),
        )
      },
      skip: (found) => {
        count.skip(found)
        skipped.line(JSON.stringify(found))
      },
    })
  } finally {
    for (const lines of [files, folders, skipped]) lines.close()
  }
  // Earlier versions wrote shorter headers into a zip: what they began has its files at other places.
  const layout = spec.form === 'zip' ? ['times'] : []
  const found = JSON.stringify([spec, files.digest(), folders.digest(), skipped.digest(), ...layout])
  return control.gate()
    ? { ...survey, spec, digest: createHash('sha256').update(found).digest('hex'), boot: bootId() }
    : undefined
}

/**
 * Clears what another work left, unless it was this very work; then its digest log counts.
 * @returns whether what it says to be done is surely on the disk; if not, it is read back before it counts
 */
const prepare = async (plan: Plan, known: FormerPlan | undefined): Promise<boolean> => {
  const { digestLog } = inWork(work)
  const isSame = known?.digest === plan.digest && existsSync(target) && existsSync(digestLog)
  if (!isSame) {
    inTarget(target, () => rmSync(target, { recursive: true, force: true }))
    rmSync(digestLog, { force: true })
    closeSync(openSync(digestLog, 'w'))
    await ensureSpace(path.dirname(target), plan.allocated + plan.counts.files * 1_024)
  }
  const handle = openSync(digestLog, 'r+')
  ftruncateSync(handle, plan.counts.files * recordLength(spec.algorithms))
  closeSync(handle)
  const isSure = !isSame || outlivesKill(target, known.boot)
  // What was not read back before this run is stopped is not sure in the next one either.
  writePlan(work, isSure ? plan : { ...plan, boot: '' })
  return isSure
}

/** The folders that the sources of a package lie in. */
const payloadFolders = ({ payloadFolder }: PackageFormat) =>
  new Set(spec.roots.length === 0 ? [payloadFolder] : spec.roots.map(({ name }) => path.posix.dirname(name)))

/**
 * Makes the folders, or the container's entries of them. Gives where the first file begins in the container.
 */
const makeFolders = (): number => {
  if (!container) {
    if (format)
      for (const folder of payloadFolders(format))
        mkdirSync(path.join(target, ...folder.split('/')), { recursive: true })
    else if (spec.roots.some((root) => statSync(root.path).isDirectory()))
      mkdirSync(target, { recursive: true })
    for (const [name] of foldersOf(work))
      mkdirSync(path.join(target, ...name.split('/')), { recursive: true })
    return 0
  }
  let position = 0
  const handle = openSync(target, existsSync(target) ? 'r+' : 'w+')
  try {
    for (const { header } of placedFolders(work, spec, container, topModifiedMs)) {
      writeFully(handle, header, position)
      position += header.length
    }
  } finally {
    closeSync(handle)
  }
  return position
}

interface CopyOutcome {
  /** Why all of them were stopped. */
  stopped?: Failure
  /** What is wrong with files of the sources. */
  troubles: Failure[]
}

/** Runs one thread that copies, until it ends. */
const runWorker = (data: WorkerData, take: (message: Exclude<WorkerMessage, 'over'>) => void) =>
  new Promise<void>((done, failed) => {
    const thread = new Worker(new URL(workerScript), {
      workerData: data,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
    })
    let isOver = false
    thread.on('message', (message: WorkerMessage) => {
      if (message === 'over') isOver = true
      else take(message)
    })
    thread.once('error', (error: Error) => {
      control.stop()
      failed(error)
    })
    thread.once('exit', () => {
      if (isOver) return done()
      control.stop()
      failed(new Error('A thread that packs ended without a word.'))
    })
  })

/** What keeps the disk from taking more, where anything does. */
const troubleOfDisk = (): Failure | undefined => {
  const folder = path.dirname(target)
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > spareBytes ? undefined : { kind: 'disk', trouble: 'full', path: folder }
  } catch (error) {
    return diskFailure(error, folder).failure
  }
}

const copyPayload = async (
  { small, large }: ReturnType<typeof makeBatches>,
  isSure: boolean,
): Promise<CopyOutcome> => {
  const troubles: Failure[] = []
  let stopped: Failure | undefined
  const watching = setInterval(() => {
    const trouble = troubleOfDisk()
    if (!trouble) return
    stopped ??= trouble
    control.stop()
  }, betweenChecksMs)
  const given: WorkerData = {
    shared,
    ring: shareRing(large.length > 0),
    work,
    spec,
    batches: { small, large },
    target,
    threads,
    isSure,
  }
  // Large files are read and hashed by two; a batch of small ones is copied by one.
  const needed = large.length > 0 ? threads : Math.min(threads, batchesIn(small))
  const take = (message: Exclude<WorkerMessage, 'over'>) => {
    if ('stopped' in message) stopped ??= message.stopped
    else troubles.push(message.trouble)
    // So many say that the drive is gone rather than the files.
    if (troubles.length >= mostTroubles) control.stop()
  }
  try {
    await Promise.all(Array.from({ length: needed }, () => runWorker(given, take)))
  } finally {
    clearInterval(watching)
  }
  return stopped ? { stopped, troubles } : { troubles }
}

/** Folders have the times of change that they had in the source, once nothing is written into them. */
const restoreFolderTimes = () => {
  for (const [name, modifiedMs] of [...foldersOf(work)].reverse())
    utimesSync(path.join(target, ...name.split('/')), Date.now() / 1000, fileTime(modifiedMs))
}

/**
 * Writes what a format adds, and the end of a container. Gives the digest that a package is known by; a copy
 * has none.
 */
const addFiles = (
  payload: CopiedPayload,
  wanted: PackageFormat | undefined,
  digestLog: DigestLog,
  firstFile: number,
  payloadEnd: number,
): string => {
  if (!container)
    return wanted?.addFiles(payload, addToFolder(target, spec.algorithms, inWork(work).added)) ?? ''
  const { add, end } = addToContainer(target, container, {
    top: spec.top,
    modifiedMs: Date.now(),
    position: payloadEnd,
    algorithms: spec.algorithms,
  })
  const manifest = wanted?.addFiles(payload, add) ?? ''
  const before = function* () {
    yield* placedFolders(work, spec, container, topModifiedMs)
    yield* placedFiles(work, spec, container, digestLog, payload.plan.counts.files, firstFile)
  }
  end(before())
  return manifest
}

/** Writes what comes last, and counts what was made. */
const finish = (plan: Plan, firstFile: number, payloadEnd: number) => {
  const digestLog = openDigestLog(inWork(work).digestLog, spec.algorithms)
  try {
    const payload = copiedPayload(work, plan, digestLog, data)
    const manifest = inTarget(target, () => addFiles(payload, format, digestLog, firstFile, payloadEnd))
    if (!container) inTarget(target, restoreFolderTimes)
    const content = contentOf(digestLog, plan)
    const found = inTarget(target, () =>
      recount(target, spec, (name) => format?.payloadPaths.test(name) ?? true),
    )
    return { made: { found, manifest, content }, unmet: format?.unmetRules(payload) ?? [] }
  } finally {
    digestLog.close()
  }
}

const head = Buffer.alloc(signatureBytes)
/**
 * How a file begins whose extension says how, nothing of others; undefined for one that cannot be opened:
 * that it may be read does not say so where another program holds it. What it gives is good until the next
 * file.
 */
const beginningOf = (file: string): Buffer | undefined => {
  try {
    const handle = openSource(file)
    try {
      return head.subarray(0, saysHowItBegins(file) ? readFully(handle, head, 0) : 0)
    } finally {
      closeSync(handle)
    }
  } catch {
    return undefined
  }
}

/** Counts what the sources hold, what would stop packing them, and what is not what its name says. */
const survey = (): CoordinatorMessage => {
  const { survey: counted, count } = surveyor()
  const [unreadable, notInZip, emptyFolders] = [pathCounter(), pathCounter(), pathCounter()]
  const misnamed: SourceSurvey['misnamed'] = { count: 0, first: [] }
  const openOne = (file: string) => {
    const beginning = beginningOf(file)
    const format = beginning && misnamedAs(file, beginning)
    if (!beginning) unreadable.add(file)
    if (format === undefined) return
    misnamed.count += 1
    if (misnamed.first.length < mostListed) misnamed.first.push({ path: file, format })
  }
  walk(spec.roots, {
    ...count,
    gate: control.gate,
    file: (root, below, bytes, _modifiedMs, allocated) => {
      const from = spec.roots[root]
      count.file(path.posix.join(from?.name ?? '', below), bytes, allocated)
      if (from) openOne(sourceOf(from, below))
    },
    emptyFolder: emptyFolders.add,
    unreadable: unreadable.add,
    refuse: (name, from) => {
      if (isChangedByUnzip(name)) notInZip.add(from)
      return undefined
    },
  })
  const found: SourceSurvey = {
    ...counted,
    unreadable: unreadable.counted,
    notInZip: notInZip.counted,
    emptyFolders: emptyFolders.counted,
    misnamed,
  }
  return control.gate() ? { survey: found } : { stopped: true }
}

/** Node's way of making those above it too says of a disk that is only read that it is gone. */
const makeWorkFolder = () => {
  if (!existsSync(work)) mkdirSync(work)
}

const write = async ({ flush }: WatchedWrites): Promise<CoordinatorMessage> => {
  inTarget(work, makeWorkFolder)
  const known = readPlan(work)
  control.enter('counting')
  const plan = makePlan()
  if (!plan) return { stopped: true }
  say({ plan })
  const isSure = await prepare(plan, known)
  control.enter('packing')
  const firstFile = inTarget(target, makeFolders)
  const batches = makeBatches(work, spec, container, firstFile, threads)
  const { stopped, troubles } = await copyPayload(batches, isSure)
  const [first] = troubles
  if (stopped) return { failure: stopped, others: [] }
  if (first) return { failure: first, others: troubles.slice(1, mostTroubles) }
  if (control.isStopped()) return { stopped: true }
  control.enter('finishing')
  // What an earlier order had begun to identify is not what this one asks for.
  if (!isIdentified) rmSync(inWork(work).formats, { force: true })
  const formats = isIdentified ? await makeFormatTable(work, spec, control) : null
  if (formats === undefined) return { stopped: true }
  const { made, unmet } = finish(plan, firstFile, batches.end)
  if (unmet.length > 0) return { failure: { kind: 'profile', rules: unmet }, others: [] }
  inTarget(target, () => flush(target, inWork(work).digestLog))
  return { done: { plan, made: { ...made, formats } } }
}

const coordinate = async (): Promise<CoordinatorMessage> => {
  if (spec.what === 'survey') return survey()
  const writes = inTarget(target, () => watchWrites(path.dirname(target)))
  try {
    return await write(writes)
  } finally {
    writes.close()
  }
}

/** Whoever packs beside this one and hears what the disk lost removes its digest log (`watchWrites`). */
const isLogRemoved = (error: unknown) =>
  codeOf(error) === 'ENOENT' && pathOf(error) === inWork(work).digestLog && existsSync(work)

/** Sources and package say which they are; what else the system refuses is a file of the work beside it. */
const failureFrom = (error: unknown): Failure =>
  isLogRemoved(error)
    ? { kind: 'disk', trouble: 'other', path: target }
    : diskFailure(error, pathOf(error) || work).failure

try {
  say(await coordinate())
} catch (error) {
  if (!(error instanceof Failed) && systemCallOf(error) === '') throw error
  say({ failure: failureFrom(error), others: [] })
}
