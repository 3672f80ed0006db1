import path from 'node:path'
import { openRequestThread } from '../../common/request-thread.ts'
import type { Body, Database } from '../database.ts'
import type { Container, IndexedEntry } from './container-index.ts'
import type { FilesPiece, IndexAnswer, IndexQuestion } from './indexes.ts'
import { containerForm } from './paths.ts'
import {
  damagedCopies,
  troubleOfCopy,
  troubleOfEntry,
  type Copy,
  type CopyTrouble,
  type DamagedCopies,
} from './read-copies.ts'

const memoryMb = 256
/** Entries that the thread tells at once. */
const perPiece = 1_000

/** A copy that cannot be read, and why. */
export interface UnreadCopy {
  copy: Copy
  trouble: CopyTrouble
}

/** None of the copies of a package can be read. */
export class NoCopy extends Error {
  readonly copies: UnreadCopy[]
  constructor(copies: UnreadCopy[]) {
    super('No copy of the package can be read.')
    this.copies = copies
  }
}

/** A tar or zip in a package is none that can be read. */
export class NoContainer extends Error {}

/** Something goes wrong in a copy: the next one is tried. */
class CopyFailed extends Error {
  readonly trouble: CopyTrouble
  constructor(trouble: CopyTrouble, message: string) {
    super(message)
    this.trouble = trouble
  }
}

/** What a path of a package leads to. */
export type Place =
  | { kind: 'file'; entry: IndexedEntry; copies: Copy[]; mark: string; container: Container | undefined }
  | { kind: 'folder'; container: Container; path: string }

/** Where the copies of a package lie, by what storage says of each. */
const copiesOf = (aip: Body, { where, one }: Database): Copy[] => {
  const id = String(aip['id'])
  return where('storage object', 'ip', id).map((object) => {
    const medium = one('storage medium', String(object['storage_medium']))
    const value = object['content_location_value']
    return {
      // Nothing else is read, whatever a record says.
      file: typeof value === 'string' && path.basename(value) === `${id}.tar` ? path.resolve(value) : '',
      bytes: Number(aip['object_size']),
      medium: String(object['medium_id']),
      location: typeof medium?.['location'] === 'string' ? medium['location'] : '',
    }
  })
}

/** The tar of a package, in which `mets.xml` and `content/` lie below a folder with its id. */
const tarOf = (id: string, { file, bytes }: Copy): Container => ({
  key: id,
  file,
  fileBytes: bytes,
  form: 'tar',
  start: 0,
  bytes,
  top: id,
  mets: { name: 'mets.xml', prefix: 'content/' },
})

/** A container among the files of a package. */
const containerAt = (outer: Container, inside: string, entry: IndexedEntry): Container | undefined => {
  const form = containerForm(inside)
  return form === undefined || entry.isFolder
    ? undefined
    : {
        key: `${outer.key}/${inside}`,
        file: outer.file,
        fileBytes: outer.fileBytes,
        form,
        start: entry.position,
        bytes: entry.bytes,
        top: '',
        mets: null,
      }
}

