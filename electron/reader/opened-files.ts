import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import type { IncomingPart, ByteRange } from '../archive-client/download.ts'
import type { ArchiveClient } from '../dialects/dialect.ts'
import { checkNoSignInPage } from '../dialects/sign-in-page.ts'
import { background } from '../common/background.ts'
import { openNewsPace } from '../common/news-pace.ts'
import { Failed } from '../contract/failure.ts'
import type { ArrivedPart, OpenedFile } from '../contract/reader.ts'
import { openWholeFile, type WholeFile } from './whole-file.ts'

/** So many bytes are given at once: who wants more asks again. */
export const mostPartBytes = 4 * 1024 * 1024
/** What is asked for first: a file that is no longer is there with it. */
const firstPartBytes = 256 * 1024
/** So many files are open at once; the one that was opened first is closed then. */
const mostOpen = 64

interface Parts {
  /** Where files lie, for as long as they are open, that an archive gives only whole. It is emptied first. */
  folder: string
  arrived: (archive: string, part: ArrivedPart) => void
}

/** A file of an archive. */
export interface AskedFile {
  archive: string
  /** What speaks with the archive at the time: a sign-in may be renewed while the file is open. */
  client: () => ArchiveClient
  /** Below the base of the archive. */
  path: string
  /** Which file of which package it is. */
  of: { package: string; path: string }
  /** A longer file is not opened. */
  most?: number | undefined
}

interface Opened {
  file: OpenedFile
  of: AskedFile['of']
  read: (range: ByteRange) => Promise<Buffer>
  /** All of it from its beginning, part by part. */
  stream: (stop: AbortSignal) => AsyncIterable<Buffer>
  close: () => Promise<void>
}

const notOpen = () => new Failed({ kind: 'not-found', what: 'file' })

/** Reads what comes, up to so many bytes after those that are passed over, and lets go of the rest. */
const collect = async (body: AsyncIterable<Buffer>, most: number, passed = 0): Promise<Buffer> => {
  const parts: Buffer[] = []
  let [left, length] = [passed, 0]
  for await (const part of body) {
    const wanted = part.subarray(Math.min(left, part.length))
    left -= part.length - wanted.length
    if (wanted.length > 0) parts.push(wanted)
    length += wanted.length
    if (length >= most) break
  }
  return Buffer.concat(parts).subarray(0, most)
}

const isAnother = () => new Failed({ kind: 'conflict', detail: 'another file' })

const isTooLong = () => new Failed({ kind: 'conflict', detail: 'too long' })

/** All parts of a file that can be read at any place. */
async function* inParts(read: Opened['read'], bytes: number, stop: AbortSignal): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes;) {
    stop.throwIfAborted()
    const part = await read({ first: at, last: Math.min(at + firstPartBytes, bytes) - 1 })
    if (part.length === 0) throw isAnother()
    at += part.length
    yield part
  }
}

/** A file whose bytes are all in memory. */
const openShort = (key: string, { of }: AskedFile, content: Buffer): Opened => {
  const read: Opened['read'] = ({ first, last }) => Promise.resolve(content.subarray(first, last + 1))
  return {
    file: { key, bytes: content.length, isByParts: true },
    of,
    read,
    stream: (stop) => inParts(read, content.length, stop),
    close: () => Promise.resolve(),
  }
}

/** How a file begins, and by what one sees that it is the same one still. */
interface Beginning {
  /** How long all of it is. */
  bytes: number
  mark: string
  head: Buffer
}

/** A file of which the archive gives any part; its first bytes are there already. */
const openByParts = (key: string, asked: AskedFile, { bytes, mark, head }: Beginning): Opened => {
  const stop = new AbortController()
  const readOnce = async ({ first, last }: ByteRange): Promise<Buffer> => {
    const part = await asked.client().part(asked.path, { first, last }, stop.signal)
    if (part.total !== bytes || part.mark !== mark) throw isAnother()
    // What begins elsewhere is the whole: the part is somewhere in it.
    return collect(part.body, last - first + 1, first - part.from)
  }
  const read = async ({ first, last }: ByteRange): Promise<Buffer> => {
    if (last < head.length) return head.subarray(first, last + 1)
    const parts: Buffer[] = []
    // An archive may give less than was asked for (RFC 9110 15.3.7).
    for (let at = first; at <= last;) {
      const part = await readOnce({ first: at, last })
      if (part.length === 0) throw isAnother()
      parts.push(part)
      at += part.length
    }
    return Buffer.concat(parts)
  }
  /** One answer for all of it: archives read ahead then. */
  async function* stream(signal: AbortSignal): AsyncGenerator<Buffer> {
    const whole = await asked.client().bytes(asked.path, undefined, AbortSignal.any([stop.signal, signal]))
    if (whole.total !== bytes || whole.mark !== mark) throw isAnother()
    yield* whole.body
  }
  return {
    file: { key, bytes, isByParts: true },
    of: asked.of,
    read,
    stream,
    close: () => {
      // Whoever reads on has left: that is no error of anybody's.
      stop.abort(notOpen())
      return Promise.resolve()
    },
  }
}

