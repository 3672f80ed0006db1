import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Failed } from '../contract/failure.ts'
import type { PackageReport } from '../contract/findings.ts'
import { onDisk } from './disk.ts'
import type { CheckOptions } from './format.ts'
import { checkPackage, troubleOfFormat } from './formats.ts'
import { suffixOf } from './pack/serializations.ts'
import { copyWhole, discard, unfinishedName, type PackingOptions } from './pack/pack.ts'
import type { Serialization } from './pack/plan.ts'
import type { PackagingScripts } from './scripts.ts'

/** Where a desk keeps its packages; the name is of the time when all of them were bags. */
export const packagesIn = (desk: string) => path.join(desk, 'bags')

/** The package in the folder of a transfer that is handed over, by the name that every version writes. */
export const packageIn = (handover: string, form: Serialization) =>
  path.join(handover, `bag${suffixOf(form)}`)

/**
 * Checks a package.
 * @param named the path that is named where it is not valid
 * @returns what was found
 * @throws Failed bad-package where it is not valid, disk where it cannot be read
 */
export const needValid = async (
  file: string,
  options: CheckOptions,
  named = file,
): Promise<PackageReport> => {
  const report = await checkPackage(file, options)
  const { state, errors, findings, more } = report
  const first = findings.find(({ level }) => level === 'error') ?? {
    level: 'error',
    // Errors may be counted without being listed.
    code: more.find(({ level }) => level === 'error')?.code ?? 'unreadable',
    file: path.basename(named),
    line: null,
    detail: '',
  }
  // To read it again would need as much memory; any other trouble of the reading is one of the disk.
  if (state === 'unreadable' && first.code !== 'memory')
    throw new Failed({ kind: 'disk', trouble: 'other', path: file })
  const trouble = troubleOfFormat(report)
  if (trouble) throw new Failed({ kind: 'bad-package', path: named, errors: 1, first: trouble })
  if (state !== 'valid') throw new Failed({ kind: 'bad-package', path: named, errors, first })
  return report
}

/**
 * Copies a package, whatever its form, and checks the copy: what lies at `to` afterwards is complete and
 * valid there. Until then it has another name, and a start removes it that finds it in a desk's folder.
 * @param to a name for the copy; what lies there is removed first
 * @returns what was found of the copy
 * @throws Failed bad-package where the copy is not valid, disk where it cannot be read, or with the path at
 * fault; nothing is left at `to` then
 */
export const copyPackage = async (
  from: string,
  to: string,
  { scripts, ...options }: Omit<PackingOptions, 'scripts'> & { scripts: PackagingScripts },
): Promise<PackageReport> => {
  // Whoever is killed leaves no package of which nobody knows whether it is whole.
  const copy = unfinishedName(to)
  const remove = (file: string) => onDisk(file, () => rm(file, { recursive: true, force: true }))
  await remove(to)
  await remove(copy)
  try {
    await copyWhole(from, copy, { ...options, scripts: scripts.pack })
    const report = await needValid(copy, { scripts: scripts.check, signal: options.signal }, from)
    await onDisk(to, () => rename(copy, to))
    return { ...report, path: to }
  } catch (error) {
    await discard(copy)
    await remove(copy)
    throw error
  }
}
