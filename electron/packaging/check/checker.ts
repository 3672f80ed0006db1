import { lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { BagReport, Finding, FindingCode } from '../../contract/findings.ts'
import { readFetchLine } from '../bagit/manifest.ts'
import { escapeOf, foldedCase } from '../bagit/names.ts'
import { checkProfile, type Profile } from '../bagit/profile.ts'
import { linesOf, readDeclaration, readInfo, tagText, type Declaration } from '../bagit/tag-files.ts'
import { openControl, type Shared } from '../pack/control.ts'
import { bagFiles, indexer, type BagFiles, type BagPlace } from './bag-files.ts'
import { Broken } from './broken.ts'
import type { CheckHandData, CheckHandMessage } from './check-hand.ts'
import { entriesOf, formOf } from './entries.ts'
import { manifestOf, meant, partsOf, type Manifest } from './lines.ts'
import { compareNames, lineNumbers, rangesOf, toPlainLines } from './manifest-text.ts'
import { mostNames, TooManyNames, type Names } from './name-table.ts'

export interface CheckerData {
  shared: Shared
  path: string
  profile: Profile | null
  threads: number
  hand: string
}
export type CheckerMessage =
  { total: { files: number; bytes: number } } | { report: BagReport } | { stopped: true }

const { shared, path: bag, profile, threads, hand } = workerData as CheckerData
const control = openControl(shared)
const mostFindings = 10_000
const longestTag = 64 * 1024 * 1024
const once = ['payload-oxum', 'bagging-date', 'bag-size', 'bag-group-identifier', 'bag-count']

const report: BagReport = {
  ...{ path: bag, form: 'none', version: '', state: 'valid', errors: 0, warnings: 0, findings: [] },
  ...{ counts: { files: 0, folders: 0, bytes: 0 }, algorithms: [], info: [] },
}
const found = (
  level: Finding['level'],
  code: FindingCode,
  file: string,
  detail = '',
  line: number | null = null,
) => {
  report[level === 'error' ? 'errors' : 'warnings'] += 1
  if (report.findings.length < mostFindings) report.findings.push({ level, code, file, line, detail })
}

/** A name as GNU tar writes it of ".", without the beginning. */
const plain = (name: string) => name.replace(/^(\.\/)+/, '')

/** Walks everything that is there: counts the payload, gathers the names of tag files, and where things lie in a container. */
const lookAround = () => {
  const form = formOf(bag)
  if (form === 'none') return undefined
  const gathered = indexer()
  const tags: string[] = []
  const twins = new Map<string, string>()
  let top: string | undefined = form === 'folder' ? '' : undefined
  let hasPayload = false
  for (const entry of entriesOf(bag, form)) {
    if (!control.gate()) return undefined
    const name = plain(entry.name)
    if (name === '' || name === '.') continue
    if (form !== 'folder' && escapeOf(name) !== undefined) {
      found('error', 'escapes', path.basename(bag), entry.name)
      continue
    }
    if (entry.kind === 'other') found('error', 'link', name)
    top ??= name.includes('/') || entry.kind === 'folder' ? `${name.split('/')[0] ?? ''}/` : ''
    if (!`${name}/`.startsWith(top)) {
      found('error', 'entry-outside', path.basename(bag), name)
      continue
    }
    if (form !== 'folder' && entry.kind === 'file') gathered.add(name, entry)
    const inBag = name.slice(top.length)
    if (entry.kind === 'folder' && (inBag === 'data' || inBag.startsWith('data/'))) hasPayload = true
    if (entry.kind !== 'file') {
      if (inBag.startsWith('data/')) report.counts.folders += 1
      continue
    }
    if (inBag.startsWith('data/')) {
      hasPayload = true
      report.counts.files += 1
      report.counts.bytes += entry.bytes
    } else {
      tags.push(inBag)
      const key = foldedCase(inBag)
      if (twins.has(key)) found('warning', 'twins', inBag, twins.get(key))
      twins.set(key, inBag)
    }
  }
  const index = form === 'folder' ? undefined : gathered.index()
  if (index)
    for (let at = 1; at < index.hashes.length; at += 1)
      if (index.hashes[at] === index.hashes[at - 1])
        found('error', 'entry-twice', path.basename(bag), `${index.at[at] ?? 0}`)
  const place: BagPlace = { path: bag, form, top: top ?? '', index }
  return { place, tags, hasPayload }
}

const readWhole = async (files: BagFiles, name: string): Promise<Buffer | undefined> => {
  const file = files.open(name)
  if (file === undefined || typeof file === 'string' || file.bytes > longestTag) return undefined
  try {
    const parts: Buffer[] = []
    for await (const part of partsOf(file)) parts.push(Buffer.from(part))
    return Buffer.concat(parts)
  } finally {
    file.close()
  }
}

const declared = (bytes: Buffer): Declaration => {
  const it = readDeclaration(bytes)
  if (typeof it !== 'string') return it
  found('error', `declaration-${it}`, 'bagit.txt')
  return { version: '1.0', encoding: 'UTF-8' }
}

const readTags = async (files: BagFiles, { version, encoding }: Declaration, tags: string[]) => {
  const name = ['bag-info.txt', 'package-info.txt'].find((it) => tags.includes(it))
  const bytes = name === undefined ? undefined : await readWhole(files, name)
  if (name === undefined || bytes === undefined) return
  const text = tagText(bytes, encoding)
  if (text === undefined) {
    found('error', 'tag-encoding', name, encoding)
    return
  }
  const { tags: info, bad } = readInfo(text, version === '1.0')
  for (const line of bad) found('error', 'info-line', name, linesOf(text)[line - 1] ?? '', line)
  report.info = info
  for (const label of once)
    if (info.filter(([it]) => it.toLowerCase() === label).length > 1)
      found('warning', 'info-repeated', name, label)
  for (const [label, value] of info) {
    const { bytes: payload, files: count } = report.counts
    if (label.toLowerCase() === 'payload-oxum' && value !== `${payload}.${count}`)
      found('error', 'oxum', name, `${value} ≠ ${payload}.${count}`)
  }
}

const readFetch = async (
  files: BagFiles,
  { version, encoding }: Declaration,
  tags: string[],
): Promise<Set<string>> => {
  const promised = new Set<string>()
  if (!tags.includes('fetch.txt')) return promised
  const text = tagText((await readWhole(files, 'fetch.txt')) ?? Buffer.alloc(0), encoding)
  if (text === undefined) found('error', 'tag-encoding', 'fetch.txt', encoding)
  for (const [index, line] of linesOf(text ?? '').entries()) {
    if (line.trim() === '') continue
    const it = readFetchLine(line)
    const name = it ? meant(it.written, version === '1.0') : ''
    if (!it) found('error', 'bad-line', 'fetch.txt', line.slice(0, 300), index + 1)
    else if (escapeOf(name) !== undefined) found('error', 'escapes', 'fetch.txt', name, index + 1)
    else if (!name.startsWith('data/')) found('error', 'not-payload', 'fetch.txt', name, index + 1)
    else promised.add(name)
  }
  return promised
}

const runHands = (data: Omit<CheckHandData, 'shared'>, take: (message: CheckHandMessage) => void) =>
  Promise.all(
    Array.from(
      { length: Math.min(threads, Math.max(1, data.ranges.length - 1)) },
      () =>
        new Promise<void>((done, failed) => {
          const thread = new Worker(new URL(hand), {
            workerData: { ...data, shared } satisfies CheckHandData,
            execArgv: [],
            resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
          })
          thread.on('message', take)
          thread.once('error', (error: Error) => {
            control.stop()
            failed(error)
          })
          thread.once('exit', () => done())
        }),
    ),
  )

function* payloadOf({ path: file, form, top }: BagPlace): Generator<string> {
  for (const { name, kind } of entriesOf(file, form)) {
    const inBag = plain(name).slice(top.length)
    if (kind !== 'folder' && inBag.startsWith('data/')) yield inBag
  }
}

/** Whether two names of a folder are one file: some file systems take every form of an accent for the same. */
const areOneFile = (folder: string, name: string, other: string) => {
  const [one, two] = [name, other].map((it) => lstatSync(path.join(folder, it), { throwIfNoEntry: false }))
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev
}

/** Files of the payload that a manifest does not list. */
const findUnlisted = (place: BagPlace, file: string, isListed: (name: string) => boolean) => {
  let count = 0
  for (const name of payloadOf(place)) {
    if (isListed(name)) continue
    const forms = place.form === 'folder' ? [name.normalize('NFC'), name.normalize('NFD')] : []
    if (forms.some((it) => it !== name && isListed(it) && areOneFile(place.path, name, it))) continue
    found('error', 'unlisted', file, name)
    count += 1
  }
  return count
}

/** A manifest whose numbers do not agree with what is there, or of which something was found. */
interface Doubt {
  manifest: string
  listed: Names
  /** Files that are listed and there. */
  present: number
  hasErrors: boolean
}
const inDoubt: Doubt[] = []

/** What the lines say of each other; where they are too many, that is told. */
const namesOf = (lines: string, manifest: Manifest) => {
  try {
    return compareNames(lines, manifest)
  } catch (error) {
    if (!(error instanceof TooManyNames)) throw error
    found('error', 'too-many-names', manifest.name, `${mostNames}`)
    return undefined
  }
}

const checkManifest = async (
  around: { place: BagPlace; tags: string[] },
  manifest: Manifest,
  { encoding }: Declaration,
  promised: Set<string>,
  lines: string,
) => {
  const files = bagFiles(around.place)
  try {
    const file = files.open(manifest.name)
    if (file === undefined || typeof file === 'string') return
    const plain = await toPlainLines(file, lines, encoding)
    file.close()
    if (!plain) {
      found('error', 'tag-encoding', manifest.name, encoding)
      return
    }
    for (const oddity of plain.oddities) found('warning', 'unusual-line', manifest.name, oddity)
  } finally {
    files.close()
  }
  control.rewind()
  const placed: CheckHandMessage['findings'] = []
  let missing = 0
  const working = runHands(
    { place: around.place, manifest, lines, ranges: rangesOf(lines), promised },
    ({ findings }) => {
      for (const it of findings) {
        if (it.located !== undefined && compared && compared.listed.size() < mostNames)
          compared.listed.put(it.located)
        if (it.code === 'missing' || it.code === 'to-fetch' || it.code === 'link' || it.code === 'unreadable')
          missing += 1
        if (placed.length < mostFindings) placed.push(it)
        else report[it.level === 'error' ? 'errors' : 'warnings'] += 1
      }
    },
  )
  const compared = namesOf(lines, manifest)
  if (!compared) {
    await working
    return
  }
  const { listed, listedTwice } = compared
  const names = listed.size()
  for (const { name, at, isSame } of listedTwice)
    placed.push({
      level: isSame ? 'error' : 'warning',
      code: isSame ? 'listed-twice' : 'twins',
      file: manifest.name,
      detail: name,
      at,
    })
  await working
  if (!control.gate()) return
  const numbers = lineNumbers(
    lines,
    placed.map(({ at }) => at),
  )
  for (const { level, code, file, detail, at } of placed.sort((a, b) => a.at - b.at))
    found(level, code, file, detail, numbers.get(at) ?? null)
  if (manifest.of === 'payload') {
    for (const name of promised) if (!listed.has(name)) found('error', 'fetch-unlisted', 'fetch.txt', name)
    const present = names - missing
    if (present !== report.counts.files || placed.length > 0)
      inDoubt.push({
        manifest: manifest.name,
        listed,
        present,
        hasErrors: placed.some(({ level }) => level === 'error'),
      })
    return
  }
  for (const name of around.tags) {
    if (name.startsWith('tagmanifest-') || listed.has(name)) continue
    const isManifest = manifestOf(name, '1.0')?.of === 'payload'
    found(
      isManifest ? 'error' : 'warning',
      isManifest ? 'manifest-unlisted' : 'tag-unlisted',
      manifest.name,
      name,
    )
  }
}

/** Since 1.0 every manifest lists the whole payload; before, each file had to stand in one of them (RFC 8493 2.1.3 and 6.1). */
const settleDoubts = (place: BagPlace, version: string, manifests: number) => {
  if (version === '1.0')
    for (const { manifest, listed, present, hasErrors } of inDoubt) {
      const unlisted = findUnlisted(place, manifest, listed.has)
      if (unlisted === 0 && !hasErrors && present !== report.counts.files)
        found('error', 'counts', manifest, `${present} ≠ ${report.counts.files}`)
    }
  else if (inDoubt.length === manifests)
    findUnlisted(place, inDoubt[0]?.manifest ?? '', (name) => inDoubt.some(({ listed }) => listed.has(name)))
}

const check = async (scratch: string): Promise<CheckerMessage> => {
  let around: ReturnType<typeof lookAround>
  try {
    around = lookAround()
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    found('error', 'entry-broken', path.basename(bag), error.message)
    return { report: { ...report, form: formOf(bag), state: 'not-a-bag' } }
  }
  if (!control.gate()) return { stopped: true }
  if (!around?.tags.includes('bagit.txt')) {
    // What was found of a thing that is no bag says nothing about bags.
    const finding: Finding = {
      level: 'error',
      code: 'not-a-bag',
      file: path.basename(bag),
      line: null,
      detail: '',
    }
    return {
      report: {
        ...report,
        form: around?.place.form ?? 'none',
        state: 'not-a-bag',
        errors: 1,
        warnings: 0,
        findings: [finding],
      },
    }
  }
  report.form = around.place.form
  const files = bagFiles(around.place)
  const declaration = declared((await readWhole(files, 'bagit.txt')) ?? Buffer.alloc(0))
  report.version = declaration.version
  if (!around.hasPayload) found('error', 'no-payload-folder', 'data')
  await readTags(files, declaration, around.tags)
  const promised = await readFetch(files, declaration, around.tags)
  files.close()
  const all = around.tags.filter((name) => /^(tag)?manifest-[^/]*\.txt$/i.test(name))
  const known = all.map((name) => manifestOf(name, declaration.version)).filter((it) => it !== undefined)
  for (const name of all)
    if (manifestOf(name, declaration.version) === undefined) found('warning', 'unknown-algorithm', name)
  const payload = known.filter((it) => it.of === 'payload')
  if (payload.length === 0) found('error', 'no-manifest', 'manifest-*.txt')
  for (const [index, { name, of, algorithm }] of known.entries())
    if (known.findIndex((it) => it.of === of && it.algorithm === algorithm) !== index)
      found('error', 'listed-twice', name)
  if (!payload.some(({ algorithm }) => algorithm !== 'md5' && algorithm !== 'sha1') && payload.length > 0)
    found('warning', 'weak-algorithm', payload[0]?.name ?? '', payload[0]?.algorithm)
  report.algorithms = payload.map(({ algorithm }) => algorithm)
  parentPort?.postMessage({
    total: { files: report.counts.files * payload.length, bytes: report.counts.bytes * payload.length },
  } satisfies CheckerMessage)
  control.enter('packing')
  for (const manifest of known)
    await checkManifest(around, manifest, declaration, promised, path.join(scratch, 'lines'))
  settleDoubts(around.place, declaration.version, payload.length)
  if (!control.gate()) return { stopped: true }
  if (profile) {
    const facts = {
      info: report.info,
      version: declaration.version,
      form: around.place.form,
      tags: around.tags,
      counts: report.counts,
      payload: () => payloadOf(around.place),
    }
    for (const { rule, file, detail } of checkProfile(profile, facts))
      found('error', 'profile', file, detail === '' ? rule : `${rule}: ${detail}`)
  }
  return { report: { ...report, state: report.errors > 0 ? 'invalid' : 'valid' } }
}

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-check-'))
try {
  parentPort?.postMessage(await check(scratch))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
