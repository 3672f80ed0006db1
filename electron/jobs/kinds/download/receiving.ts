import { constants, existsSync, renameSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import path from 'node:path'
import { Failed } from '../../../contract/failure.ts'
import { openNewsPace } from '../../../common/news-pace.ts'
import type { Download } from '../../../contract/files.ts'
import { needed, type ArchiveClient } from '../../../dialects/dialect.ts'
import { checkNoSignInPage } from '../../../dialects/sign-in-page.ts'
import { ensureSpace, onDisk } from '../../../packaging/disk.ts'
import type { KeptDownload } from '../../../store/desk/job-bodies.ts'

/** In bytes; 0 where there is no such file. */
export const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )
/** What has arrived of this download, and of no other to the same target. */
export const partOf = ({ id, target }: Download) => `${target}.${id.slice(0, 8)}.part`

const { O_WRONLY, O_APPEND, O_CREAT, O_TRUNC } = constants

/**
 * Opens a part to be gone on with, cut to the bytes that count; that is on the disk before anything else is.
 */
const openPart = (part: string, bytes: number) =>
  onDisk(part, async () => {
    const file = await open(part, O_WRONLY | O_APPEND | (bytes === 0 ? O_CREAT | O_TRUNC : 0))
    try {
      await file.truncate(bytes)
      await file.sync()
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  })

/**
 * Gives a part that is whole the name of its target, else that with a number: what came there since the
 * target was chosen, nobody was asked about. At once, since two may end side by side.
 * @param keep is called before that: a desk that is killed at once would save it a second time
 * @returns the download that has the name
 */
const place = (whole: KeptDownload, keep: How['keep']): KeptDownload => {
  const { target, replaces } = whole
  const { dir, name, ext } = path.parse(target)
  let free = target
  for (let number = 2; !replaces && existsSync(free); number += 1)
    free = path.join(dir, `${name} (${number})${ext}`)
  keep({ ...whole, placing: free })
  renameSync(partOf(whole), free)
  return doneAs(whole, free)
}

const doneAs = (whole: KeptDownload, target: string): KeptDownload => {
  return { ...whole, target, placing: null, state: 'done', failure: null, isToCompare: true }
}

/** The download where its file has its name already, and the desk was killed before it kept that. */
const placedOf = async (download: KeptDownload): Promise<KeptDownload | undefined> => {
  const { placing, bytes } = download
  if (placing === null || existsSync(partOf(download)) || !existsSync(placing)) return undefined
  return (await sizeOf(placing)) === bytes ? doneAs(download, placing) : undefined
}

interface How {
  archive: ArchiveClient
  signal: AbortSignal
  /**
   * Keeps of which content the part is, before any of it is written; and which name it gets, before it has
   * that.
   */
  keep: (download: KeptDownload) => void
  /** Tells how much has arrived. */
  progress: (download: KeptDownload) => void
}

/** Writes what arrives to the end of a part, until it is on the disk. */
const writePart = async (
  part: string,
  body: AsyncIterable<Uint8Array>,
  download: KeptDownload,
  { keep, progress }: How,
): Promise<number> => {
  let done = download.bytesDone
  const file = await openPart(part, done)
  try {
    // The part holds nothing of other content before the mark of this one is kept.
    keep(download)
    const pace = openNewsPace()
    pace.told()
    for await (const chunk of body) {
      await onDisk(part, () => file.writeFile(chunk))
      done += chunk.length
      if (!pace.isDue()) continue
      pace.told()
      progress({ ...download, bytesDone: done })
    }
    await onDisk(part, () => file.sync())
  } finally {
    await file.close()
  }
  return done
}

/**
 * Fetches what is still missing of a file. What has arrived lies beside the target under a name of its own
 * until it is whole, and is as long as the archive said; then it has the target's name in one step.
 * @returns the download as it is then: done
 * @throws Failed; what has arrived stays, and is gone on with where the archive has the same content still
 */
export const receive = async (download: KeptDownload, how: How): Promise<KeptDownload> => {
  const placed = await placedOf(download)
  if (placed) return placed
  const part = partOf(download)
  // The last byte is asked for once more: of a part that is whole nothing else would be left to send.
  const resumed = Math.max(0, (await sizeOf(part)) - 1)
  const incoming = await how.archive.bytes(
    needed(how.archive.dialect.files).pathOf(download.package, download.path),
    { from: resumed, mark: download.mark },
    how.signal,
  )
  await checkNoSignInPage(how.archive, incoming)
  const { from, total, mark, body } = incoming
  if (total !== null) await ensureSpace(path.dirname(download.target), total - from)
  const begun: KeptDownload = { ...download, bytesDone: from, bytes: total, mark }
  const done = await writePart(part, body, begun, how)
  if (total !== null && done !== total)
    throw new Failed({
      kind: 'server-broke',
      address: download.path,
      status: 200,
      detail: 'cut-off',
      excerpt: '',
    })
  const whole = { ...begun, bytesDone: done, bytes: done }
  return onDisk(download.target, () => Promise.resolve(place(whole, how.keep)))
}
