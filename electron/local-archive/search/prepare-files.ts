import type { Database } from '../database.ts'
import { keepText, listFiles } from './index-records.ts'

/** So many files are named before others have their turn. */
const perListing = 1_000
/** As much is entered together with its package: to prepare it apart costs a transaction or two. */
const withPackage = { files: 100, characters: 20_000 }

interface FilesToPrepare {
  /** The package. */
  of: string
  files: readonly { name: string; bytes: number }[]
  /** Gives the text of a file; the empty one where it has none. */
  read: (name: string) => Promise<string>
  /** Enters what the package needs once it is entered itself. */
  prepare: (work: () => void) => Promise<void>
}

/**
 * Reads the texts of a package that is about to come, and prepares the names and texts of its files: only few
 * of them are in memory at a time.
 * @returns what enters the rest of them, inside the transaction that enters the package
 */
export const prepareFiles = async (
  database: Database,
  { of, files, read, prepare }: FilesToPrepare,
): Promise<() => void> => {
  const areFew = files.length <= withPackage.files
  for (let from = 0; from < files.length && !areFew; from += perListing)
    await prepare(() => listFiles(database, of, files.slice(from, from + perListing)))
  const texts = new Map<string, string>()
  let left = withPackage.characters
  for (const file of files) {
    const text = await read(file.name)
    if (text === '') continue
    left -= text.length
    if (left >= 0) texts.set(file.name, text)
    else
      await prepare(() => {
        listFiles(database, of, [file])
        keepText(database, of, file.name, text)
      })
  }
  return () => {
    if (areFew) listFiles(database, of, files)
    for (const [name, text] of texts) keepText(database, of, name, text)
  }
}
