import { rename } from 'node:fs/promises'
import path from 'node:path'
import type { ArchiveClient } from '../../../dialects/dialect.ts'
import { Failed } from '../../../contract/failure.ts'
import type { Counts } from '../../../contract/counts.ts'
import type { Sip } from '../../../contract/transfers.ts'
import { copyPackage } from '../../../packaging/packages.ts'
import { onDisk } from '../../../packaging/disk.ts'
import type { WorkProgress } from '../../../packaging/pack/control.ts'
import { suffixOf } from '../../../packaging/pack/serializations.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import { noLookups } from '../../delays.ts'
import { exists, isNetworkPath, lostMount, mountPointOf } from './ingest-folder.ts'
import type { Records } from './records.ts'
import { register, unconfirmed } from './registration.ts'

/** Whether a folder lies on another computer and nobody at this desk has chosen it. */
const isUnchosen = (folder: string, chosenFolders: readonly string[]) =>
  isNetworkPath(folder) && !chosenFolders.includes(folder)

interface How {
  archive: ArchiveClient
  /** The ingest folder of the archive's active policy, as this computer sees it. */
  ingestFolder: string | null
  /** Folders on other computers that somebody at this desk has chosen for this archive. */
  chosenFolders: readonly string[]
  /**
   * The mount point that the folder lay below when a package was brought there last; null where none was yet.
   */
  mountPointOf: (folder: string) => string | null
  change: Records['change']
  /** Whether the desk has read already that the archive took the package. */
  wasReceived: (transfer: KeptTransfer) => boolean
  scripts: PackagingScripts
  signal: AbortSignal
  now: () => Date
  onPlan: (survey: { counts: Counts }) => void
  onProgress: (progress: WorkProgress) => void
}

const isReceived = async ({ lookUp }: ArchiveClient, transfer: string | null) =>
  transfer !== null && (await lookUp('received', [transfer])).has(transfer)

/**
 * Where the package of a registered transfer lies in its ingest folder: as long as it is copied, and then for
 * the archive.
 */
const namesIn = (folder: string, remote: string | null, form: Sip['form']) => ({
  partial: path.join(folder, `.${remote}${suffixOf(form)}`),
  final: path.join(folder, `${remote}${suffixOf(form)}`),
})

/**
 * How far sending a registered transfer has come, as its ingest folder shows: a package that has its name
 * there was handed over, and one that lies there under its temporary name was not. A folder on another
 * computer that nobody has chosen is not looked into.
 * @returns null where the folder shows nothing: the archive may have taken the package
 */
export const stepOf = async (
  { remote, sip }: KeptTransfer,
  folder: string | null,
  chosenFolders: readonly string[],
): Promise<'copying' | 'renaming' | null> => {
  if (sip === null || folder === null || isUnchosen(folder, chosenFolders)) return null
  const { partial, final } = namesIn(folder, remote, sip.form)
  if (await exists(final)) return 'renaming'
  return (await exists(partial)) ? 'copying' : null
}

/**
 * The ingest folder, once it is sure that a package that is put there reaches the archive.
 * @throws Failed no-ingest-folder, not-mounted where a share has left an empty folder behind
 */
const openFolder = async (folder: string | null, how: Pick<How, 'mountPointOf'>) => {
  if (folder === null || !(await exists(folder))) throw new Failed({ kind: 'no-ingest-folder', path: folder })
  const mountPoint = await mountPointOf(folder)
  const lost = lostMount(how.mountPointOf(folder), mountPoint)
  if (lost !== null) throw new Failed({ kind: 'not-mounted', path: folder, mountPoint: lost })
  return { folder, mountPoint }
}

/**
 * Brings a prepared transfer to the archive: registers it, copies its package into the ingest folder under a
 * temporary name, and gives the package its name, which is the transfer's id. Each step is on disk before it
 * is taken, so a desk that was killed goes on where it stopped: it asks the archive whether the transfer is
 * registered, and never hands over a package twice.
 * @throws Failed; the transfer stays as far as it came. Unconfirmed where a later attempt may know more
 */
export const deliver = async (transfer: KeptTransfer, how: How): Promise<KeptTransfer> => {
  const { archive, change, now, signal, wasReceived } = how
  const { id, sip } = transfer
  if (sip === null) throw new Failed({ kind: 'not-ready', missing: ['packed'] })
  // It was to go over the interface, which the archive does not have any more.
  if (transfer.form.delivery === '') throw new Failed({ kind: 'not-ready', missing: ['delivery'] })
  // The archive may have moved its folder; a package that is there already is looked for where it was put.
  const wanted =
    transfer.sending === 'renaming'
      ? (transfer.ingestFolder ?? how.ingestFolder)
      : (how.ingestFolder ?? transfer.ingestFolder)
  if (wanted !== null && isUnchosen(wanted, how.chosenFolders))
    throw new Failed({ kind: 'network-folder', path: wanted })

  const registered = transfer.remote === null ? await register(transfer, how) : transfer
  const { folder, mountPoint } = await openFolder(wanted, how)
  const { partial, final } = namesIn(folder, registered.remote, sip.form)

  let copied = registered
  if (registered.sending !== 'renaming') {
    change(id, {
      state: 'sending',
      sending: 'copying',
      ingestFolder: folder,
      mountPoint,
      failure: null,
    })
    await copyPackage(sip.path, partial, how)
    signal.throwIfAborted()
    copied = change(id, { sending: 'renaming', doubt: noLookups })
  }
  if (await exists(partial)) await onDisk(final, () => rename(partial, final))
  // Under neither name: the archive has taken the package, as it will say, or somebody removed it.
  else if (!(await exists(final)) && !wasReceived(copied) && !(await isReceived(archive, copied.remote))) {
    const { doubt, failure } = unconfirmed(copied, 'package', now())
    change(id, { doubt })
    throw new Failed(failure)
  }
  return change(id, {
    state: 'sent',
    isWaiting: false,
    sending: null,
    failure: null,
    times: { ...copied.times, sent: now().toISOString() },
  })
}
