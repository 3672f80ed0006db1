import { lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '../../../common/errors.ts'
import type { Counts } from '../../../contract/counts.ts'
import { Failed } from '../../../contract/failure.ts'
import type { Sip } from '../../../contract/transfers.ts'
import type { ArchiveClient, SubmissionPart } from '../../../dialects/dialect.ts'
import { onDisk } from '../../../packaging/disk.ts'
import { formatNamed } from '../../../packaging/formats.ts'
import { copyIntoTar, copyWhole, type PackingOptions } from '../../../packaging/pack/pack.ts'
import { suffixOf } from '../../../packaging/pack/serializations.ts'
import { digestOfTar, tarOfFile, type TarOfFile } from '../../../packaging/pack/tar-of-file.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { LaidPackage, LaidPackages } from '../../../store/desk/laid-packages.ts'
import { contentFolder } from './comparison.ts'
import { exists, isNetworkPath, lostMount, mountPointOf } from './ingest-folder.ts'

/**
 * The folder of an archive in which it receives packages, where this computer sees it on a drive: a package
 * is laid there, and the archive is asked to receive it.
 */

/** What is less goes over the interface within seconds. */
const leastBytes = 256 * 1024 * 1024
const leastFiles = 200
/** As measured over the interface: bytes in a second, and what each file costs beside them. */
const interfaceBytesPerSecond = 33_000_000
const interfaceMsPerFile = 141
const probeBytes = 8 * 1024 * 1024

/** A container as its description names it. */
export type ContainerFile = Parameters<SubmissionPart['describeContainer']>[0]['file']

interface Seeking {
  archive: ArchiveClient
  submission: SubmissionPart
  laid: LaidPackages
  /** How fast a folder takes what is written, in bytes a second; else it is measured. */
  writeSpeedOf?: ((folder: string) => Promise<number>) | undefined
}

/** Measures how fast a folder takes what is written, in bytes a second. */
const measureWriteSpeed = async (folder: string): Promise<number> => {
  const file = path.join(folder, 'probe')
  const began = performance.now()
  const handle = await open(file, 'w')
  try {
    // One write may take less than all on a drive that is almost full.
    await handle.writeFile(Buffer.alloc(probeBytes))
    await handle.sync()
  } finally {
    await handle.close()
    await rm(file, { force: true })
  }
  return (probeBytes / Math.max(1, performance.now() - began)) * 1000
}

/**
 * Where a transfer lies in a reception: what this desk still copies, as another may copy it too (and what
 * earlier versions did); a folder whose files the archive takes one by one; or a container with its
 * description, without which the archive does not see it.
 */
const placesIn = (reception: string, { id }: Pick<KeptTransfer, 'id'>, { desk }: LaidPackages) => ({
  partial: path.join(reception, `${id}.${desk}.partial`),
  former: path.join(reception, `${id}.partial`),
  folder: path.join(reception, id),
  container: path.join(reception, `${id}.tar`),
  description: path.join(reception, `${id}.xml`),
})
type Places = ReturnType<typeof placesIn>

/** Whether something lies there; a drive that cannot be looked at shows nothing. */
const isThere = (folder: string): Promise<boolean> => exists(folder).catch(() => false)

/** Removes what lies there, whatever it is; a link and not what it leads to. */
const remove = (place: string) => onDisk(place, () => rm(place, { recursive: true, force: true }))

/** Removes what lies of a transfer: whoever receives it finds all of a folder, or none. */
const removeAll = async ({ partial, former, description, container, folder }: Places): Promise<void> => {
  // What describes a container is of no use without it.
  for (const place of [description, container, partial, former]) await remove(place)
  await onDisk(folder, () => rename(folder, partial)).catch((error: unknown) => {
    if (!(error instanceof Failed && codeOf(error.cause) === 'ENOENT')) throw error
  })
  await remove(partial)
}

/** Makes the folder for what is still copied, where it is not there; a link may lead anywhere. */
const makePartial = async ({ partial }: Places): Promise<void> => {
  const isFolder = await lstat(partial).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isFolder) return
  await remove(partial)
  await onDisk(partial, () => mkdir(partial))
}

/**
 * Removes what lies of a transfer in a reception.
 * @returns whether nothing lies there now; of a drive that is away nobody knows
 */
const clear = async (
  { reception, mountPoint }: LaidPackage,
  id: string,
  laid: LaidPackages,
): Promise<boolean> => {
  try {
    const isAway = lostMount(mountPoint, await mountPointOf(reception)) !== null
    // The empty folder that a drive leaves behind may have taken some of it, too.
    await removeAll(placesIn(reception, { id }, laid))
    return !isAway
  } catch {
    return false
  }
}

/**
 * Removes what lies of a transfer in receptions and goes another way, or no way any more. What cannot be
 * removed now stays noted, so that it is tried again.
 * @param kept the reception by which it goes
 */
