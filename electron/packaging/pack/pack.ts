import { open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { Failed, type Failure } from '../../contract/failure.ts'
import type { Counts } from '../../contract/counts.ts'
import type { Survey } from '../../contract/transfers.ts'
import type { WritableAlgorithm } from '../bagit/algorithms.ts'
import type { Profile } from '../bagit/profile.ts'
import type { Tag } from '../bagit/tag-files.ts'
import { makeFolders, onDisk } from '../disk.ts'
import { reins, share, type Reins, type WorkProgress } from './control.ts'
import { endingOf } from './forms.ts'
import type { ForemanData, ForemanMessage, Made } from './foreman.ts'
import type { Form, Order, Plan } from './plan.ts'
import { rootsOf } from './walk.ts'

/** The scripts of the threads: the sources where Node runs them, else what was built of them. */
export interface Scripts {
  foreman: URL
  hand: URL
}

export interface How {
  scripts: Scripts
  /** Stops the work; what is done stays, so that the same order goes on from there. `discard` removes it. */
  signal: AbortSignal
  /** Everything was walked and counted; packing begins. */
  onPlan?: (survey: Survey) => void
  onProgress?: (progress: WorkProgress) => void
  /** Gives the reins of the work as soon as it is under way: pause, go on, be polite. */
  onReins?: (reins: Reins) => void
  threads?: number
  /** Whether to say what the files are, in a table inside the bag. */
  isIdentified?: boolean
  /** What the bag has to meet when it is done. */
  profile?: Profile
}

const betweenReportsMs = 100
/** More threads than that only make each other wait, and put more at risk of a crash. */
const mostThreads = 8

/** Names beside the one that a bag will have: what is being made, and what is known of it. */
const beside = (target: string) => ({ partial: `${target}.partial`, work: `${target}.work` })

const run = async (
  order: Order,
  info: Tag[],
  target: string,
  { scripts, signal, onPlan, onProgress, onReins, threads, isIdentified = false, profile }: How,
): Promise<Plan & Made> => {
  const { partial, work } = beside(target)
  const shared = share()
  const held = reins(shared)
  const report = () => onProgress?.(held.progress())
  const data: ForemanData = {
    shared,
    order,
    info,
    target: partial,
    work,
    threads: threads ?? Math.min(availableParallelism(), mostThreads),
    hand: scripts.hand.href,
    isIdentified,
    profile: profile ?? null,
  }
  const looking = setInterval(report, betweenReportsMs)
  onReins?.(held)
  try {
    const done = await lead(scripts.foreman, data, signal, (message) => {
      if ('plan' in message) onPlan?.(message.plan)
      return 'done' in message ? message.done : undefined
    })
    report()
    return { ...done.plan, ...done.made }
  } finally {
    clearInterval(looking)
  }
}

/** Runs the thread that leads, until it says what is waited for. */
const lead = <T>(
  script: URL,
  data: ForemanData,
  signal: AbortSignal,
  take: (message: ForemanMessage) => T | undefined,
): Promise<T> =>
  new Promise((done, failed) => {
    const held = reins(data.shared)
    const thread = new Worker(script, {
      workerData: data,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
    })
    signal.addEventListener('abort', held.stop, { once: true })
    let outcome: T | undefined
    let failure: Failure | undefined
    thread.on('message', (message: ForemanMessage) => {
      if ('failure' in message) failure = withOthers(message.failure, message.others)
      else outcome = take(message) ?? outcome
    })
    thread.once('error', failed)
    thread.once('exit', () => {
      signal.removeEventListener('abort', held.stop)
      if (outcome !== undefined) done(outcome)
      else if (failure) failed(new Failed(failure))
      else
        failed(
          signal.aborted
            ? new DOMException('The work was stopped.', 'AbortError')
            : new Error('The thread that packs ended without a word.'),
        )
    })
  })

const withOthers = (first: Failure, others: Failure[]): Failure => {
  if (first.kind !== 'source') return first
  const more = others
    .filter((it) => it.kind === 'source')
    .map(({ trouble, path: file }) => ({ trouble, path: file }))
  return more.length > 0 ? { ...first, others: more } : first
}

const isSame = (a: Counts, b: Counts) => a.files === b.files && a.folders === b.folders && a.bytes === b.bytes

/** Gives what was made its name, once its counts agree with the plan, and lets the disk know. */
const putInPlace = async (target: string, { counts, found }: Plan & Made) => {
  const { partial, work } = beside(target)
  if (!isSame(counts, found)) throw new Failed({ kind: 'counts', path: target, planned: counts, found })
  await onDisk(target, async () => {
    await rename(partial, target)
    const folder = await open(path.dirname(target), 'r')
    await folder.sync().catch(() => undefined)
    await folder.close()
    await rm(work, { recursive: true, force: true })
  })
}

/** Where a path really is, or will be: links of what is there already are resolved. */
const placeOf = async (file: string): Promise<string> => {
  const known = await realpath(file).catch(() => undefined)
  if (known !== undefined || path.dirname(file) === file) return known ?? file
  return path.join(await placeOf(path.dirname(file)), path.basename(file))
}

/** Refuses to put a bag into what it is made of: it would find itself there. */
const assertBeside = async (sources: string[], target: string) => {
  const place = await placeOf(path.resolve(target))
  for (const source of sources) {
    const from = await placeOf(path.resolve(source))
    if (place === from || place.startsWith(from.endsWith(path.sep) ? from : `${from}${path.sep}`))
      throw new Failed({ kind: 'source', trouble: 'holds-target', path: source })
  }
}

/** What was packed: its numbers, and what it is known by. */
export type Packed = Survey & Omit<Made, 'found'>

export interface Wanted {
  sources: string[]
  /** Where the bag goes, with its ending; nothing may be there. */
  target: string
  form: Form
  algorithms: WritableAlgorithm[]
  /** Labels and values of bag-info.txt; Payload-Oxum is added. */
  info: Tag[]
}

/**
 * Packs sources as a BagIt 1.0 bag (RFC 8493), in threads of its own and under a temporary name, until everything in it was read back
 * and its counts agree. An earlier work on the same unchanged sources that was stopped or killed is gone on with.
 * @returns what was packed and what was skipped
 * @throws Failed with the path at fault; DOMException AbortError when the signal said so. What is done stays for the next time.
 */
export const packBag = async (
  { sources, target, form, algorithms, info }: Wanted,
  how: How,
): Promise<Packed> => {
  how.signal.throwIfAborted()
  await assertBeside(sources, target)
  await onDisk(target, () => makeFolders(path.dirname(target)))
  const top = path.basename(target, endingOf(form))
  const made = await run({ what: 'bag', roots: rootsOf(sources), form, algorithms, top }, info, target, how)
  await putInPlace(target, made)
  const { counts, allocated, skipped, warned, manifest, content, formats } = made
  return { counts, allocated, skipped, warned, manifest, content, formats }
}

/** Counts what sources hold, in a thread of its own; nothing is opened or written. @throws as `packBag` */
export const surveySources = (
  sources: string[],
  { scripts, signal }: Pick<How, 'scripts' | 'signal'>,
): Promise<Survey> => {
  const order: Order = {
    what: 'survey',
    roots: rootsOf(sources),
    form: 'folder',
    algorithms: ['sha256'],
    top: '',
  }
  const data: ForemanData = {
    shared: share(),
    order,
    info: [],
    target: '',
    work: '',
    threads: 1,
    hand: '',
    isIdentified: false,
    profile: null,
  }
  return lead(scripts.foreman, data, signal, (message) => ('survey' in message ? message.survey : undefined))
}

/**
 * Copies a file or folder as it is, each file read back and compared.
 * @param target a name where nothing may be yet
 * @throws as `packBag`
 */
export const copyWhole = async (source: string, target: string, how: How): Promise<Counts> => {
  how.signal.throwIfAborted()
  await onDisk(target, () => makeFolders(path.dirname(target)))
  const made = await run(
    { what: 'copy', roots: [{ path: source, name: '' }], form: 'folder', algorithms: ['sha256'], top: '' },
    [],
    target,
    how,
  )
  await putInPlace(target, made)
  return made.counts
}

/** What is being removed has this in its name; whoever finds it at a start may remove it. */
const removedMark = '.discarded-'

/** Takes files out of the way at once; a million of them may take minutes to be gone. @returns when they are */
export const putAway = async (...files: string[]): Promise<{ gone: Promise<void> }> => {
  const away = await Promise.all(
    files.map(async (file) => {
      const to = `${file}${removedMark}${Date.now()}`
      await rename(file, to).catch(() => undefined)
      return to
    }),
  )
  // Whatever cannot be removed now is found again by its name.
  const gone = Promise.all(away.map((file) => rm(file, { recursive: true, force: true }))).then(
    () => undefined,
    () => undefined,
  )
  return { gone }
}

/** Takes what an unfinished work left out of the way. @returns when it is gone from the disk */
export const discard = (target: string): Promise<{ gone: Promise<void> }> => {
  const { partial, work } = beside(target)
  return putAway(partial, work)
}

/** Removes what an earlier run put away and did not live to remove. */
export const sweep = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(
    names
      .filter((name) => name.includes(removedMark))
      .map((name) => rm(path.join(folder, name), { recursive: true, force: true })),
  )
}
