import { realpathSync } from 'node:fs'
import path from 'node:path'
import { parentPort } from 'node:worker_threads'
import type { Finding } from '../../../contract/findings.ts'
import type { CheckerData, CheckerMessage } from '../../check-thread.ts'
import type { FoundInRange } from '../../check-ranges.ts'
import { answerChecks, reportUnderWay } from '../../check-report.ts'
import { runCheckWorkers, threadsForNames } from '../../check-workers.ts'
import { isNonCryptographic } from '../../digests.ts'
import { ContainerError, reasonOf } from '../../entries/container-error.ts'
import { mostNames, TooManyNames } from '../../entries/name-table.ts'
import { packageFiles, type OpenFile, type PackageFiles } from '../../entries/package-files.ts'
import { readUnread } from '../../entries/read-unread.ts'
import { fileNames } from '../../entries/walk-package.ts'
import type { Found } from '../../findings.ts'
import { isOneRange, rangesOf } from '../../line-ranges.ts'
import { makeScratch } from '../../scratch.ts'
import { threadControl } from '../../pack/control.ts'
import { metsFormats } from './check.ts'
import { checkClaims, claimWriter, type ClaimsToCheck } from './claims.ts'
import { descriptiveLabels } from './descriptive-labels.ts'
import { describedFiles, type MetsDocument } from './described.ts'
import { testFolders } from './folder-rules.ts'
import { mostLabels } from './header-rules.ts'
import { isPointer } from './mets-context.ts'
import { contentsOf, type PackageContents } from './package-contents.ts'
import { isKnownVersion, rulesVersion, type MetsProfile } from './profiles.ts'
import { readMets, type MetsRead } from './read-mets.ts'
import { XmlTrouble } from './read-xml.ts'
import { rootMetsOf } from './root-mets.ts'
import { levelOf, type RuleId } from './rules.ts'

/** METS that are read; a package with more representations is not checked whole, and that is said. */
const mostDocuments = 10_000
/** Findings of one rule that are listed, so that a rule that every file breaks hides no other. */
const mostOfRule = 20

/** One check: what was asked of it, and what it found by now. Another knows nothing of it. */
const checkUnderWay = (data: CheckerData) => {
  const report = reportUnderWay(data.path, metsFormats.sip)
  const { facts, gathered, found } = report
  /** Whether something lies beside the root folder. */
  let hasOutside = false
  let profile: MetsProfile | undefined
  const timesBroken = new Map<RuleId, number>()
  const foundByWalk: Found = (level, code, ...about) => {
    hasOutside ||= code === 'entry-outside'
    found(level, code, ...about)
  }
  const breaks = (rule: RuleId, file: string, detail = '', line: number | null = null) => {
    const level = levelOf(rule, rulesVersion(profile?.version ?? ''))
    const times = (timesBroken.get(rule) ?? 0) + 1
    timesBroken.set(rule, times)
    if (times > mostOfRule) gathered.count({ level, code: 'e-ark-rule' }, 1)
    else found(level, 'e-ark-rule', file, detail === '' ? rule : `${rule}: ${detail}`, line)
  }
  /** Says what the package follows, and what that means for its check. */
  const recognise = (file: string, is: MetsProfile) => {
    profile = is
    facts.format = is.isSip
      ? metsFormats.sip
      : is.isEArk
        ? metsFormats.csip
        : is.isFgs
          ? metsFormats.fgs
          : metsFormats.mets
    facts.version = is.isEArk ? is.version : ''
    if (is.isFgs) found('warning', 'fgs-1', file, is.name)
    else if (!is.isEArk) found('warning', 'other-profile', file, is.name)
    else if (is.version !== '' && !isKnownVersion(is.version))
      found('warning', 'e-ark-version', file, is.version)
  }
  return {
    ...data,
    ...report,
    control: threadControl(data.shared),
    foundByWalk,
    breaks,
    recognise,
    /** What it follows; undefined while that is not known. */
    profile: () => profile,
    isEArk: () => profile?.isEArk === true,
    hasOutside: () => hasOutside,
  }
}
type EArkCheck = ReturnType<typeof checkUnderWay>

