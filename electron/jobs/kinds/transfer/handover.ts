import { copyFile, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import { codeOf, messageOf } from '../../../common/errors.ts'
import { Failed } from '../../../contract/failure.ts'
import { PackingSettings, TransferForm, type Sip } from '../../../contract/transfers.ts'
import { copyPackage, packageIn } from '../../../packaging/packages.ts'
import { asFileName, onDisk, readChosen } from '../../../packaging/disk.ts'
import { suffixOf } from '../../../packaging/pack/serializations.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk/desk-store.ts'
import { formerSip } from '../../../store/desk/former-names.ts'
import { enoughLookups } from '../../delays.ts'

const description = 'transfer.json'
/** A profile goes along in it. */
const mostDescriptionBytes = 64 * 1024 * 1024
/** The file that describes the package, whatever it is called; what it is called is said beside it. */
const descriptiveFile = 'descriptive.xml'
/** Whether it names a file of a folder, and no path to elsewhere. */
const isFileName = (name: string) => !/[/\\]|^\.{0,2}$/.test(name)
const Counts = v.object({ files: v.number(), folders: v.number(), bytes: v.number() })

/**
 * What a transfer says of itself on its way to another desk. Sources and the archive's own ids stay behind:
 * they mean nothing there. Its SIP has the name that every version reads.
 */
const Handover = v.object({
  version: v.literal(1),
  id: v.pipe(v.string(), v.uuid()),
  made: v.string(),
  form: TransferForm,
  packing: PackingSettings,
  profileText: v.nullable(v.string()),
  counts: Counts,
  prepared: v.nullable(v.string()),
  /**
   * What the file is called that describes the package; null where none goes with it. Earlier versions said
   * nothing of it.
   */
  descriptive: v.optional(v.nullable(v.pipe(v.string(), v.check(isFileName)))),
  [formerSip]: v.nullable(
    v.object({ counts: Counts, skipped: v.number(), manifest: v.string(), content: v.string() }),
  ),
})

/** A name that every system stores, out of what a person called it. */
const plainNameOf = ({ form, id }: KeptTransfer) =>
  (form.name || id)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} ._-]/gu, '_')
    .replace(/[ .]+$/, '')
    .slice(0, 80)

/** Whether something has this name, a link too. */
const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )

/** A folder for a transfer whose name nothing has yet: another may be called the same. */
const freeFolder = async (into: string, transfer: KeptTransfer): Promise<string> => {
  const name = plainNameOf(transfer)
  for (let number = 1; ; number += 1) {
    const folder = path.join(into, `${name}${number === 1 ? '' : ` ${number}`}.transfer`)
    if (!(await exists(folder))) return folder
  }
}

/** What tells one package from another. */
type PackedAs = Pick<Sip, 'form' | 'algorithm' | 'manifest' | 'content'>

interface How {
  scripts: PackagingScripts
  signal: AbortSignal
}

/**
 * Copies a transfer and its package into a folder, for another desk; the copy of the package is checked
 * there.
 * @param how `ready` is called once all of it lies there, before it has its name
 * @returns the folder that was made
 * @throws Failed with the path at fault; nothing is left under the final name then
 */
export const handOver = async (
  transfer: KeptTransfer,
  into: string,
  { scripts, signal, ready }: How & { ready: () => void },
): Promise<string> => {
  const { id, made, form, packing, profileText, counts, times, sip } = transfer
  // Another of the same name may be copied there just now.
  const folder = path.join(into, `${id}.transfer.partial`)
  await onDisk(folder, async () => {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
  })
  // What is packed holds it already.
  const descriptive = sip ? null : transfer.descriptive
  if (descriptive !== null)
    await onDisk(descriptive, () => copyFile(descriptive, path.join(folder, descriptiveFile)))
  if (sip) await copyPackage(sip.path, packageIn(folder, sip.form), { scripts, signal })
  const said: v.InferOutput<typeof Handover> = {
    version: 1,
    id,
    made,
    form,
    packing: sip ? { ...packing, form: sip.form, algorithm: sip.algorithm } : packing,
    profileText,
    counts,
    prepared: times.prepared,
    descriptive: descriptive === null ? null : asFileName(path.basename(descriptive)),
    [formerSip]: sip
      ? { counts: sip.counts, skipped: sip.skipped, manifest: sip.manifest, content: sip.content }
      : null,
  }
  return onDisk(folder, async () => {
    await writeFile(path.join(folder, description), JSON.stringify(said, null, 2), { flush: true })
    const final = await freeFolder(into, transfer)
    signal.throwIfAborted()
    ready()
    await rename(folder, final)
    return final
  })
}

