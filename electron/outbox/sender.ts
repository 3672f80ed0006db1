import { rename } from 'node:fs/promises'
import path from 'node:path'
import { events, isReceipt } from '../archive-client/activity.ts'
import type { Reach } from '../archive-client/http.ts'
import { readList } from '../archive-client/listing.ts'
import { createTransfer, markOf, transfers } from '../archive-client/transfers.ts'
import { recordReader } from '../archive-client/whole-list.ts'
import { Failed, isRefusal, isSurelyUnsent } from '../contract/failure.ts'
import type { Counts } from '../contract/counts.ts'
import type { Bag } from '../contract/transfers.ts'
import { copyBag } from '../packaging/copy-bag.ts'
import { onDisk } from '../packaging/disk.ts'
import type { WorkProgress } from '../packaging/pack/control.ts'
import { endingOf } from '../packaging/pack/forms.ts'
import type { PackagingScripts } from '../packaging/scripts.ts'
import type { Doubt, KeptTransfer } from '../store/desk.ts'
import { afterLookup, isSettled, noLookup } from '../jobs/delays.ts'
import { exists, mountPointOf, lostMount } from './ingest-folder.ts'

/**
 * Whether Windows would ask another computer for this path (`\\server\share`, also with slashes or as a
 * device path). To ask is to tell that computer who is signed in at this one, so not even its existence is
 * looked up.
 */
const isNetworkPath = (folder: string) => /^[\\/]{2}/.test(folder)

/** Whether a folder lies on another computer and nobody at this desk has chosen it. */
const isUnchosen = (folder: string, chosenFolders: readonly string[]) =>
  isNetworkPath(folder) && !chosenFolders.includes(folder)

