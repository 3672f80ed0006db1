import { readdir, realpath, rename, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { Failed, type Failure } from '../../contract/failure.ts'
import type { Counts } from '../../contract/counts.ts'
import type { SourceSurvey, Survey } from '../../contract/survey.ts'
import { syncFolder } from '../../replace-file.ts'
import type { WritableAlgorithm } from '../digests.ts'
import { makeFolders, onDisk } from '../disk.ts'
import type { DescriptiveFile, Label, PackageFormat, SchemaFile } from '../format.ts'
import type { PackingScripts } from '../scripts.ts'
import { controlOf, share, type Control, type WorkProgress } from './control.ts'
import type { CoordinatorData, CoordinatorMessage, Made } from './coordinator.ts'
import { suffixOf } from './serializations.ts'
import type { Serialization, PackSpec, Plan } from './plan.ts'
import { rootsOf, type Root } from './walk.ts'

export interface PackingOptions {
  scripts: PackingScripts
  /** Stops the work; what is done stays, so that the same work goes on from there. `discard` removes it. */
  signal: AbortSignal
  /** Everything was walked and counted; packing begins. */
  onPlan?: (survey: Survey) => void
  onProgress?: (progress: WorkProgress) => void
  /** Gives the control of the work as soon as it is under way: pause, go on, be polite. */
  onControl?: (control: Control) => void
  threads?: number
  /** Whether to say what the files are, in a table inside the package. */
  isIdentified?: boolean
}

const betweenReportsMs = 100
/** More threads than that only make each other wait, and put more at risk of a crash. */
const mostThreads = 8

/** Names beside the one that a package will have: what is being made, and what is known of it. */
const workNames = (target: string) => ({ partial: `${target}.partial`, work: `${target}.work` })

const run = async (
  spec: PackSpec,
  content: Pick<CoordinatorData, 'labels' | 'profile' | 'descriptive' | 'schemas'>,
  target: string,
  { scripts, signal, onPlan, onProgress, onControl, threads, isIdentified = false }: PackingOptions,
): Promise<Plan & Made> => {
  const { partial, work } = workNames(target)
  const shared = share()
  const control = controlOf(shared)
  const report = () => onProgress?.(control.progress())
  const data: CoordinatorData = {
    shared,
    spec,
    ...content,
    target: partial,
    work,
    threads: threads ?? Math.min(availableParallelism(), mostThreads),
    workerScript: scripts.worker.href,
    isIdentified,
  }
  const reporting = setInterval(report, betweenReportsMs)
  onControl?.(control)
  try {
    const done = await coordinate(scripts.coordinator, data, signal, (message) => {
      if ('plan' in message) onPlan?.(message.plan)
      return 'done' in message ? message.done : undefined
    })
    report()
    return { ...done.plan, ...done.made }
  } finally {
    clearInterval(reporting)
  }
}

/** Runs the thread that coordinates, until it says what is waited for. */
const coordinate = <T>(
  script: URL,
  data: CoordinatorData,
  signal: AbortSignal,
  take: (message: CoordinatorMessage) => T | undefined,
): Promise<T> =>
  new Promise((done, failed) => {
    const { stop } = controlOf(data.shared)
    const thread = new Worker(script, {
      workerData: data,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
    })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    let outcome: T | undefined
    let failure: Failure | undefined
    thread.on('message', (message: CoordinatorMessage) => {
      if ('failure' in message) failure = withOthers(message.failure, message.others)
      else outcome = take(message) ?? outcome
    })
    thread.once('error', failed)
    thread.once('exit', () => {
      signal.removeEventListener('abort', stop)
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
    .filter((failure) => failure.kind === 'source')
    .map(({ trouble, path: file }) => ({ trouble, path: file }))
  return more.length > 0 ? { ...first, others: more } : first
}

const isSame = (a: Counts, b: Counts) => a.files === b.files && a.folders === b.folders && a.bytes === b.bytes

/**
 * Gives what was made its name, once its counts agree with the plan, and lets the disk know. From then on it
 * is made, whatever the disk refuses of what is to be tidied up.
 */
const putInPlace = async (target: string, { counts, found }: Plan & Made) => {
  const { partial, work } = workNames(target)
  if (!isSame(counts, found)) throw new Failed({ kind: 'counts', path: target, planned: counts, found })
  await onDisk(target, () => rename(partial, target))
  await syncFolder(path.dirname(target))
  await (
    await moveAside(work)
  ).gone
}

/** Where a path really is, or will be: links of what is there already are resolved. */
const placeOf = async (file: string): Promise<string> => {
  const known = await realpath(file).catch(() => undefined)
  if (known !== undefined || path.dirname(file) === file) return known ?? file
  return path.join(await placeOf(path.dirname(file)), path.basename(file))
}

/** The sources that a package would be put into: it would find itself there. */
export const sourcesHolding = async (target: string, sources: string[]): Promise<string[]> => {
  const place = await placeOf(path.resolve(target))
  const holding: string[] = []
  for (const source of sources) {
    const from = await placeOf(path.resolve(source))
    if (place === from || place.startsWith(from.endsWith(path.sep) ? from : `${from}${path.sep}`))
      holding.push(source)
  }
  return holding
}

const assertOutside = async (sources: string[], target: string) => {
  const [source] = await sourcesHolding(target, sources)
  if (source !== undefined) throw new Failed({ kind: 'source', trouble: 'holds-target', path: source })
}

/** What was packed: its numbers, and what it is known by. */
export type Packed = Survey & Omit<Made, 'found'>

export interface PackRequest {
  format: Pick<PackageFormat, 'name' | 'payloadFolder'>
  sources: string[]
  /** Where they lie in the package; below the payload's folder where nothing is said. */
  roots?: Root[]
  target: string
  /** The name of its root folder; that of the target where nothing is said. */
  top?: string
  form: Serialization
  algorithms: WritableAlgorithm[]
  labels: Label[]
  /** The text of the profile that the package has to meet when it is done. */
  profile: string | null
  /** A file that describes the package, as a person gave it. */
  descriptive?: DescriptiveFile | null
  /** Schemas that a person gave. */
  schemas?: SchemaFile[]
}

/**
 * Packs sources as a format lays them out, which adds its own files in the thread that coordinates.
 * @returns what was packed and what was skipped
 * @throws as the `write` of a format
 */
export const packSources = async (
  { format, sources, roots, target, top, form, algorithms, ...request }: PackRequest,
  options: PackingOptions,
): Promise<Packed> => {
  const { labels, profile, descriptive = null, schemas = [] } = request
  options.signal.throwIfAborted()
  await assertOutside(sources, target)
  await onDisk(target, () => makeFolders(path.dirname(target)))
  const spec: PackSpec = {
    what: 'package',
    format: format.name,
    roots: roots ?? rootsOf(sources, format.payloadFolder),
    form,
    algorithms,
    top: top ?? path.basename(target, suffixOf(form)),
  }
  const made = await run(spec, { labels, profile, descriptive, schemas }, target, options)
  await putInPlace(target, made)
  const { counts, allocated, skipped, warned, extensions, empty, unnameable, manifest, content, formats } =
    made
  return { counts, allocated, skipped, warned, extensions, empty, unnameable, manifest, content, formats }
}

/** A spec that no format has a part in. */
const plainSpec = (what: 'copy' | 'survey', roots: Root[]): PackSpec => ({
  what,
  roots,
  form: 'folder',
  algorithms: ['sha256'],
  top: '',
})

/**
 * Counts what sources hold and what would stop packing them, in a thread of its own; no file is read or
 * written. @throws as `packSources`
 */
export const surveySources = (
  sources: string[],
  { payloadFolder }: Pick<PackageFormat, 'payloadFolder'>,
  { scripts, signal }: Pick<PackingOptions, 'scripts' | 'signal'>,
): Promise<SourceSurvey> => {
  const data: CoordinatorData = {
    shared: share(),
    spec: plainSpec('survey', rootsOf(sources, payloadFolder)),
    labels: [],
    profile: null,
    descriptive: null,
    schemas: [],
    target: '',
    work: '',
    threads: 1,
    workerScript: '',
    isIdentified: false,
  }
  return coordinate(scripts.coordinator, data, signal, (message) =>
    'survey' in message ? message.survey : undefined,
  )
}

const copyBy = async (spec: PackSpec, target: string, options: PackingOptions): Promise<Counts> => {
  options.signal.throwIfAborted()
  await onDisk(target, () => makeFolders(path.dirname(target)))
  const made = await run(spec, { labels: [], profile: null, descriptive: null, schemas: [] }, target, options)
  await putInPlace(target, made)
  return made.counts
}

/**
 * Copies a file or folder as it is, each file read back and compared. What was stopped or killed goes on.
 * @param target a name where nothing may be yet
 * @throws as `packSources`
 */
export const copyWhole = (source: string, target: string, options: PackingOptions): Promise<Counts> =>
  copyBy(plainSpec('copy', [{ path: source, name: '' }]), target, options)

/**
 * Copies a file into a new tar with one root folder, as `copyWhole` copies it as it is.
 * @param inside the name of the root folder, and that of the file below it
 * @throws as `packSources`
 */
export const copyIntoTar = (
  source: string,
  target: string,
  { top, name }: { top: string; name: string },
  options: PackingOptions,
): Promise<Counts> =>
  copyBy({ ...plainSpec('copy', [{ path: source, name }]), form: 'tar', top }, target, options)

/** What is being removed has this in its name; whoever finds it at a start may remove it. */
const removedMark = '.discarded-'

/** What is copied and not found valid yet has this in its name, with all that lies beside it. */
const unfinishedMark = '.unfinished'

/** The name that a package is copied under, until it is found valid; it ends as its form does. */
export const unfinishedName = (target: string): string => {
  const { dir, name, ext } = path.parse(target)
  const suffix = [suffixOf('tar'), suffixOf('zip')].includes(ext) ? ext : ''
  return path.join(dir, `${suffix === '' ? `${name}${ext}` : name}${unfinishedMark}${suffix}`)
}

/**
 * Takes files out of the way at once; a million of them may take minutes to be gone. @returns when they are
 */
export const moveAside = async (...files: string[]): Promise<{ gone: Promise<void> }> => {
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
  const { partial, work } = workNames(target)
  return moveAside(partial, work)
}

/** Whether it is a copy that nobody works at after a start, or what was known of one. */
const isUnfinished = (name: string) =>
  /^[0-9a-f-]{36}\.unfinished(\.tar|\.zip)?(\.partial|\.work)?$/.test(name)

/**
 * Takes what an earlier run did not live to copy out of the way, and removes it, with what that run put away
 * and did not live to remove. @returns when that is gone
 */
export const removeLeftovers = async (folder: string): Promise<{ gone: Promise<void> }> => {
  const names = await readdir(folder).catch(() => [])
  const pathsOf = (isLeft: (name: string) => boolean) =>
    names.filter(isLeft).map((name) => path.join(folder, name))
  const unfinished = await moveAside(...pathsOf(isUnfinished))
  const discarded = pathsOf((name) => name.includes(removedMark))
  const gone = Promise.all([
    unfinished.gone,
    ...discarded.map((file) => rm(file, { recursive: true, force: true })),
  ])
  return { gone: gone.then(() => undefined) }
}