/** Where the file lies that describes a draft which was taken over. */
const descriptiveFolder = (packagesFolder: string, id: string) =>
  path.join(packagesFolder, `${id}.descriptive`)

/** Removes files that describe transfers of which this desk knows nothing, also none that was removed. */
export const sweepDescriptive = async (
  packagesFolder: string,
  isKnown: (id: string) => boolean,
): Promise<void> => {
  for (const name of await readdir(packagesFolder).catch(() => [])) {
    const [, id] = /^([0-9a-f-]{36})\.descriptive$/.exec(name) ?? []
    if (id === undefined) continue
    if (!isKnown(id)) await rm(descriptiveFolder(packagesFolder, id), { recursive: true, force: true })
  }
}

/** Keeps the file that describes a draft: the medium that it came by is taken out. */
const takeDescriptive = async (from: string, to: string) => {
  const text = await onDisk(from, async () => {
    // What a link leads to was not handed over.
    if (!(await lstat(from)).isFile()) throw new Failed({ kind: 'disk', trouble: 'other', path: from })
    return readFile(from)
  })
  await onDisk(to, async () => {
    await mkdir(path.dirname(to), { recursive: true })
    await writeFile(to, text, { flush: true })
  })
}

/** What a transfer says of itself that was handed over into a folder. @throws Failed bad-handover, or disk */
const readHandover = async (folder: string): Promise<v.InferOutput<typeof Handover>> => {
  const file = path.join(folder, description)
  const bad = (detail: string, cause?: unknown) =>
    new Failed({ kind: 'bad-handover', path: folder, detail }, { cause })
  // A medium that fails says nothing of what lies on it.
  const text = await readChosen(file, bad, mostDescriptionBytes).catch((error: unknown) => {
    const isMissing = error instanceof Failed && codeOf(error.cause) === 'ENOENT'
    throw isMissing ? bad(messageOf(error.cause), error) : error
  })
  let json: unknown
  try {
    json = JSON.parse(text.toString('utf8'))
  } catch (error) {
    throw bad(messageOf(error), error)
  }
  const read = v.safeParse(Handover, json)
  if (!read.success) throw bad(v.summarize(read.issues))
  return read.output
}

/**
 * As a transfer is that was at another desk: that may have sent it after all, but not just now. The archive
 * is asked once before it is sent.
 */
const cameBack = { handedOver: null, wasRestored: true, doubt: enoughLookups }

/** Whether another desk may have gone on with a transfer since this one handed it over. */
const wentElsewhere = ({ handedOver, state }: KeptTransfer) =>
  handedOver !== null && (state === 'draft' || state === 'prepared')

/** Whether two descriptions are of one package, and not of what was packed anew. */
const isSamePackage = (one: PackedAs, other: PackedAs) =>
  one.form === other.form &&
  one.algorithm === other.algorithm &&
  one.manifest === other.manifest &&
  one.content === other.content

/** Where a package is kept that arrives; the former one stays until the transfer is kept with this one. */
const pathFor = (
  packagesFolder: string,
  { id, form }: { id: string; form: Sip['form'] },
  former: Sip | null,
) => {
  const named = (name: string) => path.join(packagesFolder, `${name}${suffixOf(form)}`)
  return former?.path === named(id) ? named(`${id}.returned`) : named(id)
}