interface How {
  archive: Reach
  /** The ingest folder of the archive's active policy, as this computer sees it. */
  ingestFolder: string | null
  /** Folders on other computers that somebody at this desk has chosen for this archive. */
  chosenFolders: readonly string[]
  /** The mount point that the folder lay below when a bag was brought there last; null where none was yet. */
  mountPointOf: (folder: string) => string | null
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

/** The transfers of whose bags the archive says that they were received (30000) or preserved (30300). */
export const readReceived = async (archive: Reach): Promise<Set<string>> => {
  const received = new Set<string>()
  const look = (record: unknown) => {
    const [row] = events.read(record, 0).rows
    const model = row?.model
    if (typeof model?.transfer === 'string' && isReceipt(model)) received.add(model.transfer)
  }
  await archive.elements(events.path, recordReader(look))
  return received
}

const isReceived = async (archive: Reach, transfer: string | null) =>
  transfer !== null && (await readReceived(archive)).has(transfer)

/** Where the bag of a registered transfer lies in its ingest folder: as long as it is copied, and then for the archive. */
const namesIn = (folder: string, remote: string | null, form: Bag['form']) => ({
  partial: path.join(folder, `.${remote}${endingOf(form)}`),
  final: path.join(folder, `${remote}${endingOf(form)}`),
})

/**
 * How far sending a registered transfer has come, as its ingest folder shows: a bag that has its name there was
 * handed over, and one that lies there under its temporary name was not. A folder on another computer that nobody
 * has chosen is not looked into.
 * @returns null where the folder shows nothing: the archive may have taken the bag
 */
export const stepOf = async (
  { remote, bag }: KeptTransfer,
  folder: string | null,
  chosenFolders: readonly string[],
): Promise<'copying' | 'renaming' | null> => {
  if (bag === null || folder === null || isUnchosen(folder, chosenFolders)) return null
  const { partial, final } = namesIn(folder, remote, bag.form)
  if (await exists(final)) return 'renaming'
  return (await exists(partial)) ? 'copying' : null
}

/** The failure of a lookup that found nothing, and the doubt that is left after it. */
export const unconfirmed = (it: KeptTransfer, what: 'registration' | 'bag', now: Date) => {
  const doubt: Doubt = afterLookup(it.doubt, it, now)
  const mayBeSent = what === 'bag' && isSettled(doubt)
  return { doubt, failure: { kind: 'unconfirmed', what, mayBeSent } as const }
}

/**
 * Registers a transfer. One that was perhaps registered already is looked up, and only what several lookups over
 * minutes did not find is registered again: the archive may still be at work on it.
 */
const register = async (begun: KeptTransfer, { archive, keep, now }: How): Promise<KeptTransfer> => {
  if (begun.sending === 'registering') {
    const remote = (await readRegistered(archive)).find(begun.id)
    if (remote !== undefined) return keep({ ...begun, remote, doubt: noLookup })
    const { doubt, failure } = unconfirmed(begun, 'registration', now())
    if (!isSettled(doubt)) {
      keep({ ...begun, doubt })
      throw new Failed(failure)
    }
  } else {
    // An archive that cannot be asked is sent nothing: what gets no answer has to be looked up for minutes.
    await archive.get('me/')
  }
  const it = keep({
    ...begun,
    stage: 'sending',
    sending: 'registering',
    failure: null,
    doubt: noLookup,
    triedAt: now().toISOString(),
    nextAt: null,
  })
  try {
    return keep({ ...it, remote: await createTransfer(archive, it.id, it.form) })
  } catch (error) {
    if (error instanceof Failed && (isSurelyUnsent(error.failure) || isRefusal(error.failure)))
      keep({ ...it, sending: null })
    throw error
  }
}

/**
 * Brings a prepared transfer to the archive: registers it, copies its bag into the ingest folder under a
 * temporary name, and gives the bag its name, which is the transfer's id. Each step is on disk before it is
 * taken, so a desk that was killed goes on where it stopped: it asks the archive whether the transfer is
 * registered, and never hands over a bag twice.
 * @throws Failed; the transfer stays as far as it came. Unconfirmed where a later attempt may know more
 */
export const deliver = async (transfer: KeptTransfer, how: How): Promise<KeptTransfer> => {
  const { archive, keep, now, signal, wasReceived } = how
  if (transfer.bag === null) throw new Failed({ kind: 'not-ready', missing: ['packed'] })
  let it = transfer
  const folder = it.ingestFolder ?? how.ingestFolder
  if (folder !== null && isUnchosen(folder, how.chosenFolders))
    throw new Failed({ kind: 'network-folder', path: folder })

  if (it.remote === null) it = await register(it, how)

  if (folder === null || !(await exists(folder))) throw new Failed({ kind: 'no-ingest-folder', path: folder })
  const mountPoint = await mountPointOf(folder)
  const lost = lostMount(how.mountPointOf(folder), mountPoint)
  if (lost !== null) throw new Failed({ kind: 'not-mounted', path: folder, mountPoint: lost })
  const { partial, final } = namesIn(folder, it.remote, transfer.bag.form)

  if (it.sending !== 'renaming') {
    it = keep({
      ...it,
      stage: 'sending',
      sending: 'copying',
      ingestFolder: folder,
      mountPoint,
      failure: null,
    })
    await copyBag(transfer.bag.path, partial, how)
    signal.throwIfAborted()
    it = keep({ ...it, sending: 'renaming', doubt: noLookup })
  }
  if (await exists(partial)) await onDisk(final, () => rename(partial, final))
  // Under neither name: the archive has taken the bag, as it will say, or somebody removed it.
  else if (!(await exists(final)) && !wasReceived(it) && !(await isReceived(archive, it.remote))) {
    const { doubt, failure } = unconfirmed(it, 'bag', now())
    keep({ ...it, doubt })
    throw new Failed(failure)
  }
  return keep({
    ...it,
    stage: 'sent',
    isWaiting: false,
    sending: null,
    failure: null,
    times: { ...it.times, sent: now().toISOString() },
  })
}
