import { realpathSync } from 'node:fs'
import path from 'node:path'
import { parentPort } from 'node:worker_threads'
import { checkProfile, type Profile } from '../profile.ts'
import type { Declaration } from '../tag-files.ts'
import { ensureSpace } from '../../disk.ts'
import type { CheckerData, CheckerMessage } from '../../check-thread.ts'
import { runCheckWorkers, threadsForNames } from '../../check-workers.ts'
import { threadControl, type ThreadControl } from '../../pack/control.ts'
import { bagItFormat } from '../layout.ts'
import { packageFiles, type PackagePlace } from '../../entries/package-files.ts'
import { payloadComparer, type PayloadComparer } from './compare-payload.ts'
import { answerChecks, reportUnderWay } from '../../check-report.ts'
import { checkLines, type FoundInLines, type LinesToCheck, type PlacedFinding } from './check-lines.ts'
import { walkBag, payloadOf, type BagContents } from './contents.ts'
import { manifestOf, type Manifest } from './lines.ts'
import { isOneRange, rangesOf, type Lines } from '../../line-ranges.ts'
import { makeScratch } from '../../scratch.ts'
import { compareNames, lineNumbers, toPlainLines } from './manifest-text.ts'
import { mostNames, nameTable, TooManyNames, type NameTable } from '../../entries/name-table.ts'
import { readUnread } from '../../entries/read-unread.ts'
import {
  eachToFetch,
  oddityReporter,
  readBagDeclaration,
  readFetch,
  readInfo,
  readTagFile,
} from './tag-checks.ts'

interface BagCheckerData extends CheckerData {
  profile: Profile | null
}

/** Bytes of a manifest that are read; the names of some ten million files. */
const mostManifest = 4 * 1024 ** 3
/** What a manifest may grow by when it becomes UTF-8. */
const mostGrowth = 2

/** One check: what was asked of it, and what it found by now. Another knows nothing of it. */
interface BagCheck extends BagCheckerData, ReturnType<typeof reportUnderWay> {
  control: ThreadControl
}

/** How many names are kept of a container. */
const namesOfPlace = ({ index }: PackagePlace) => (index ? nameTable(index.names).size() : 0)

const runWorkers = (
  { workerScript, threads, control, found }: BagCheck,
  data: LinesToCheck,
  take: (found: FoundInLines) => void,
) =>
  runCheckWorkers({
    script: new URL(workerScript),
    count: Math.min(threadsForNames(namesOfPlace(data.place), threads), Math.max(1, data.ranges.length - 1)),
    data,
    take,
    stop: control.stop,
    lost: () => found('error', 'memory', data.manifest.name),
  })

/** What the lines say of each other; where they are too many, that is told. */
const namesOf = ({ found }: BagCheck, lines: Lines, manifest: Manifest, { place, secret }: BagContents) => {
  try {
    return compareNames(lines, manifest, place, secret)
  } catch (error) {
    if (!(error instanceof TooManyNames)) throw error
    found('error', 'too-many-names', manifest.name, `${mostNames}`)
    return undefined
  }
}

/** Brings a manifest to plain lines; undefined where it cannot be. */
const prepareLines = async (
  { found, scratch }: BagCheck,
  place: PackagePlace,
  { name }: Manifest,
  declaration: Declaration,
): Promise<Lines | undefined> => {
  const files = packageFiles(place)
  let ready: Lines | undefined
  try {
    await readTagFile(found, files, name, declaration.encoding, async (file) => {
      if (file.bytes > mostManifest) {
        found('error', 'too-large', name, `${mostManifest}`)
        return
      }
      const fileFor = async () => {
        await makeScratch(scratch)
        await ensureSpace(scratch, file.bytes * mostGrowth)
        return path.join(scratch, 'lines')
      }
      const { lines, oddities } = await toPlainLines(file, fileFor, declaration.encoding)
      for (const oddity of oddities) oddityReporter(found, name, declaration, true)(oddity)
      ready = lines
    })
  } finally {
    files.close()
  }
  return ready
}

/**
 * Checks every line of a manifest. Gives what it lists; undefined where it could not be read or the check was
 * stopped.
 */
