import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import { folderOf, nameIn, pathBelow } from '../../../electron/contract/file-paths.ts'
import type { EntryRole, FileEntry, FileRole } from '../../../electron/contract/files.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { failureOf } from '../../state/command.svelte.ts'
import { inReadingOrder } from './file-order.ts'

/** A line of the tree. */
export interface TreeRow {
  path: string
  entry: FileEntry
  level: number
  /** Undefined for a file, below which nothing lies. */
  isOpen: boolean | undefined
  /** How many lie in it, once it was read. */
  holds: number | undefined
  /** What the package says that it is, where it says so. */
  role: FileRole | undefined
}

/** What describes a package that lies in another, and says what its files are (E-ARK CSIP). */
const descriptions = new Set(['METS.xml'])
/** No archive nests its packages deeper than this. */
const deepest = 40
/** So many folders are looked into for the first file. */
const mostSearched = 20

/** The folders on the way to a path, the outermost first. */
const foldersAbove = (path: string) =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'))

const isBranch = ({ isFolder, isContainer }: FileEntry) => isFolder || isContainer

/** The files of a package as they lie in folders, each of which is read when it is opened. */
export class FileTree {
  readonly #folders = new SvelteMap<string, FileEntry[]>()
  readonly #open = new SvelteSet<string>()
  /** Why the folder that was opened last could not be read. */
  failure = $state.raw<Failure>()
  // What is under way is drawn by nobody.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #reading = new Map<string, Promise<FileEntry[]>>()
  /** By folder and name. */
  readonly #roles = new SvelteMap<string, ReadonlyMap<string, FileRole>>()
  /** By what was read of a folder. */
  readonly #laid = new WeakMap<
    FileEntry[],
    { roles: ReadonlyMap<string, FileRole> | undefined; rows: readonly TreeRow[] }
  >()
  readonly #list: (path: string) => Promise<FileEntry[]>
  readonly #listRoles: (path: string) => Promise<EntryRole[]>

  constructor(desk: ArchiveDesk, of: string) {
    this.#list = (path) => desk.files.list({ package: of, path })
    this.#listRoles = (path) => desk.files.roles({ package: of, path })
  }

  /** Shown from then on: folders that open by themselves would move rows away from under a pointer. */
  #isBegun = $state(false)

  /** All lines that are in view when one scrolls through the tree. */
  rows: TreeRow[] = $derived.by(() => {
    const rows: TreeRow[] = []
    if (!this.#isBegun) return rows
    const lay = (folder: string, level: number) => {
      for (const row of this.#rowsIn(folder, level)) {
        if (!isBranch(row.entry)) {
          rows.push(row)
          continue
        }
        const isOpen = this.#open.has(row.path)
        rows.push({ ...row, isOpen, holds: this.#folders.get(row.path)?.length })
        if (isOpen) lay(row.path, level + 1)
      }
    }
    lay('', 1)
    return rows
  })

  /** The lines of a folder as if nothing in it were open, made once: there may be hundreds of thousands. */
  #rowsIn = (folder: string, level: number): readonly TreeRow[] => {
    const entries = this.#folders.get(folder) ?? []
    const roles = this.#roles.get(folder)
    const known = this.#laid.get(entries)
    if (known && known.roles === roles) return known.rows
    const rows = entries.map((entry) => ({
      path: pathBelow(folder, entry.name),
      entry,
      level,
      isOpen: undefined,
      holds: undefined,
      role: roles?.get(entry.name),
    }))
    this.#laid.set(entries, { roles, rows })
    return rows
  }

  /** Whether the package itself was read, and the folders that open by themselves. */
  get isRead() {
    return this.#isBegun
  }

  /** The files of a folder that was read, in their order. */
  filesIn = (folder: string): FileEntry[] =>
    (this.#folders.get(folder) ?? []).filter((entry) => !isBranch(entry))

  entryOf = (path: string): FileEntry | undefined =>
    this.#folders.get(folderOf(path))?.find(({ name }) => name === nameIn(path))

  /** Opens or closes a folder. */
  expand = async (path: string, isOpen: boolean) => {
    if (isOpen) this.#show([path, ...(await this.#onlyBelow(path))])
    else this.#open.delete(path)
  }

  /** Opens all folders down to a file. */
  reveal = async (path: string) => {
    await this.#begin(async () => {
      await this.#read('')
      for (const folder of foldersAbove(path).slice(0, deepest)) {
        await this.#read(folder)
        this.#show([folder])
      }
    })
  }

  /** The first of some paths under which there is a file; undefined where there is none. */
  firstFile = async (paths: readonly string[]): Promise<string | undefined> => {
    for (const path of paths) {
      const found = await this.#fileAt(path)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** A path as the package writes it, where a file is there: each folder on the way is looked up. */
  #fileAt = async (path: string): Promise<string | undefined> => {
    let at = ''
    const parts = path.split('/')
    for (const [index, part] of parts.entries()) {
      const entries = await this.#read(at)
      const entry = entries.find(({ name }) => name.normalize() === part.normalize())
      if (!entry || isBranch(entry) === (index === parts.length - 1)) return undefined
      at = pathBelow(at, entry.name)
    }
    return at
  }

  /** Opens the package. */
  begin = () => this.#begin(async () => this.#show(await this.#onlyBelow('')))

  /** Opens the package down to its first file; undefined where none is found near the top. */
  beginAtFirst = async (): Promise<string | undefined> => {
    let found: string | undefined
    await this.#begin(async () => {
      this.#show(await this.#onlyBelow(''))
      found = await this.#firstBelow('', { left: mostSearched })
      if (found !== undefined) this.#show(foldersAbove(found))
    })
    return found
  }

