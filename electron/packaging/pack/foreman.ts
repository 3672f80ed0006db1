import { execFileSync } from 'node:child_process'
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
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { Failed, type Failure } from '../../contract/failure.ts'
import type { Counts } from '../../contract/counts.ts'
import type { FormatTable, Survey } from '../../contract/transfers.ts'
import { checkProfile, type Broken, type Profile } from '../bagit/profile.ts'
import type { Tag } from '../bagit/tag-files.ts'
import { csvLine } from '../csv.ts'
import { makeFormatTable } from '../formats/table.ts'
import { bootId, ensureRoom, fileTime, outlivesKill, spareBytes } from '../disk.ts'
import { makeBatches } from './batches.ts'
import { openControl, type Shared } from './control.ts'
import { inTarget, writeFully } from './copy.ts'
import { isChangedByUnzip } from '../bagit/names.ts'
import { containerOf } from './forms.ts'
import type { HandData, HandMessage } from './hand.ts'
import { openJournal, recordLength } from './journal.ts'
import { placedFiles, placedFolders } from './layout.ts'
import {
  filesOf,
  foldersOf,
  inWork,
  lineWriter,
  payloadName,
  readLines,
  readPlan,
  writePlan,
  type Order,
  type Plan,
} from './plan.ts'
import { recount } from './recount.ts'
import { contentOf, tagsInContainer, tagsInFolder, writeTags } from './tags.ts'
import { surveyor, walk } from './walk.ts'

/** What the thread that leads the work is given. */
export interface ForemanData {
  shared: Shared
  order: Order
  info: Tag[]
  /** The bag under its temporary name, and the folder of plan and journal. */
  target: string
  work: string
  threads: number
  /** The script of the threads that copy. */
  hand: string
  /** Whether to say what the files are, in a table inside the bag. */
  isIdentified: boolean
  /** What the bag has to meet when it is done. */
  profile: Profile | null
}

/** What a bag is known by, and what is in it. */
export interface Made {
  found: Counts
  /** Digest of the payload manifest, with the first algorithm. */
  manifest: string
  content: string
  formats: FormatTable | null
}

export type ForemanMessage =
  | { plan: Plan }
  | { failure: Failure; others: Failure[] }
  | { stopped: true }
  | { survey: Survey }
  | { done: { plan: Plan; made: Made } }

const { shared, order, info, target, work, threads, hand, isIdentified, profile } = workerData as ForemanData
const control = openControl(shared)
const container = containerOf(order.form)
const say = (message: ForemanMessage) => parentPort?.postMessage(message)
const topModifiedMs = 0
const betweenLooksMs = 500
const mostTroubles = 100

/** Programs unpack some names of a zip as others; the bag would then not be valid any more. */
const refuseName = (name: string) =>
  order.form === 'zip' && isChangedByUnzip(name) ? 'not-in-zip' : undefined

/** Walks the sources and writes down what it finds. Undefined when it was stopped. */
const makePlan = (): Plan | undefined => {
  const inside = inWork(work)
  const files = lineWriter(inside.files)
  const folders = lineWriter(inside.folders)
  const skipped = lineWriter(inside.skipped)
  const { survey, count } = surveyor()
  try {
    walk(order.roots, {
      gate: control.gate,
      warn: count.warn,
      refuse: refuseName,
      file: (root, below, bytes, modifiedMs, allocated) => {
        count.file(bytes, allocated)
        files.line(JSON.stringify([root, below, bytes, modifiedMs]))
      },
      folder: (root, below, modifiedMs) => {
        const name = order.roots[root]?.name ?? ''
        if (name === '' && below === '') return
        count.folder()
        folders.line(
          JSON.stringify([below === '' ? name : name === '' ? below : `${name}/${below}`, modifiedMs]),
        )
      },
      skip: (it) => {
        count.skip(it)
        skipped.line(JSON.stringify(it))
      },
    })
  } finally {
    for (const lines of [files, folders, skipped]) lines.close()
  }
  const found = JSON.stringify([order, files.digest(), folders.digest(), skipped.digest()])
  return control.gate()
    ? { ...survey, order, digest: createHash('sha256').update(found).digest('hex'), boot: bootId() }
    : undefined
}