const checkList = async (
  check: BagCheck,
  contents: BagContents,
  manifest: Manifest,
  promised: NameTable,
  lines: Lines,
) => {
  const { control, gathered, found, shared } = check
  control.rewind()
  const { place } = contents
  const placed: PlacedFinding[] = []
  const errorsBefore = gathered.errors()
  let absent = 0
  const take = ({ findings, more: uncounted, located, absent: away }: FoundInLines) => {
    placed.push(...findings)
    for (const counted of uncounted) gathered.count(counted, counted.count)
    for (const name of located) if (compared && compared.listed.size() < mostNames) compared.listed.put(name)
    absent += away
  }
  const data = { shared, place, manifest, lines, ranges: rangesOf(lines), promised }
  // To begin a thread takes longer than one range.
  const working = isOneRange(data.ranges) ? undefined : runWorkers(check, data, take)
  const compared = namesOf(check, lines, manifest, contents)
  if (!compared) {
    await working
    return undefined
  }
  const { listed, repeated, more } = compared
  const names = listed.size()
  for (const { name, position, isSame } of repeated)
    placed.push({
      level: isSame ? 'error' : 'warning',
      code: isSame ? 'listed-twice' : 'twins',
      file: manifest.name,
      detail: name,
      position,
    })
  await (working ?? checkLines(data, take, check.threads > 1 ? check.crcScript : undefined))
  if (!control.gate()) return undefined
  gathered.count({ level: 'error', code: 'listed-twice' }, more.same)
  gathered.count({ level: 'warning', code: 'twins' }, more.twins)
  const numbers = lineNumbers(
    lines,
    placed.map(({ position }) => position),
  )
  for (const { level, code, file, detail, position } of placed.sort((a, b) => a.position - b.position))
    found(level, code, file, detail, numbers.get(position) ?? null)
  return {
    listed,
    present: names - absent,
    isClean: placed.length === 0,
    hasErrors: gathered.errors() > errorsBefore,
  }
}

const checkManifest = async (
  check: BagCheck,
  contents: BagContents,
  payload: PayloadComparer,
  manifest: Manifest,
  declaration: Declaration,
  promised: NameTable,
) => {
  const { found } = check
  const { place, tags } = contents
  const lines = await prepareLines(check, place, manifest, declaration)
  if (lines === undefined) return
  const checked = await checkList(check, contents, manifest, promised, lines)
  if (!checked) return
  const { listed } = checked
  if (manifest.of === 'tags') {
    for (const name of tags()) {
      if (name.startsWith('tagmanifest-') || listed.has(name)) continue
      const isManifest = manifestOf(name, '1.0')?.of === 'payload'
      found(
        isManifest ? 'error' : 'warning',
        isManifest ? 'manifest-unlisted' : 'tag-unlisted',
        manifest.name,
        name,
      )
    }
    return
  }
  if (nameTable(promised).size() > 0) {
    const files = packageFiles(place)
    await eachToFetch(found, files, declaration, (name) => {
      if (!listed.has(name)) found('error', 'fetch-unlisted', 'fetch.txt', name)
    })
    files.close()
  }
  // Since 1.0 every manifest lists the whole payload (RFC 8493 2.1.3).
  const { present, isClean, hasErrors } = checked
  payload.compare(
    { manifest: manifest.name, names: listed, present, isClean, hasErrors },
    declaration.version === '1.0',
  )
}

/** A bag in one file lies in one folder, which should have the name of the file (RFC 8493 4). */
const sayBaseFolder = ({ path: given, found }: BagCheck, { form, top }: PackagePlace) => {
  if (form === 'folder') return
  const file = path.basename(given)
  if (top === '') found('error', 'no-base-folder', file)
  else if (`${file.replace(/\.(tar|zip)$/i, '')}/`.normalize() !== top.normalize())
    found('warning', 'base-folder-name', file, top.slice(0, -1))
}

const meetProfile = ({ facts: report, found }: BagCheck, wanted: Profile, { place, tags }: BagContents) => {
  const facts = {
    info: report.info,
    version: report.version,
    form: place.form,
    tags,
    counts: report.counts,
    payload: () => payloadOf(place),
  }
  for (const { rule, file, detail } of checkProfile(wanted, facts))
    found('error', 'profile', file, detail === '' ? rule : `${rule}: ${detail}`)
}