/** Reads the METS of a package one after the other, as they name each other. */
const readDocuments = async (
  check: EArkCheck,
  contents: PackageContents,
  files: PackageFiles,
  rootName: string,
  described: ReturnType<typeof describedFiles>,
) => {
  const { control, found, breaks } = check
  const { representations } = contents.folders
  const documents: MetsDocument[] = [{ name: rootName, folder: '', number: 0 }]
  const known = new Set([rootName])
  /** Those that a division points to. */
  const pointed = new Set<string>()
  /** Files that describe the package. */
  const descriptive = new Set<string>()
  let { isWhole } = contents
  const enter = (name: string) => {
    if (known.has(name)) return
    known.add(name)
    if (documents.length === mostDocuments) {
      found('error', 'too-many-names', rootName, `${mostDocuments}`)
      isWhole = false
    }
    if (documents.length >= mostDocuments) return
    documents.push({ name, folder: path.posix.dirname(name).replace(/^\.$/, ''), number: documents.length })
  }
  const readDocument = async (mets: MetsDocument): Promise<MetsRead | undefined> => {
    const file = openFile(check, files, mets.name)
    isWhole &&= file !== undefined
    if (!file) return undefined
    const [, representation] = /^representations\/([^/]+)$/.exec(mets.folder) ?? []
    const tell = (line: number | null) => (level: Finding['level'], code: Finding['code'], detail: string) =>
      found(level, code, mets.name, detail, line)
    try {
      return await readMets(file, {
        isRoot: mets.number === 0,
        name: representation,
        hasRepresentation: (name) => !contents.isWhole || representations.has(name),
        profile: mets.number === 0 ? undefined : check.profile(),
        breaks: (rule, detail, line) => breaks(rule, mets.name, detail, line),
        found: (code, detail, line) => tell(line)('error', code, detail),
        refer: (reference, line) => {
          const name = described.take(reference, mets, line, tell(line))
          if (mets.number === 0 && name?.startsWith('metadata/descriptive/')) descriptive.add(name)
          if (name === undefined || !reference.isMets) return
          if (isPointer(reference)) pointed.add(name)
          enter(name)
        },
        isOf: (is) => mets.number === 0 && check.recognise(rootName, is),
        gate: control.gate,
      })
    } catch (error) {
      isWhole = false
      if (error instanceof XmlTrouble) found('error', error.code, mets.name, error.message, error.line)
      else if (error instanceof TooManyNames) found('error', 'too-many-names', mets.name, `${mostNames}`)
      else if (error instanceof ContainerError) found('error', error.code, mets.name, error.message)
      else throw error
      return undefined
    } finally {
      file.close()
    }
  }
  const root = await readDocument({ name: rootName, folder: '', number: 0 })
  control.done(1, 0, contents.bytesOf(contents.find(rootName)))
  for (const [name, { hasMets }] of representations) {
    const mets = `representations/${name}/METS.xml`
    if (hasMets && root?.isWhole && !pointed.has(mets) && check.isEArk()) breaks('CSIP105', rootName, mets)
    if (hasMets) enter(mets)
  }
  for (let next = 1; next < documents.length && control.gate(); next += 1) {
    const document = documents[next]
    if (document) await readDocument(document)
  }
  return {
    root,
    documents: documents.map(({ name }) => name),
    descriptive: [...descriptive],
    isWhole: isWhole && root !== undefined,
  }
}

/** Opens a METS that the walk found; what cannot be opened is said, and read no further. */
const openFile = ({ found }: EArkCheck, files: PackageFiles, name: string): OpenFile | undefined => {
  try {
    const file = files.open(name)
    if (typeof file === 'object') return file
    found('error', 'vanished', name, name)
    return undefined
  } catch (error) {
    if (error instanceof ContainerError) found('error', error.code, name, error.message)
    else found('error', 'unreadable', name, reasonOf(error))
    return undefined
  }
}

/** Compares every file with what is claimed of it. */
const compareFiles = async (
  { shared, threads, workerScript, crcScript, path: given, control, gathered, found }: EArkCheck,
  contents: PackageContents,
  mets: string[],
  claims: string,
) => {
  const ranges = rangesOf(claims)
  const data: ClaimsToCheck = { shared, place: contents.place, mets, lines: claims, ranges }
  const take = ({ findings, more }: FoundInRange<Finding>) => {
    for (const finding of findings) gathered.add(finding)
    for (const counted of more) gathered.count(counted, counted.count)
  }
  const count = Math.min(threadsForNames(contents.size, threads), ranges.length - 1)
  // To begin a thread takes longer than one range, and one alone does no more than this one.
  if (isOneRange(ranges) || count < 2) return checkClaims(data, take, threads > 1 ? crcScript : undefined)
  await runCheckWorkers({
    script: new URL(workerScript),
    count,
    data,
    take,
    stop: control.stop,
    lost: () => found('error', 'memory', path.basename(given)),
  })
  return undefined
}

const sayUndescribed = (
  { control, found, isEArk }: EArkCheck,
  { place }: PackageContents,
  rootName: string,
  { isDescribed }: ReturnType<typeof describedFiles>,
) => {
  // Only E-ARK says that everything is described.
  const level = isEArk() ? 'error' : 'warning'
  const unread = (name: string) => found('error', 'unreadable', name, name)
  for (const name of fileNames(place, unread)) {
    if (!control.gate()) return
    if (name !== '' && name !== rootName && !isDescribed(name)) found(level, 'unlisted', rootName, name)
  }
}

