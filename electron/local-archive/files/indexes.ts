import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { codeOf, messageOf } from '../../common/errors.ts'
import { ContainerError } from '../../packaging/entries/container-error.ts'
import { TooManyNames } from '../../packaging/entries/name-table.ts'
import { indexNameOf, openIndex, writeIndex, type Container, type IndexedEntry } from './container-index.ts'

/** What is asked of the index of a container. */
export type IndexQuestion = { container: Container } & (
  | { ask: 'find'; path: string }
  | { ask: 'count'; folder: string }
  | { ask: 'list'; folder: string; after: string; from: number; most: number }
  | { ask: 'files'; after: [folder: number, name: string]; most: number }
)

/** All files of a container, a number at a time, and where to go on. */
export interface FilesPiece {
  entries: IndexedEntry[]
  after: [folder: number, name: string]
}

/** What came of a question: an error of the system by its code; `damaged` where the container is. */
export type IndexAnswer =
  | { value: IndexedEntry | undefined | number | IndexedEntry[] | FilesPiece }
  | { trouble: 'damaged' | 'gone' | 'system'; code: string; message: string }

/** Bytes of all indexes; the one of a million names takes some 130 MB. Those not used longest go first. */
const mostBytes = 1024 * 1024 * 1024
/** Each that is open takes two MB of memory at most, which is SQLite's cache. */
const mostOpen = 16

/** SQLite's result codes for a file that is damaged, or is none of its own. */
const damaged = [11, 26]
const isDamagedIndex = (error: unknown) =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  damaged.includes(error.errcode & 0xff)

const troubleOf = (error: unknown): Exclude<IndexAnswer, { value: unknown }> => {
  const told = { code: codeOf(error), message: messageOf(error) }
  if (error instanceof ContainerError || error instanceof TooManyNames) return { trouble: 'damaged', ...told }
  return { trouble: ['ENOENT', 'ENOTDIR'].includes(told.code) ? 'gone' : 'system', ...told }
}

/** The indexes for which there is no space, by their names, when the newest has been written. */
const superfluous = (folder: string, newest: string, limit: number): string[] => {
  const kept = readdirSync(folder)
    .filter((name) => name.endsWith('.sqlite'))
    .map((name) => ({ name, stats: statSync(path.join(folder, name)) }))
    .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)
  let bytes = 0
  return kept.flatMap(({ name, stats }) => {
    bytes += stats.size
    return bytes > limit && name !== newest ? [name] : []
  })
}

/**
 * Where the entries of containers lie: each container is read once, when it is first asked for, and what was
 * found is kept in a file of its own over restarts. It can be removed at any time.
 * @param limit bytes that all of them may take
 */
export const openIndexes = (folder: string, limit = mostBytes) => {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder))
    if (name.includes('.partial')) rmSync(path.join(folder, name), { force: true })
  const open = new Map<string, ReturnType<typeof openIndex>>()
  const writing = new Map<string, Promise<void>>()

  const close = (name: string) => {
    open.get(name)?.close()
    open.delete(name)
  }
  const remove = (name: string) => {
    close(name)
    rmSync(path.join(folder, name), { force: true })
  }
  const indexOf = async (container: Container) => {
    const name = indexNameOf(container)
    const known = open.get(name)
    // What is used last stands last.
    if (known) {
      open.delete(name)
      open.set(name, known)
      return known
    }
    const file = path.join(folder, name)
    if (!statSync(file, { throwIfNoEntry: false })) {
      const begun =
        writing.get(name) ??
        writeIndex(file, container).then(() => {
          for (const old of superfluous(folder, name, limit)) remove(old)
        })
      writing.set(name, begun)
      await begun.finally(() => writing.delete(name))
    } else utimesSync(file, new Date(), new Date())
    const index = open.get(name) ?? openIndex(file)
    open.set(name, index)
    for (const oldest of [...open.keys()].slice(0, -mostOpen)) close(oldest)
    return index
  }

  const ask = async (question: IndexQuestion): Promise<IndexAnswer> => {
    const index = await indexOf(question.container)
    switch (question.ask) {
      case 'find':
        return { value: index.find(question.path) }
      case 'count':
        return { value: index.count(question.folder) }
      case 'list':
        return { value: index.list(question.folder, question) }
      case 'files':
        return { value: index.files(question.after, question.most) }
    }
  }

  return {
    answer: async (question: IndexQuestion): Promise<IndexAnswer> => {
      try {
        return await ask(question).catch((error: unknown) => {
          // After a power cut, for instance: it is written anew.
          if (!isDamagedIndex(error)) throw error
          remove(indexNameOf(question.container))
          return ask(question)
        })
      } catch (error) {
        return troubleOf(error)
      }
    },
    close: () => {
      for (const name of [...open.keys()]) close(name)
    },
  }
}