export const takeBack = async (
  laid: LaidPackages,
  { id }: Pick<KeptTransfer, 'id'>,
  kept: string | null = null,
): Promise<void> => {
  for (const one of laid.of(id))
    if (one.reception !== kept && (await clear(one, id, laid))) laid.forget(id, one.reception)
}

/** Whether the archive may still have to take what lies of a transfer in its reception. */
export const mayBeReceived = ({ state, sending, reception, wasRestored }: KeptTransfer): boolean =>
  // What became of one since a backup is not known; what was refused the archive may be asked for again.
  wasRestored === true || (!!reception && (sending === 'submitting' || state === 'refused'))

/** The reception in which something of a transfer lies that is of no use any more; null where none does. */
export const leftIn = (laid: LaidPackages, transfer: KeptTransfer): string | null => {
  // It is being chosen just now.
  if (transfer.state === 'sending') return null
  const kept = mayBeReceived(transfer) ? transfer.reception : null
  return laid.of(transfer.id).find(({ reception }) => reception !== kept)?.reception ?? null
}

/**
 * A reception into which a transfer is better laid than sent over the interface; null where there is none. A
 * folder of the same name that is another computer's own is told by the archive, which does not see what is
 * made there. Whatever goes wrong here, the interface is left.
 */
const choose = async (
  transfer: KeptTransfer,
  { archive, submission, laid, writeSpeedOf = measureWriteSpeed }: Seeking,
): Promise<string | null> => {
  const { id, form, sip } = transfer
  if (sip === null || form.generationOf || form.agreementValues) return null
  // Under an identifier that a person typed a folder of somebody else may lie there.
  if (form.identifier !== id) return null
  const files = sip.form === 'folder' ? sip.counts.files : 1
  if (sip.counts.bytes < leastBytes && files < leastFiles) return null
  try {
    const reception = await submission.reception(archive)
    if (reception === undefined || !path.isAbsolute(reception) || isNetworkPath(reception)) return null
    if (!(await exists(reception))) return null
    const mountPoint = await mountPointOf(reception)
    const former = laid.inReception(id, reception)
    // What lies on a drive that is away would be forgotten with the empty folder that it leaves behind.
    if (former && lostMount(former.mountPoint, mountPoint) !== null) return null
    laid.note(transfer, { reception, mountPoint })
    const places = placesIn(reception, transfer, laid)
    const { partial } = places
    await makePartial(places)
    const isSeen = await submission.isInReception(archive, path.basename(partial))
    const overInterfaceMs = (sip.counts.bytes / interfaceBytesPerSecond) * 1000 + files * interfaceMsPerFile
    const isFaster = isSeen && (sip.counts.bytes / (await writeSpeedOf(partial))) * 1000 < overInterfaceMs
    return isFaster ? reception : null
  } catch {
    // A drive that cannot be used, or not be asked for, is no reason not to send.
    return null
  }
}

/**
 * The reception of an archive for one transfer, where it can be reached and is faster than the interface;
 * else null. What lies of it elsewhere is removed.
 */
export const findReception = async (transfer: KeptTransfer, seeking: Seeking): Promise<string | null> => {
  const { laid } = seeking
  const former = transfer.sending === 'submitting' ? (transfer.reception ?? null) : null
  if (former !== null) {
    // The archive was asked to receive it, and may be at it though its answer was lost.
    const { description, folder } = placesIn(former, transfer, laid)
    if ((await isThere(description)) || (await isThere(folder))) return former
  } else await takeBack(laid, transfer)
  const chosen = await choose(transfer, seeking)
  await takeBack(laid, transfer, chosen)
  return chosen
}

/** Lays the files of a package that is a folder, as they are. */
const layFolder = async (
  payload: string,
  { partial, folder }: Places,
  { needDrive, ...options }: PlacingOptions,
): Promise<void> => {
  if (await exists(folder)) return
  const laid = path.join(partial, contentFolder)
  if (!(await exists(laid))) await copyWhole(payload, laid, options)
  await needDrive()
  // Who was killed may have left more beside it, which the archive would take.
  for (const name of await onDisk(partial, () => readdir(partial)))
    if (name !== contentFolder) await remove(path.join(partial, name))
  await onDisk(partial, () => mkdir(path.join(partial, 'metadata')))
  options.signal.throwIfAborted()
  await onDisk(folder, () => rename(partial, folder)).catch(async (error: unknown) => {
    // Another desk that has the transfer, too, was first: the archive may be at it.
    if (!(await exists(folder))) throw error
  })
}

/** Whether a file is as long as a tar, and begins as it does. */
const beginsAs = ({ head, bytes }: TarOfFile, file: string): Promise<boolean> =>
  onDisk(file, async () => {
    const handle = await open(file, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(head.length), 0, head.length, 0)
      return bytesRead === head.length && buffer.equals(head) && (await handle.stat()).size === bytes
    } finally {
      await handle.close()
    }
  })