/**
 * Clears what another work left, unless it was this very work; then its journal counts.
 * @returns whether what it says to be done is surely on the disk; if not, it is read back before it counts
 */
const prepare = async (plan: Plan, known: Plan | undefined): Promise<boolean> => {
  const { journal } = inWork(work)
  const isSame = known?.digest === plan.digest && existsSync(target) && existsSync(journal)
  if (!isSame) {
    inTarget(target, () => rmSync(target, { recursive: true, force: true }))
    rmSync(journal, { force: true })
    closeSync(openSync(journal, 'w'))
    await ensureRoom(path.dirname(target), plan.allocated + plan.counts.files * 1_024)
  }
  const handle = openSync(journal, 'r+')
  ftruncateSync(handle, plan.counts.files * recordLength(order.algorithms))
  closeSync(handle)
  writePlan(work, plan)
  return !isSame || outlivesKill(target, known.boot)
}

/** Makes the folders, or the container's entries of them. Gives where the first file begins in the container. */
const makeFolders = (): number => {
  if (!container) {
    if (order.what === 'bag') mkdirSync(path.join(target, 'data'), { recursive: true })
    else if (order.roots.some((root) => statSync(root.path).isDirectory()))
      mkdirSync(target, { recursive: true })
    for (const [name] of foldersOf(work))
      mkdirSync(path.join(target, ...name.split('/')), { recursive: true })
    return 0
  }
  let at = 0
  const handle = openSync(target, existsSync(target) ? 'r+' : 'w+')
  try {
    for (const { header } of placedFolders(work, order, container, topModifiedMs)) {
      writeFully(handle, header, at)
      at += header.length
    }
  } finally {
    closeSync(handle)
  }
  return at
}

const copy = async (
  batches: ReturnType<typeof makeBatches>,
  isSure: boolean,
): Promise<{ stopped?: Failure; troubles: Failure[] }> => {
  const troubles: Failure[] = []
  let stopped: Failure | undefined
  const { small, large } = batches
  const watching = setInterval(() => {
    const { bavail, bsize } = statfsSync(path.dirname(target))
    if (bavail * bsize > spareBytes) return
    stopped ??= { kind: 'disk', trouble: 'full', path: path.dirname(target) }
    control.stop()
  }, betweenLooksMs)
  const workerDataOf = {
    shared,
    work,
    order,
    batches: { small, large },
    target,
    threads,
    isSure,
  } satisfies HandData
  try {
    await Promise.all(
      Array.from(
        { length: threads },
        () =>
          new Promise<void>((done, failed) => {
            const thread = new Worker(new URL(hand), {
              workerData: workerDataOf,
              execArgv: [],
              resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
            })
            thread.on('message', (message: HandMessage) => {
              if ('stopped' in message) stopped ??= message.stopped
              else troubles.push(message.trouble)
              // So many say that the drive is gone rather than the files.
              if (troubles.length >= mostTroubles) control.stop()
            })
            thread.once('error', (error: Error) => {
              control.stop()
              failed(error)
            })
            thread.once('exit', () => done())
          }),
      ),
    )
  } finally {
    clearInterval(watching)
  }
  return stopped ? { stopped, troubles } : { troubles }
}

/** Brings what was written from memory to the disk, where the system can be asked for that. */
const flush = () => {
  if (process.platform === 'linux') execFileSync('sync', ['-f', target])
  else if (process.platform === 'darwin') execFileSync('sync')
}

const skippedTable = function* () {
  yield csvLine(['path', 'why', 'target'])
  for (const line of readLines(inWork(work).skipped)) {
    const {
      path: file,
      why,
      target: to,
    } = JSON.parse(line) as { path: string; why: string; target: string | null }
    yield csvLine([file, why, to ?? ''])
  }
}

/** Tag files beside those of the specification. */
const othersOf = (plan: Plan) => {
  const { formats } = inWork(work)
  return [
    ...(plan.skipped.count > 0 ? [{ name: 'metadata/not-packed.csv', text: skippedTable() }] : []),
    ...(existsSync(formats)
      ? [{ name: 'metadata/formats.csv', text: withNewlines(readLines(formats)) }]
      : []),
  ]
}

