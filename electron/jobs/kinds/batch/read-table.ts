import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '../../../common/errors.ts'
import { openRequestThread } from '../../../common/request-thread.ts'
import { Failed } from '../../../contract/failure.ts'
import { onDisk, readChosen } from '../../../packaging/disk.ts'
import type { ReadTable, Table, TableFile } from './table-cells.ts'

const mostBytes = 64 * 1024 * 1024
/** Of the thread that reads a table: a hundred thousand rows of twenty columns need less. */
const mostMemoryMB = 2_048

const badTable = (file: string, detail: string) => new Failed({ kind: 'bad-table', path: file, detail })

/** Reads a table in a thread of its own, which ends with that and gives its memory back. */
const readInThread = async (file: string, bytes: Buffer, script: URL): Promise<ReadTable> => {
  const thread = openRequestThread<TableFile>({
    task: 'reads a table',
    script,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMB },
    ended: (error) =>
      codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY'
        ? badTable(file, `its cells need more than ${mostMemoryMB} MB of memory`)
        : error,
  })
  try {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- what `readCells` gives
    return (await thread.request({ name: path.basename(file), bytes })) as ReadTable
  } finally {
    await thread.close()
  }
}

/**
 * Reads a CSV (comma, semicolon or tab; UTF-8, UTF-16 or Windows-1252) or the first sheet of an XLSX. Its
 * first row holds the headings.
 * @param script that of the thread that reads tables
 * @throws Failed bad-table with what is wrong and where; disk where it cannot be read
 */
export const readTable = async (file: string, script: URL): Promise<Table> => {
  const bytes = await readChosen(file, (why) => badTable(file, why), mostBytes)
  const read = await readInThread(file, bytes, script)
  if ('wrong' in read) throw badTable(file, read.wrong)
  return read
}

/**
 * A folder as a table: one row a folder in it, hidden ones left out. A link has a row too, which says that
 * nothing is packed of it.
 */
export const readFolder = async (folder: string): Promise<Table> => {
  const entries = await onDisk(folder, () => readdir(folder, { withFileTypes: true }))
  const names = entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => name)
  if (names.length === 0) throw badTable(folder, 'there is no folder in it')
  return {
    columns: ['source', 'name'],
    rows: names.sort((a, b) => a.localeCompare(b)).map((name) => [path.join(folder, name), name]),
  }
}
