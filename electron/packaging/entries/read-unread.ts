import type { FindingCode } from '../../contract/findings.ts'
import { packageFiles, type PackagePlace } from './package-files.ts'
import { ContainerError } from './container-error.ts'
import { entriesOf } from './entries.ts'
import { entryFlag } from './entry-index.ts'
import { partsOf } from './file-parts.ts'
import { nameTable } from './name-table.ts'

/**
 * Reads what nothing listed and nobody read, so that the CRC of every file of a zip is compared.
 * @param found hears of what is not as the zip says
 */
export const readUnread = async (
  place: PackagePlace,
  gate: () => boolean,
  found: (code: FindingCode, detail: string) => void,
): Promise<void> => {
  const { index, form, path } = place
  if (!index || form !== 'zip') return
  const names = nameTable(index.names)
  const isUnread = (place: number) =>
    index.read[place] === 0 && ((index.facts[place] ?? 0) & entryFlag.file) !== 0
  let unread = 0
  for (let place = 0; place < names.size(); place += 1) if (isUnread(place)) unread += 1
  if (unread === 0) return
  const files = packageFiles(place)
  try {
    for (const entry of entriesOf(path, form)) {
      if (!gate()) return
      const name = entry.name.replace(/^(\.\/)+/, '')
      if (!isUnread(names.find(name))) continue
      try {
        const file = files.openEntry(name)
        if (file === undefined || typeof file === 'string') continue
        for await (const _ of partsOf(file)) if (!gate()) return
        file.close()
      } catch (error) {
        if (!(error instanceof ContainerError)) throw error
        found(error.code, error.message)
      }
    }
  } finally {
    files.close()
  }
}
