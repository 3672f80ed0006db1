import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Failed } from '../contract/failure.ts'
import { checkBag } from './check/check.ts'
import { onDisk } from './disk.ts'
import { copyWhole, discard, type How } from './pack/pack.ts'
import type { PackagingScripts } from './scripts.ts'

/**
 * Copies a bag, whatever its form, and checks the copy: what lies at `to` afterwards is complete and valid there.
 * @param to a name for the copy; what lies there is removed first
 * @throws Failed bad-bag where the copy is not valid, disk where it cannot be read, or with the path at fault; nothing is left at `to` then
 */
export const copyBag = async (
  bag: string,
  to: string,
  { scripts, ...how }: Omit<How, 'scripts'> & { scripts: PackagingScripts },
) => {
  const remove = () => onDisk(to, () => rm(to, { recursive: true, force: true }))
  await remove()
  try {
    await copyWhole(bag, to, { ...how, scripts: scripts.pack })
    const { state, errors, findings, more } = await checkBag(to, {
      scripts: scripts.check,
      signal: how.signal,
    })
    if (state === 'unreadable') throw new Failed({ kind: 'disk', trouble: 'other', path: to })
    const first = findings.find(({ level }) => level === 'error') ?? {
      level: 'error',
      // Errors may be counted without being listed.
      code: more.find(({ level }) => level === 'error')?.code ?? 'unreadable',
      file: path.basename(bag),
      line: null,
      detail: '',
    }
    if (state !== 'valid') throw new Failed({ kind: 'bad-bag', path: bag, errors, first })
  } catch (error) {
    await discard(to)
    await remove()
    throw error
  }
}
