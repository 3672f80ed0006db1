import { rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { events, isReceipt } from '../archive-client/activity.ts'
import type { Reach } from '../archive-client/http.ts'
import { readList } from '../archive-client/listing.ts'
import { createTransfer, markOf, transfers } from '../archive-client/transfers.ts'
import { recordReader } from '../archive-client/whole-list.ts'
import { Failed } from '../contract/failure.ts'
import type { Counts } from '../contract/counts.ts'
import { copyBag } from '../packaging/copy-bag.ts'
import { diskFailure, onDisk } from '../packaging/disk.ts'
import type { WorkProgress } from '../packaging/pack/control.ts'
import { endingOf } from '../packaging/pack/forms.ts'
import type { PackagingScripts } from '../packaging/scripts.ts'
import type { KeptTransfer } from '../store/desk.ts'

/**
 * Whether Windows would ask another computer for this path (`\\server\share`, also with slashes or as a
 * device path). To ask is to tell that computer who is signed in at this one, so not even its existence is
 * looked up.
 */
const isNetworkPath = (folder: string) => /^[\\/]{2}/.test(folder)

/** Whether a folder lies on another computer and nobody at this desk has chosen it. */
const isUnchosen = (folder: string, chosenFolders: readonly string[]) =>
  isNetworkPath(folder) && !chosenFolders.includes(folder)

/**
 * Whether something has this name.
 * @throws Failed disk where that cannot be known: a share that fails says nothing of what lies on it
 */
const exists = (file: string) =>
  stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
      throw diskFailure(error, file)
    },
  )

interface How {
  archive: Reach
  /** The ingest folder of the archive's active policy, as this computer sees it. */
  ingestFolder: string | null
  /** Folders on other computers that somebody at this desk has chosen for this archive. */
  chosenFolders: readonly string[]
  keep: (it: KeptTransfer) => KeptTransfer
  /** Whether the desk has read already that the archive took the bag. */
  wasReceived: (it: KeptTransfer) => boolean
  scripts: PackagingScripts
  signal: AbortSignal
  now: () => Date
  onPlan: (survey: { counts: Counts }) => void
  onProgress: (progress: WorkProgress) => void
}

/** Reads the archive's own records of transfers, in which drafts that were perhaps registered already are found by our mark. */
export const readRegistered = async (archive: Reach) => {
  const { rows, unreadable } = await readList(archive, transfers, true)
  return {
    find: (draft: string): string | undefined => {
      // A record that cannot be read may be ours: then nobody can say that there is none.
      const hidden = unreadable.find(({ raw }) => JSON.stringify(raw ?? null).includes(markOf(draft)))
      if (hidden)
        throw new Failed({
          kind: 'server-broke',
          address: hidden.path,
          status: 200,
          detail: 'unexpected',
          excerpt: JSON.stringify(hidden.raw).slice(0, 600),
        })
      return rows.find(({ model }) => model.description.includes(markOf(draft)))?.model.id
    },
  }
}

/** Whether the archive has an event of the bag of a transfer: that it was received (30000) or preserved (30300). */
const saysReceived = async (archive: Reach, transfer: string | null) => {
  let isFound = false
  const look = (record: unknown) => {
    const [row] = events.read(record, 0).rows
    if (row?.model.transfer === transfer && isReceipt(row.model)) isFound = true
  }
  await archive.elements(events.path, recordReader(look))
  return isFound
}

/**
 * How far sending a registered transfer has come, as its ingest folder shows: a bag that has its name there was
 * handed over. A folder on another computer that nobody has chosen is not looked into.
 */
export const stepOf = async (
  { remote, bag, sending }: KeptTransfer,
  folder: string | null,
  chosenFolders: readonly string[],
) =>
  bag &&
  folder !== null &&
  !isUnchosen(folder, chosenFolders) &&
  (await exists(path.join(folder, `${remote}${endingOf(bag.form)}`)))
    ? ('renaming' as const)
    : sending === 'renaming'
      ? ('copying' as const)
      : sending

/**
 * Brings a prepared transfer to the archive: registers it, copies its bag into the ingest folder under a
 * temporary name, and gives the bag its name, which is the transfer's id. Each step is on disk before it is
 * taken, so a courier that was killed goes on where it stopped: it asks the archive whether the transfer is
 * registered, and never hands over a bag twice.
 * @throws Failed; the transfer stays as far as it came
 */
export const deliver = async (transfer: KeptTransfer, how: How): Promise<KeptTransfer> => {
  const { archive, keep, now, signal, wasReceived } = how
  if (transfer.bag === null) throw new Failed({ kind: 'not-ready', missing: ['packed'] })
  let it = transfer
  const folder = it.ingestFolder ?? how.ingestFolder
  if (folder !== null && isUnchosen(folder, how.chosenFolders))
    throw new Failed({ kind: 'network-folder', path: folder })

  if (it.remote === null) {
    const wasBegun = it.sending === 'registering'
    it = keep({ ...it, stage: 'sending', sending: 'registering', failure: null })
    const registered = wasBegun ? (await readRegistered(archive)).find(it.id) : undefined
    it = keep({ ...it, remote: registered ?? (await createTransfer(archive, it.id, it.form)) })
  }

  if (folder === null || !(await exists(folder))) throw new Failed({ kind: 'no-ingest-folder', path: folder })
  const ending = endingOf(transfer.bag.form)
  const partial = path.join(folder, `.${it.remote}${ending}`)
  const final = path.join(folder, `${it.remote}${ending}`)

  if (it.sending !== 'renaming') {
    it = keep({ ...it, stage: 'sending', sending: 'copying', ingestFolder: folder, failure: null })
    await copyBag(transfer.bag.path, partial, how)
    signal.throwIfAborted()
    it = keep({ ...it, sending: 'renaming' })
  }
  if (await exists(partial)) await onDisk(final, () => rename(partial, final))
  // Under neither name: the archive has taken the bag, or the share is gone and its folder here is empty.
  else if (!(await exists(final)) && !wasReceived(it) && !(await saysReceived(archive, it.remote)))
    throw new Failed({ kind: 'no-ingest-folder', path: folder })
  return keep({
    ...it,
    stage: 'sent',
    isWaiting: false,
    sending: null,
    failure: null,
    times: { ...it.times, sent: now().toISOString() },
  })
}