/** The rules that ask for the package as a whole. */
const testWhole = (
  { path: given, breaks, hasOutside }: EArkCheck,
  contents: PackageContents,
  rootName: string,
  root: MetsRead,
) => {
  const { place } = contents
  if (rootName !== 'METS.xml') breaks('CSIPSTR4', rootName)
  if (hasOutside()) breaks('CSIPSTR1', path.basename(given))
  if (contents.isWhole) testFolders(contents, (rule, detail) => breaks(rule, path.basename(given), detail))
  const folder = place.form === 'folder' ? path.basename(place.path) : place.top.slice(0, -1)
  if (folder !== '' && folder.normalize() !== root.identifier.normalize())
    breaks('CSIPSTR2', rootName, `${folder} ≠ ${root.identifier}`)
}

const sayAlgorithms = ({ facts: report, found }: EArkCheck, algorithms: string[], rootName: string) => {
  report.algorithms = algorithms
  const isWeak = (algorithm: string) =>
    algorithm === 'md5' || algorithm === 'sha1' || isNonCryptographic(algorithm)
  if (algorithms.length > 0 && algorithms.every(isWeak))
    found('warning', 'weak-algorithm', rootName, algorithms[0])
}

/** The counts of the payload, or of everything where there is none of the folders that hold one. */
const payloadCounts = ({ isEArk }: EArkCheck, { payload, all }: PackageContents) => {
  const known = isEArk() ? payload.representations : payload.content
  return known.files + known.folders > 0 || isEArk() ? known : all
}

const checkWithMets = async (
  check: EArkCheck,
  contents: PackageContents,
  rootName: string,
): Promise<CheckerMessage> => {
  const { path: given, scratch, control, facts: report, found } = check
  await makeScratch(scratch)
  const claims = path.join(scratch, 'claims')
  const writer = claimWriter(claims)
  const files = packageFiles(contents.place)
  const described = describedFiles(contents, files, writer)
  parentPort?.postMessage({
    total: { files: contents.all.files, bytes: contents.all.bytes },
  } satisfies CheckerMessage)
  control.enter('packing')
  const { root, documents, descriptive, isWhole } = await readDocuments(
    check,
    contents,
    files,
    rootName,
    described,
  ).finally(() => {
    writer.close()
    files.close()
  })
  if (!control.gate()) return { stopped: true }
  report.info = root?.labels ?? []
  if (report.info.length >= mostLabels) found('warning', 'labels-left-out', rootName, `${mostLabels}`)
  report.counts = payloadCounts(check, contents)
  if (check.isEArk() && root) testWhole(check, contents, rootName, root)
  sayAlgorithms(check, described.algorithms(), rootName)
  await compareFiles(check, contents, documents, claims)
  // Of what a METS that could not be read describes nothing is known.
  if (isWhole && control.gate()) sayUndescribed(check, contents, rootName, described)
  await readUnread(contents.place, control.gate, (code, detail) =>
    found('error', code, path.basename(given), detail),
  )
  report.info.push(...(await descriptiveLabels(contents.place, descriptive, report.info, control.gate)))
  return control.gate() ? { report: check.finished() } : { stopped: true }
}

const checkContents = async (check: EArkCheck, contents: PackageContents): Promise<CheckerMessage> => {
  const { path: given, facts: report, finished, notAPackage } = check
  const { form } = contents.place
  const rootName = await rootMetsOf(contents)
  if (rootName !== undefined) {
    report.form = form
    return checkWithMets(check, contents, rootName)
  }
  const { rootFolders } = contents.folders
  // Nothing else has these two folders, so this is one whose METS is lost.
  const isLost = rootFolders.has('representations') && rootFolders.has('metadata')
  if (isLost) check.breaks('CSIPSTR4', path.basename(given))
  if (!isLost && !check.gathered.hasUnread()) return { report: notAPackage(form) }
  report.form = form
  return { report: finished() }
}

const checkEArk = async (data: CheckerData): Promise<CheckerMessage> => {
  const check = checkUnderWay(data)
  const { path: given, control, notAPackage } = check
  const file = realpathSync(given)
  try {
    const label = path.basename(given)
    const contents = contentsOf(file, { label, found: check.foundByWalk, gate: control.gate })
    if (!control.gate()) return { stopped: true }
    return contents ? await checkContents(check, contents) : { report: notAPackage('none') }
  } catch (error) {
    return { report: check.unreadable(error, file) }
  }
}

await answerChecks(checkEArk)