/** What the bag that is done breaks of its profile. */
const brokenOf = (plan: Plan): Broken[] => {
  if (!profile) return []
  const first: Broken[] = []
  const { files, bytes } = plan.counts
  const payload = function* () {
    for (const [root, below] of filesOf(work)) {
      const it = order.roots[root]
      if (it) yield payloadName(it, below)
    }
  }
  const tags = [
    'bagit.txt',
    'bag-info.txt',
    ...order.algorithms.flatMap((it) => [`manifest-${it}.txt`, `tagmanifest-${it}.txt`]),
    ...othersOf(plan).map(({ name }) => name),
  ]
  const said: Tag[] = [...info, ['Payload-Oxum', `${bytes}.${files}`]]
  const facts = {
    info: said,
    version: '1.0',
    form: order.form,
    tags: () => tags,
    counts: { files, bytes },
    payload,
  }
  for (const it of checkProfile(profile, facts)) {
    first.push(it)
    if (first.length === mostTroubles) break
  }
  return first
}

/** Writes what comes last. Gives the digests that the bag is known by. */
const finish = (plan: Plan, firstFile: number, end: number): Pick<Made, 'manifest' | 'content'> => {
  const journal = openJournal(inWork(work).journal, order.algorithms)
  const { files } = plan.counts
  const others = othersOf(plan)
  try {
    if (container) {
      const place = tagsInContainer(target, container, {
        top: order.top,
        modifiedMs: Date.now(),
        at: end,
        algorithms: order.algorithms,
      })
      const manifest = writeTags(place, work, plan, journal, info, others)
      const before = function* () {
        yield* placedFolders(work, order, container, topModifiedMs)
        yield* placedFiles(work, order, container, journal, files, firstFile)
      }
      place.end(before())
      return { manifest, content: contentOf(journal, plan) }
    }
    const manifest =
      order.what === 'bag'
        ? writeTags(tagsInFolder(target, order.algorithms), work, plan, journal, info, others)
        : ''
    for (const [name, modifiedMs] of [...foldersOf(work)].reverse())
      utimesSync(path.join(target, ...name.split('/')), Date.now() / 1000, fileTime(modifiedMs))
    return { manifest, content: contentOf(journal, plan) }
  } finally {
    journal.close()
  }
}

const withNewlines = function* (lines: Iterable<string>) {
  for (const line of lines) yield `${line}\n`
}

/** Counts what the sources hold, and writes nothing. */
const count = (): ForemanMessage => {
  const { survey, count: counter } = surveyor()
  walk(order.roots, {
    ...counter,
    gate: control.gate,
    file: (_root, _below, bytes, _modifiedMs, allocated) => counter.file(bytes, allocated),
  })
  return control.gate() ? { survey } : { stopped: true }
}

const lead = async (): Promise<ForemanMessage> => {
  if (order.what === 'survey') return count()
  inTarget(work, () => mkdirSync(work, { recursive: true }))
  const known = readPlan(work)
  control.enter('counting')
  const plan = makePlan()
  if (!plan) return { stopped: true }
  say({ plan })
  const isSure = await prepare(plan, known)
  control.enter('packing')
  const firstFile = inTarget(target, makeFolders)
  const batches = makeBatches(work, order, container, firstFile, threads)
  const { stopped, troubles } = await copy(batches, isSure)
  const [first] = troubles
  if (stopped) return { failure: stopped, others: [] }
  if (first) return { failure: first, others: troubles.slice(1, mostTroubles) }
  if (control.isStopped()) return { stopped: true }
  control.enter('finishing')
  const formats = isIdentified ? await makeFormatTable(work, order, control) : null
  if (formats === undefined) return { stopped: true }
  const digests = inTarget(target, () => finish(plan, firstFile, batches.end))
  const found = inTarget(target, () => recount(target, order))
  const broken = brokenOf(plan)
  if (broken.length > 0)
    return {
      failure: { kind: 'profile', rules: broken.map(({ rule, detail }) => ({ rule, detail })) },
      others: [],
    }
  inTarget(target, flush)
  return { done: { plan, made: { found, ...digests, formats } } }
}

try {
  say(await lead())
} catch (error) {
  if (!(error instanceof Failed)) throw error
  say({ failure: error.failure, others: [] })
}
