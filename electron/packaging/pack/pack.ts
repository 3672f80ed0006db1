import { createHash } from 'node:crypto'
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Counts } from '../contract/transfers.ts'
import { copyFiles, type CopyJob, type CopyProgress } from './copy-files.ts'
import { ensureRoom, onDisk } from './disk.ts'
import { bagInfo, declaration, manifestLine, readManifest } from './manifest.ts'
import { planBag, type Plan } from './plan.ts'

interface How {
  worker: URL
  signal: AbortSignal
  onPlan: (counts: Counts) => void
  onProgress: (progress: CopyProgress) => void
}

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

const writeSynced = async (file: string, text: string) => {
  const handle = await open(file, 'w')
  await handle.writeFile(text)
  await handle.sync()
  await handle.close()
}

const makeFolders = async (folder: string, names: string[]) => {
  await mkdir(folder, { recursive: true })
  for (const name of names) await mkdir(path.join(folder, ...name.split('/')), { recursive: true })
}

const writeTags = async (bag: string, plan: Plan, checksums: string[], info: [string, string][]) => {
  const payload = plan.files.map(({ name }, index) => ({ name: `data/${name}`, sha256: checksums[index] ?? '' }))
  const tags = {
    'bagit.txt': declaration,
    'bag-info.txt': bagInfo([...info, ['Payload-Oxum', `${plan.counts.bytes}.${plan.counts.files}`]]),
    'manifest-sha256.txt': payload.map(({ sha256, name }) => manifestLine(sha256, name)).join(''),
  }
  for (const [name, text] of Object.entries(tags)) await writeSynced(path.join(bag, name), text)
  const lines = Object.entries(tags).map(([name, text]) => manifestLine(sha256Of(text), name))
  await writeSynced(path.join(bag, 'tagmanifest-sha256.txt'), lines.join(''))
}

/**
 * Packs sources as a BagIt 1.0 bag in a folder (RFC 8493), under a temporary name until everything in it was read back and
 * compared. Cancelled or failed, it leaves nothing behind.
 * @param target the folder that the bag becomes; it must not exist
 * @param info labels and values of bag-info.txt; Payload-Oxum is added
 * @throws Failed with the path at fault
 */
export const packBag = async (sources: string[], target: string, info: [string, string][], { worker, signal, onPlan, onProgress }: How): Promise<Counts> => {
  const plan = await planBag(sources, signal)
  onPlan(plan.counts)
  const partial = `${target}.partial`
  await onDisk(partial, async () => {
    await rm(partial, { recursive: true, force: true })
    await mkdir(path.dirname(target), { recursive: true })
  })
  await ensureRoom(path.dirname(target), plan.counts.bytes)
  try {
    const data = path.join(partial, 'data')
    await onDisk(data, () => makeFolders(data, plan.folders))
    const jobs = plan.files.map(({ from, name, bytes, modifiedMs }): CopyJob => ({ from, to: path.join(data, ...name.split('/')), bytes, modifiedMs, expected: null }))
    const checksums = await copyFiles(jobs, { worker, signal, onProgress })
    await onDisk(partial, async () => {
      await writeTags(partial, plan, checksums, info)
      await rename(partial, target)
    })
    return plan.counts
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

const checksumsOf = async (bag: string): Promise<Map<string, string>> => {
  const read = (name: string) => readFile(path.join(bag, name), 'utf8')
  const tagmanifest = await read('tagmanifest-sha256.txt')
  return new Map([...readManifest(await read('manifest-sha256.txt')), ...readManifest(tagmanifest), ['tagmanifest-sha256.txt', sha256Of(tagmanifest)]])
}

const foldersBelow = async (folder: string, inside = ''): Promise<string[]> => {
  const entries = (await readdir(path.join(folder, inside), { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const names = entries.map(({ name }) => (inside === '' ? name : `${inside}/${name}`))
  return [...names, ...(await Promise.all(names.map((name) => foldersBelow(folder, name)))).flat()]
}

/**
 * Copies a packed bag to another folder, each file compared with the bag's own manifests as it is read and read back as it is written.
 * @param target a temporary name; the caller renames it. What an interrupted copying left there is removed first.
 * @throws Failed with the path at fault; nothing is left under `target` then
 */
export const copyBag = async (bag: string, target: string, { worker, signal, onPlan, onProgress }: How) => {
  const checksums = await onDisk(bag, () => checksumsOf(bag))
  const jobs = await onDisk(bag, () =>
    Promise.all(
      [...checksums].map(async ([name, expected]): Promise<CopyJob> => {
        const from = path.join(bag, ...name.split('/'))
        return { from, to: path.join(target, ...name.split('/')), bytes: (await stat(from)).size, modifiedMs: null, expected }
      }),
    ),
  )
  const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0)
  onPlan({ files: jobs.length, folders: 0, bytes })
  await onDisk(target, () => rm(target, { recursive: true, force: true }))
  await ensureRoom(path.dirname(target), bytes)
  try {
    await onDisk(target, async () => makeFolders(target, await foldersBelow(bag)))
    await copyFiles(jobs, { worker, signal, onProgress })
  } catch (error) {
    await rm(target, { recursive: true, force: true }).catch(() => undefined)
    throw error
  }
}
