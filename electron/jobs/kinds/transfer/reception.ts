import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { ArchiveClient, SubmissionPart } from '../../../dialects/dialect.ts'
import { onDisk } from '../../../packaging/disk.ts'
import { formatNamed } from '../../../packaging/formats.ts'
import { copyWhole, type PackingOptions } from '../../../packaging/pack/pack.ts'
import { suffixOf } from '../../../packaging/pack/serializations.ts'
import type { KeptTransfer } from '../../../store/desk-store.ts'
import { exists, isNetworkPath } from './ingest-folder.ts'

/**
 * The folder of an archive in which it receives packages, where this computer sees it on a drive: a package
 * is laid there as a folder with its contents, and the archive is asked to receive it.
 */

/** What is less goes over the interface within seconds. */
const leastBytes = 256 * 1024 * 1024
const leastFiles = 200
/** As measured over the interface: bytes in a second, and what each file costs beside them. */
const interfaceBytesPerSecond = 33_000_000
const interfaceMsPerFile = 141
const probeBytes = 8 * 1024 * 1024

interface Seeking {
  archive: ArchiveClient
  submission: SubmissionPart
}

/** How fast a folder takes what is written, in bytes a second. */
const paceOf = async (folder: string): Promise<number> => {
  const file = path.join(folder, 'probe')
  const began = performance.now()
  const handle = await open(file, 'w')
  try {
    await handle.write(Buffer.alloc(probeBytes))
    await handle.sync()
  } finally {
    await handle.close()
    await rm(file, { force: true })
  }
  return (probeBytes / Math.max(1, performance.now() - began)) * 1000
}

const partialOf = (reception: string, { form }: KeptTransfer) =>
  path.join(reception, `${form.identifier}.partial`)

/** Whether something lies there; a drive that cannot be looked at shows nothing. */
const isThere = (folder: string): Promise<boolean> => exists(folder).catch(() => false)

/** Removes what lies there of a transfer that goes another way; a drive that is gone keeps it. */
export const takeBack = async (reception: string, transfer: KeptTransfer): Promise<void> => {
  for (const folder of [partialOf(reception, transfer), path.join(reception, transfer.id)])
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
}

/**
 * The reception of an archive for one transfer, where it can be reached and is faster than the interface;
 * else null. A folder of the same name that is another computer's own is told by the archive, which does not
 * see what is made there. Whatever goes wrong here, the interface is left.
 */
export const findReception = async (
  transfer: KeptTransfer,
  { archive, submission }: Seeking,
): Promise<string | null> => {
  const { id, form, sip } = transfer
  if (transfer.reception) {
    const isBegun = transfer.sending === 'submitting'
    // The archive was asked to receive it, and may be at it though its answer was lost.
    if (isBegun && (await isThere(path.join(transfer.reception, id)))) return transfer.reception
    if (!isBegun) await takeBack(transfer.reception, transfer)
  }
  if (sip === null || form.generationOf || form.agreementValues) return null
  // Under an identifier that a person typed a folder of somebody else may lie there.
  if (form.identifier !== id) return null
  const files = sip.form === 'folder' ? sip.counts.files : 1
  if (sip.counts.bytes < leastBytes && files < leastFiles) return null
  let reception: string | undefined
  try {
    reception = await submission.reception(archive)
    if (reception === undefined || !path.isAbsolute(reception) || isNetworkPath(reception)) return null
    if (!(await exists(reception))) return null
    const partial = partialOf(reception, transfer)
    await mkdir(partial, { recursive: true })
    const isSeen = await submission.isInReception(archive, path.basename(partial))
    const overInterfaceMs = (sip.counts.bytes / interfaceBytesPerSecond) * 1000 + files * interfaceMsPerFile
    const isFaster = isSeen && (sip.counts.bytes / (await paceOf(partial))) * 1000 < overInterfaceMs
    if (isFaster) return reception
  } catch {
    // A drive that cannot be used, or not be asked for, is no reason not to send.
  }
  if (reception !== undefined) await takeBack(reception, transfer)
  return null
}

/**
 * Lays the package of a transfer into the reception, under its identifier; one that was begun goes on. Files
 * are read back and compared.
 * @throws Failed disk
 */
export const layInReception = async (
  transfer: KeptTransfer,
  reception: string,
  options: PackingOptions,
): Promise<void> => {
  const { id, sip, form, packing } = transfer
  const laid = path.join(reception, form.identifier)
  const partial = partialOf(reception, transfer)
  if (sip === null) return
  const remove = (folder: string) => onDisk(folder, () => rm(folder, { recursive: true, force: true }))
  // What this attempt goes on with was laid by it; anything else was packed before.
  const isResumed = transfer.reception === reception
  if (!isResumed) for (const folder of [laid, partial]) await remove(folder)
  if (await exists(laid)) return remove(partial)
  await onDisk(partial, () => mkdir(partial, { recursive: true }))
  const contents = path.join(partial, 'content')
  if (sip.form === 'folder') {
    const payload = path.join(sip.path, formatNamed(packing.format).payloadFolder)
    if (!(await exists(contents))) await copyWhole(payload, contents, options)
  } else {
    const file = path.join(contents, `${id}${suffixOf(sip.form)}`)
    if (!(await exists(file))) await copyWhole(sip.path, file, options)
  }
  await onDisk(partial, () => mkdir(path.join(partial, 'metadata'), { recursive: true }))
  options.signal.throwIfAborted()
  await onDisk(laid, () => rename(partial, laid))
}