const openIndexThread = (script: URL, folder: string) => {
  const thread = openRequestThread<IndexQuestion>({
    task: 'finds files in packages',
    script,
    workerData: folder,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  /** @throws CopyFailed; NoContainer where the container is a file of a package */
  const ask = async (question: IndexQuestion) => {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- our own thread answers
    const answer = (await thread.request(question)) as IndexAnswer
    if ('value' in answer) return answer.value
    if (answer.trouble === 'damaged' && question.container.mets === null)
      throw new NoContainer(answer.message)
    if (answer.trouble === 'system')
      console.error(`The index of ${question.container.file} cannot be used: ${answer.message}`)
    throw new CopyFailed(answer.trouble === 'system' ? 'busy' : answer.trouble, answer.message)
  }
  return {
    // The thread answers each question with what its kind is for.
    /* eslint-disable @typescript-eslint/no-unsafe-type-assertion */
    find: async (container: Container, inside: string) =>
      (await ask({ ask: 'find', container, path: inside })) as IndexedEntry | undefined,
    count: async (container: Container, folder: string) =>
      (await ask({ ask: 'count', container, folder })) as number,
    list: async (container: Container, folder: string, after: string, from: number, most: number) =>
      (await ask({ ask: 'list', container, folder, after, from, most })) as IndexedEntry[],
    files: async (container: Container, after: FilesPiece['after'], most: number) =>
      (await ask({ ask: 'files', container, after, most })) as FilesPiece,
    /* eslint-enable @typescript-eslint/no-unsafe-type-assertion */
    close: thread.close,
  }
}
type IndexThread = ReturnType<typeof openIndexThread>

/**
 * What a path leads to in the tar of a package: in the tar itself, or in a tar or zip that is one of its
 * files.
 */
const lookUp = async (
  index: IndexThread,
  tar: Container,
  inside: string,
): Promise<{ entry: IndexedEntry; container: Container } | undefined> => {
  const found = await index.find(tar, inside)
  if (found) return { entry: found, container: tar }
  const parts = inside.split('/')
  for (let length = 1; length < parts.length; length += 1) {
    const outer = parts.slice(0, length).join('/')
    if (containerForm(outer) === undefined) continue
    const entry = await index.find(tar, outer)
    const container = entry && containerAt(tar, outer, entry)
    if (!container) continue
    const member = await index.find(container, parts.slice(length).join('/'))
    // A folder in a container is not told by itself: all that is in it is one flat list.
    return member && !member.isFolder ? { entry: member, container } : undefined
  }
  return undefined
}

/** Looks for a path in one copy. @throws CopyFailed; NoContainer */
const lookInCopy = async (
  index: IndexThread,
  aip: Body,
  copies: Copy[],
  inside: string,
): Promise<Place | undefined> => {
  const [copy] = copies
  if (!copy) return undefined
  const tar = tarOf(String(aip['id']), copy)
  if (inside === '') return { kind: 'folder', container: tar, path: '' }
  const found = await lookUp(index, tar, inside)
  if (!found) return undefined
  const { entry, container } = found
  if (entry.isFolder) return { kind: 'folder', container, path: inside }
  if (entry.position < 0) throw new NoContainer(`The file cannot be read: it is encrypted or damaged.`)
  const isMember = container !== tar
  const trouble = isMember ? undefined : await troubleOfEntry(copy.file, entry)
  if (trouble !== undefined) throw new CopyFailed(trouble, `no file begins at ${entry.position}`)
  return {
    kind: 'file',
    entry,
    copies,
    mark: entry.sha256 ?? `${String(aip['message_digest'])}-${entry.position}`,
    container: isMember ? undefined : containerAt(tar, inside, entry),
  }
}

/**
 * The files in the packages of an archive, read out of the tars that it wrote to its media; nothing is
 * unpacked. Where they lie is found in a thread, once for each tar.
 * @param script of that thread
 * @param folder in which it keeps what it found
 */
export const openPackageFiles = (script: URL, folder: string) => {
  const index = openIndexThread(script, folder)
  const damaged: DamagedCopies = damagedCopies()

  /** @throws NoCopy; NoContainer */
  const lookIn = async (aip: Body, database: Database, inside: string): Promise<Place | undefined> => {
    const copies = copiesOf(aip, database)
    const unread: UnreadCopy[] = []
    for (const [place, copy] of copies.entries()) {
      const trouble = copy.file === '' ? 'gone' : await troubleOfCopy(copy, damaged)
      if (trouble !== undefined) {
        unread.push({ copy, trouble })
        continue
      }
      try {
        return await lookInCopy(index, aip, copies.slice(place), inside)
      } catch (error) {
        if (!(error instanceof CopyFailed)) throw error
        if (error.trouble === 'damaged') await damaged.add(copy.file, error.message).catch(() => undefined)
        unread.push({ copy, trouble: error.trouble })
      }
    }
    throw new NoCopy(unread)
  }

  return {
    damaged,
    lookIn,
    count: index.count,
    /** What lies in a folder, by name: from a number on, so many. */
    list: async function* (container: Container, inside: string, from: number, length: number) {
      let [after, skipped, left] = ['', from, length]
      while (left > 0) {
        const piece = await index.list(container, inside, after, skipped, Math.min(left, perPiece))
        yield* piece
        skipped = 0
        left = piece.length < perPiece ? 0 : left - piece.length
        after = piece.at(-1)?.name ?? after
      }
    },
    /** All files of a container, by their whole paths; of an empty one, none. @throws NoContainer */
    members: async function* (container: Container) {
      for (let after: FilesPiece['after'] = [0, '']; ;) {
        const piece = await index.files(container, after, perPiece)
        yield* piece.entries
        if (piece.entries.length < perPiece) return
        after = piece.after
      }
    },
    close: index.close,
  }
}
export type PackageFiles = ReturnType<typeof openPackageFiles>
