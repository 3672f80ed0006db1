import {
  linesAtOnce,
  type ComparedFile,
  type ComparedLine,
  type FileChange,
} from '../contract/comparisons.ts'
import { inOrder, noChanges } from './compare-files.ts'

/** What differs in each folder, by the paths of the folders. */
export type Folders = Map<string, Map<string, ComparedLine>>

/** So many names are sorted as people count, "9" before "10"; more take too long for that. */
const mostCounted = 2_000

/** A folder is another line than a file of its name. */
const keyOf = ({ name, below }: ComparedLine) => (below ? `${name}/` : name)

/** Lays a file that differs into its folder, and counts it in all above. */
export const layInto = (folders: Folders, file: ComparedFile): void => {
  const parts = file.path.split('/')
  const lay = (folder: string, line: ComparedLine): ComparedLine => {
    const lines = folders.get(folder) ?? new Map<string, ComparedLine>()
    folders.set(folder, lines)
    // Two names that read the same may both have lost their file.
    const key = line.below ? keyOf(line) : `${keyOf(line)} ${file.change}`
    const there = lines.get(key) ?? line
    lines.set(key, there)
    return there
  }
  for (const [index, name] of parts.entries()) {
    const folder = parts.slice(0, index).join('/')
    const path = parts.slice(0, index + 1).join('/')
    if (index === parts.length - 1) lay(folder, { name, path, below: null, file })
    else {
      const { below } = lay(folder, { name, path, below: noChanges(), file: null })
      if (below) below[file.change] += 1
    }
  }
}

/** Some lines of a folder, and how many there are: folders first, then as people sort. */
export const linesOf = (
  folders: Folders,
  { path, change, offset }: { path: string; change: FileChange | null; offset: number },
): { lines: ComparedLine[]; total: number } => {
  const wanted = ({ below, file }: ComparedLine) =>
    change === null || (below ? below[change] > 0 : file?.change === change)
  const lines = [...(folders.get(path)?.values() ?? [])].filter(wanted)
  const counted = new Intl.Collator('sv', { numeric: true })
  const compare = lines.length > mostCounted ? inOrder : counted.compare
  lines.sort(
    (one, other) =>
      Number(other.below !== null) - Number(one.below !== null) || compare(one.name, other.name),
  )
  return { lines: lines.slice(offset, offset + linesAtOnce), total: lines.length }
}