  /** The first file as one scrolls: folder by folder, and a container only where nothing else is in one. */
  #firstBelow = async (folder: string, folders: { left: number }): Promise<string | undefined> => {
    folders.left -= 1
    const entries = await this.#read(folder)
    for (const entry of entries) {
      const path = pathBelow(folder, entry.name)
      if (!isBranch(entry)) return path
      if (folders.left === 0 || (entry.isContainer && entries.length > 1)) continue
      const found = await this.#firstBelow(path, folders)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** What was read is shown even where a folder below cannot be. */
  #begin = async (open: () => Promise<void>) => {
    try {
      await open()
    } finally {
      this.#isBegun = this.#folders.has('')
    }
  }

  /** All at once: nothing moves away from under a pointer afterwards. */
  #show = (folders: string[]) => {
    for (const folder of folders) this.#open.add(folder)
  }

  /** The only folder in a folder, and the only one in that, for as long as there is one alone. */
  #onlyBelow = async (path: string): Promise<string[]> => {
    const found: string[] = []
    for (let folder = path; found.length < deepest;) {
      const entries = await this.#read(folder)
      const [only, ...others] = entries.filter(isBranch)
      if (!only || others.length > 0 || (only.isContainer && entries.length > 1)) break
      folder = pathBelow(folder, only.name)
      found.push(folder)
    }
    const last = found.at(-1)
    if (last !== undefined) await this.#read(last)
    return found
  }

  /** What descriptions say comes later than names: it moves nothing, and where it is lost nothing else is. */
  #readRoles = async (folder: string) => {
    const isDescribed = ['', ...foldersAbove(`${folder}/`)].some((above) =>
      this.#folders.get(above)?.some(({ name }) => descriptions.has(name)),
    )
    if (!isDescribed) return
    const roles = await this.#listRoles(folder)
    // It is never changed.
    // eslint-disable-next-line svelte/prefer-svelte-reactivity
    this.#roles.set(folder, new Map(roles.map(({ name, role }) => [name, role])))
  }

  #read = async (path: string): Promise<FileEntry[]> => {
    const known = this.#folders.get(path)
    if (known) return known
    const reading = this.#reading.get(path) ?? this.#list(path)
    this.#reading.set(path, reading)
    try {
      const entries = inReadingOrder(path, await reading)
      this.#folders.set(path, entries)
      this.failure = undefined
      this.#readRoles(path).catch(() => undefined)
      return entries
    } catch (error) {
      this.failure = failureOf(error)
      throw error
    } finally {
      this.#reading.delete(path)
    }
  }
}
