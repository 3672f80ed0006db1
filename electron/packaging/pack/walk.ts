import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { Failed } from '../contract/failure.ts'
import type { Counts } from '../contract/transfers.ts'

/** A file of the source and its name in the bag's payload, with '/' whatever the system. */
export interface PlannedFile {
  from: string
  name: string
  bytes: number
  modifiedMs: number
}

export interface Plan {
  files: PlannedFile[]
  /** Folders of the payload, empty ones too; a parent stands before what is in it. */
  folders: string[]
  counts: Counts
}

const codes: Record<string, 'vanished' | 'unreadable'> = { ENOENT: 'vanished', ENOTDIR: 'vanished', EACCES: 'unreadable', EPERM: 'unreadable' }

/** What went wrong with a file of the source, as a failure that names it. */
export const sourceFailure = (error: unknown, file: string): Failed =>
  error instanceof Failed ? error : new Failed({ kind: 'source', trouble: codes[(error as NodeJS.ErrnoException).code ?? ''] ?? 'unreadable', path: file }, { cause: error })

const look = (file: string) =>
  lstat(file).catch((error: unknown) => {
    throw sourceFailure(error, file)
  })

/** Two sources of the same name lie beside each other in the bag, the second with a number. */
const uniqueNames = (sources: string[]): { source: string; name: string }[] => {
  const taken = new Set<string>()
  return sources.map((source) => {
    const { name: stem, ext } = path.parse(source)
    let name = path.basename(source)
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${stem} (${number})${ext}`
    taken.add(name.toLowerCase())
    return { source, name }
  })
}

/**
 * Walks the sources and lists everything that a bag of them would hold. Nothing is opened. Links are not followed: what is neither a
 * file nor a folder is a failure that names it.
 * @throws Failed with the path at fault
 */
export const planBag = async (sources: string[], signal?: AbortSignal): Promise<Plan> => {
  const plan: Plan = { files: [], folders: [], counts: { files: 0, folders: 0, bytes: 0 } }
  const walk = async (from: string, name: string): Promise<void> => {
    signal?.throwIfAborted()
    const it = await look(from)
    if (it.isFile()) {
      plan.files.push({ from, name, bytes: it.size, modifiedMs: it.mtimeMs })
      plan.counts.files += 1
      plan.counts.bytes += it.size
      return
    }
    if (!it.isDirectory()) throw new Failed({ kind: 'source', trouble: 'not-a-file', path: from })
    plan.folders.push(name)
    plan.counts.folders += 1
    const inside = await readdir(from).catch((error: unknown) => {
      throw sourceFailure(error, from)
    })
    for (const entry of inside.sort()) await walk(path.join(from, entry), `${name}/${entry}`)
  }
  for (const { source, name } of uniqueNames(sources)) await walk(source, name)
  return plan
}