/** Walks a bag. @returns what is there; the last word on it where nothing more can be said */
const walk = (check: BagCheck, bag: string): BagContents | { over: CheckerMessage } => {
  const { path: given, control, facts: report, gathered, found, finished, notAPackage, unreadable } = check
  let contents: BagContents | undefined
  try {
    contents = walkBag(bag, { label: path.basename(given), found, gate: control.gate })
  } catch (error) {
    return { over: { report: unreadable(error, bag) } }
  }
  if (contents) report.counts = contents.counts
  if (!control.gate()) return { over: { stopped: true } }
  const isWhole = !gathered.hasUnread()
  if (contents && !isWhole) report.form = contents.place.form
  if (!contents?.known.special.has('bagit.txt'))
    return { over: { report: isWhole ? notAPackage(contents?.place.form ?? 'none') : finished() } }
  report.form = contents.place.form
  return contents
}

/**
 * Reads the declaration, bag-info.txt and fetch.txt.
 * @param isWhole whether all that lies in the bag was seen
 * @returns undefined where the declaration cannot be read: the others are read as it says
 */
const readTags = async (check: BagCheck, contents: BagContents, isWhole: boolean) => {
  const { profile, facts: report, found } = check
  const { place, known, hasPayload } = contents
  const files = packageFiles(place)
  try {
    const declaration = await readBagDeclaration(found, files)
    if (!declaration) return undefined
    report.version = declaration.version
    sayBaseFolder(check, place)
    if (!hasPayload && isWhole) found('error', 'no-payload-folder', 'data')
    const counted = isWhole ? report.counts : undefined
    report.info = await readInfo(found, files, declaration, known.special, counted, profile)
    return { declaration, promised: await readFetch(found, files, declaration, known.special) }
  } finally {
    files.close()
  }
}

/** The manifests that are there, those of the payload apart; says what they lack as a whole. */
const manifestsOf = (
  { facts: report, found }: BagCheck,
  { known }: BagContents,
  { version }: Declaration,
  isWhole: boolean,
) => {
  const all = [...known.manifests.values()].flatMap((name) => manifestOf(name, version) ?? [])
  const payload = all.filter((manifest) => manifest.of === 'payload')
  const [first] = payload
  if (!first && isWhole) found('error', 'no-manifest', 'manifest-*.txt')
  if (first && payload.every(({ algorithm }) => algorithm === 'md5' || algorithm === 'sha1'))
    found('warning', 'weak-algorithm', first.name, first.algorithm)
  report.algorithms = payload.map(({ algorithm }) => algorithm)
  return { all, payload }
}

const checkContents = async (check: BagCheck, contents: BagContents): Promise<CheckerMessage> => {
  const { path: given, profile, control, facts: report, gathered, found, finished } = check
  const isWhole = !gathered.hasUnread()
  const tags = await readTags(check, contents, isWhole)
  if (!tags) return { report: finished() }
  const { declaration, promised } = tags
  const { all, payload } = manifestsOf(check, contents, declaration, isWhole)
  parentPort?.postMessage({
    total: { files: report.counts.files * payload.length, bytes: report.counts.bytes * payload.length },
  } satisfies CheckerMessage)
  control.enter('packing')
  const comparer = payloadComparer(contents, found)
  for (const manifest of all) {
    await checkManifest(check, contents, comparer, manifest, declaration, promised)
    if (!control.gate()) return { stopped: true }
  }
  comparer.settle(payload.length)
  await readUnread(contents.place, control.gate, (code, detail) =>
    found('error', code, path.basename(given), detail),
  )
  if (!control.gate()) return { stopped: true }
  if (profile && !gathered.hasUnread()) meetProfile(check, profile, contents)
  return { report: finished() }
}

const checkBag = async (data: BagCheckerData): Promise<CheckerMessage> => {
  const control = threadControl(data.shared)
  const check: BagCheck = { ...data, ...reportUnderWay(data.path, bagItFormat.name), control }
  const bag = realpathSync(data.path)
  const contents = walk(check, bag)
  if ('over' in contents) return contents.over
  try {
    return await checkContents(check, contents)
  } catch (error) {
    // A tar or zip may be cut after it was walked through.
    return { report: check.unreadable(error, bag) }
  }
}

await answerChecks(checkBag)