/** A file that comes whole, on the disk of this computer for as long as it is open. */
const openOnDisk = (key: string, { of }: AskedFile, whole: WholeFile, bytes: number): Opened => {
  const read: Opened['read'] = ({ first, last }) => whole.read(first, last)
  return {
    file: { key, bytes, isByParts: false },
    of,
    read,
    stream: (stop) => inParts(read, bytes, stop),
    close: () => whole.close(notOpen()),
  }
}

/** Opens files: short ones in memory, others by parts where the archive gives parts, else on the disk. */
const openOpener = ({ folder, arrived }: Parts) => {
  let emptied: Promise<unknown> | undefined
  /** Once; where the disk does not let it, whoever opens a file hears of it, and the next one tries again. */
  const empty = (): Promise<unknown> =>
    (emptied ??= rm(folder, { recursive: true, force: true })
      .then(() => mkdir(folder, { recursive: true, mode: 0o700 }))
      .catch((error: unknown) => {
        emptied = undefined
        throw error
      }))
  // Nobody has to open one.
  background(empty(), () => undefined)

  const publisher = (archive: string, key: string, total: number | null) => {
    const pace = openNewsPace()
    return (bytes: number) => {
      if (total === null || (bytes < total && !pace.isDue())) return
      pace.told()
      arrived(archive, { key, bytes, total })
    }
  }

  const layOnDisk = async (asked: AskedFile, key: string, arriving: IncomingPart, stop: AbortController) => {
    await empty().catch((error: unknown) => {
      stop.abort()
      throw error
    })
    const publish = publisher(asked.archive, key, arriving.total)
    const progressed = (bytes: number) => {
      if (bytes > (asked.most ?? Infinity)) throw isTooLong()
      publish(bytes)
    }
    const file = path.join(folder, key)
    const whole = await openWholeFile({ file, arriving, stop, progressed })
    try {
      // An archive that does not say how long a file is has said it when all of it is there.
      return openOnDisk(key, asked, whole, arriving.total ?? (await whole.complete()))
    } catch (error) {
      await whole.close(notOpen())
      throw error
    }
  }

  const openOne = async (asked: AskedFile, key: string): Promise<Opened> => {
    const stop = new AbortController()
    const first = { first: 0, last: firstPartBytes - 1 }
    const arriving = await asked.client().part(asked.path, first, stop.signal)
    await checkNoSignInPage(asked.client(), arriving).catch((error: unknown) => {
      stop.abort()
      throw error
    })
    const { total, mark, body, isWhole } = arriving
    const { most = Infinity } = asked
    if (total !== null && total > most) {
      stop.abort()
      throw isTooLong()
    }
    const isShort = total !== null && total <= firstPartBytes
    if (total === null || (isWhole && !isShort)) return layOnDisk(asked, key, arriving, stop)
    const head = await collect(body, Math.min(total, firstPartBytes))
    return head.length === total
      ? openShort(key, asked, head)
      : openByParts(key, asked, { bytes: total, mark, head })
  }
  return {
    openOne,
    /** Makes a folder beside the files; at the next start it is gone. */
    makeFolder: async () => {
      await empty()
      return mkdtemp(path.join(folder, 'copy-'))
    },
  }
}

export type OpenedFiles = ReturnType<typeof openOpenedFiles>

/** Files of packages that somebody looks at, each under a key that nobody can guess, read by parts. */
export const openOpenedFiles = (parts: Parts) => {
  const all = new Map<string, Opened>()
  const { openOne, makeFolder } = openOpener(parts)

  const close = async (key: string) => {
    const opened = all.get(key)
    all.delete(key)
    await opened?.close()
  }

  /** @throws Failed not-found for a key that is none, or none any more */
  const needed = (key: string): Opened => {
    const opened = all.get(key)
    if (!opened) throw notOpen()
    return opened
  }

  return {
    /**
     * Opens a file and gives the key by which the viewer reads it.
     * @throws Failed what the archive says of it; the error of the disk where it has to be laid there
     */
    open: async (asked: AskedFile): Promise<OpenedFile> => {
      const key = randomBytes(24).toString('base64url')
      const opened = await openOne(asked, key)
      all.set(key, opened)
      const [oldest] = all.keys()
      if (all.size > mostOpen && oldest !== undefined) await close(oldest)
      return opened.file
    },
    /** How long an open file is; undefined for a key that is none, or none any more. */
    bytesOf: (key: string): number | undefined => all.get(key)?.file.bytes,
    /**
     * The bytes of an open file from `first` to `last`, both included, at most `mostPartBytes` of them.
     * @throws Failed what the archive says of it, conflict where it is another file now
     */
    read: async (key: string, { first, last }: ByteRange): Promise<Buffer> => {
      const { read, file } = needed(key)
      return read({ first, last: Math.min(last, first + mostPartBytes - 1, file.bytes - 1) })
    },
    /** Which file of which package an open file is, and how long. @throws Failed not-found */
    said: (key: string): { of: AskedFile['of']; bytes: number } => {
      const { of, file } = needed(key)
      return { of, bytes: file.bytes }
    },
    /**
     * All bytes of an open file, from its beginning.
     * @throws Failed not-found; while it is read, what the archive says of it, and the reason of `stop`
     */
    stream: (key: string, stop: AbortSignal): AsyncIterable<Buffer> => needed(key).stream(stop),
    makeFolder,
    close,
    closeAll: async () => {
      await Promise.all([...all.keys()].map(close))
    },
  }
}