/** What this desk keeps of a transfer that comes in, on its list or off it. @throws Failed as `takeOver` */
const knownHere = (
  id: string,
  archive: string,
  store: Pick<DeskStore, 'transfer' | 'removedTransfer' | 'archives'>,
): KeptTransfer | undefined => {
  const listed = store.transfer(id)
  const known = listed ?? store.removedTransfer(id)
  if (known && known.archive !== archive) {
    const name = store.archives().find((other) => other.id === known.archive)?.name ?? known.archive
    throw new Failed({ kind: 'other-archive', archive: known.archive, name })
  }
  if (listed?.handedOver === null) throw new Failed({ kind: 'conflict', detail: listed.state })
  return known
}

interface Arrival extends How {
  /** The archive for which it is to be this desk's. */
  archive: string
  /** Where packages lie at this desk. */
  packagesFolder: string
  store: Pick<DeskStore, 'transfer' | 'removedTransfer' | 'archives'>
  now: Date
}

/**
 * Reads a transfer that another desk handed over into a folder, and copies its package to this one.
 * What this desk handed over itself comes back as it is now; its own package where that is the same. Else the
 * former one may go once the transfer is kept.
 * @returns the transfer as this desk keeps it: prepared where it has a package, else a draft without contents
 * @throws Failed: conflict where this desk has it and did not hand it over, other-archive where it has it for
 * another archive, bad-handover where the folder holds none, bad-package where its package is not valid
 */
export const takeOver = async (
  folder: string,
  { archive, packagesFolder, store, now, ...how }: Arrival,
): Promise<KeptTransfer> => {
  const read = await readHandover(folder)
  const { id, made, form, packing, profileText, counts, prepared, descriptive = null } = read
  const handed = read[formerSip]
  const known = knownHere(id, archive, store)
  const left = known && wentElsewhere(known) ? known : undefined
  // What was put away comes back as it was: nothing that was not handed over is written over.
  if (known && !left) return { ...known, ...cameBack }
  const former = left?.sip ?? null
  const isSame = former !== null && handed !== null && isSamePackage(former, { ...packing, ...handed })
  const target = pathFor(packagesFolder, { id, form: packing.form }, former)
  if (handed && !isSame) await copyPackage(packageIn(folder, packing.form), target, how)
  const described = path.join(descriptiveFolder(packagesFolder, id), asFileName(descriptive ?? ''))
  if (descriptive !== null) await takeDescriptive(path.join(folder, descriptiveFile), described)
  const arrived = handed && {
    ...handed,
    path: target,
    form: packing.form,
    algorithm: packing.algorithm,
    formats: null,
  }
  const brought = {
    packing,
    profileText,
    state: handed ? ('prepared' as const) : ('draft' as const),
    sip: isSame ? former : arrived,
    descriptive: descriptive === null ? null : described,
    times: { prepared, sent: null, received: null, preserved: null },
    ...cameBack,
  }
  if (left)
    return {
      ...left,
      ...brought,
      form: { ...form, delivery: left.form.delivery },
      // Earlier versions left it where it was; a package holds it.
      ...((read.descriptive === undefined || isSame) && { descriptive: left.descriptive }),
      // What is packed lies at the other desk.
      ...(handed && !isSame && { sources: [], counts }),
    }
  return {
    ...brought,
    id,
    archive,
    made,
    changed: now.toISOString(),
    sources: [],
    counts,
    isPaused: false,
    // A delivery is known by another id in another archive, and the desk that made it may have named one that
    // is not there yet.
    form: { ...form, delivery: '' },
    remote: null,
    package: null,
    compared: null,
    failure: null,
    ingestFolder: null,
    before: [],
    isWaiting: false,
    attempts: 0,
    nextAt: null,
    sending: null,
  }
}