/** Of the progress of laying a container the digest of its package is a third. */
const digestShare = 1 / 3

/**
 * Lays a package that is one file, in a tar that the archive unpacks: the file lies in it where it would lie
 * if it had been uploaded, and is kept as it is, whatever it holds. Its description comes last; the digest in
 * it is that of the package on this computer, so that the archive finds whatever else lies there.
 */
const layContainer = async (
  { id, sip }: { id: string; sip: Pick<Sip, 'path' | 'form'> },
  { partial, container, description }: Places,
  { describe, needDrive, onPlan, onProgress, ...options }: PlacingOptions,
): Promise<void> => {
  const inside = { top: id, name: `${contentFolder}/${id}${suffixOf(sip.form)}` }
  const whole = await tarOfFile(sip.path, inside)
  const isWhole = async (file: string) => (await exists(file)) && (await beginsAs(whole, file))
  if ((await exists(description)) && (await isWhole(container))) return
  // One without the other is not what was laid last.
  await remove(description)
  await remove(container)
  const [packed, text] = [path.join(partial, 'package.tar'), path.join(partial, 'description.xml')]
  const { contentBytes, bytes } = whole
  onPlan?.({ counts: { files: 1, folders: 0, bytes: contentBytes } })
  const tell = (done: number) =>
    onProgress?.({ phase: 'packing', files: 0, bytes: Math.round(done), file: inside.name })
  const sha256 = await digestOfTar(whole, {
    signal: options.signal,
    onBytes: (read) => tell(read * digestShare),
  })
  await needDrive()
  if (!(await isWhole(packed))) {
    await remove(packed)
    await copyIntoTar(sip.path, packed, inside, {
      ...options,
      onProgress: (copied) => tell((contentBytes + 2 * copied.bytes) * digestShare),
    })
  }
  await needDrive()
  // Another desk that has the transfer, too, was first: the archive may be at it.
  if (await exists(description)) return
  const described = describe({ name: path.basename(container), bytes, sha256 })
  await onDisk(description, async () => {
    await writeFile(text, described, { flush: true })
    options.signal.throwIfAborted()
    await rename(packed, container)
    await rename(text, description)
  })
}

/** Whether an attempt goes on with what it has begun to lay into a reception. */
const isResumedIn = (reception: string, transfer: KeptTransfer): boolean =>
  transfer.sending === 'submitting' && transfer.reception === reception

interface LayingOptions extends Omit<PackingOptions, 'onPlan'> {
  /** Called once what is to be laid is known. */
  onPlan?: (survey: { counts: Counts }) => void
  /** The text that describes a container. */
  describe: (file: ContainerFile) => string
  /** The mount point that the reception lay below when it was chosen; empty where that is not known. */
  mountPoint: string
  laid: LaidPackages
}

interface PlacingOptions extends Omit<LayingOptions, 'mountPoint' | 'laid'> {
  /** @throws Failed disk gone where the drive went away: the folder it leaves takes whatever is put there */
  needDrive: () => Promise<void>
}

/**
 * Removes what an attempt laid that failed. What has its name in the reception by then was laid by another
 * desk, unless this attempt went on with it.
 */
export const takeAttemptBack = async (
  laid: LaidPackages,
  transfer: KeptTransfer,
  reception: string,
): Promise<void> => {
  const { partial, folder, description } = placesIn(reception, transfer, laid)
  const isLaid = (await isThere(folder)) || (await isThere(description))
  if (!isLaid || isResumedIn(reception, transfer)) return takeBack(laid, transfer)
  await remove(partial)
  laid.forget(transfer.id, reception)
}

/**
 * Lays the package of a transfer into the reception, under its identifier; one that was begun goes on. Files
 * are read back and compared.
 * @throws Failed disk
 */
export const layInReception = async (
  transfer: KeptTransfer,
  reception: string,
  { mountPoint, laid, ...options }: LayingOptions,
): Promise<void> => {
  const { id, sip, packing } = transfer
  if (sip === null) return
  const needDrive = async () => {
    if (lostMount(mountPoint, await mountPointOf(reception)) !== null)
      throw new Failed({ kind: 'disk', trouble: 'gone', path: reception })
  }
  await needDrive()
  const places = placesIn(reception, transfer, laid)
  const { partial } = places
  // What this attempt goes on with was laid by it; anything else was packed before.
  if (!isResumedIn(reception, transfer)) await removeAll(places)
  await makePartial(places)
  if (sip.form === 'folder')
    await layFolder(path.join(sip.path, formatNamed(packing.format).payloadFolder), places, {
      ...options,
      needDrive,
    })
  else await layContainer({ id, sip }, places, { ...options, needDrive })
  await remove(partial)
}
