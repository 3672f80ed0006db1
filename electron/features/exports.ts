import type { Archive } from '../archives/archive.ts'
import type { Fulfils } from '../contract/define.ts'
import { mostInSheet, type exports as promised, type ListToExport } from '../contract/exports.ts'
import { Failed } from '../contract/failure.ts'
import { wholeText, type MarkedText } from '../contract/search.ts'
import { messageLine, type Language } from '../language/messages.ts'
import { csvLine } from '../packaging/csv.ts'
import { spreadsheetOf } from '../packaging/spreadsheet.ts'
import { asFileName, onDisk } from '../packaging/disk.ts'
import type { Ask } from '../questions/questions.ts'
import { replaceFile } from '../replace-file.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'
import { heldRows } from '../questions/held-rows.ts'

interface Parts {
  store: DeskStore
  ask: Ask
  language: () => Language
  chooseTarget: (what: 'list', name: string) => Promise<string | undefined>
}

type Row = Record<string, unknown>

const isMarked = (value: unknown): value is MarkedText =>
  Array.isArray(value) &&
  value.every((part: unknown) => typeof part === 'object' && part !== null && 'isMatch' in part)

const textOf = (value: unknown): string | number => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return value
  // Texts in parts, of which some matched.
  if (isMarked(value)) return wholeText(value)
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}

/** The rows that are to be written, some at a time. */
async function* rowsOf(
  ask: Ask,
  archive: string,
  exported: ListToExport,
  language: Language,
): AsyncGenerator<Row[]> {
  if (exported.list === 'rows') yield exported.rows
  else yield* heldRows({ ask, archive, messageLine: messageLine(language) }, exported, exported.isAll)
}

const cellsOf = ({ columns }: ListToExport, row: Row) => columns.map(({ key }) => textOf(row[key]))

export const exports = ({
  store,
  ask,
  language,
  chooseTarget,
}: Parts): Fulfils<typeof promised, [Archive]> => {
  const writeSheet = async (file: string, archive: string, exported: ListToExport): Promise<number> => {
    const lines: (string | number)[][] = []
    for await (const rows of rowsOf(ask, archive, exported, language())) {
      for (const row of rows) lines.push(cellsOf(exported, row))
      if (lines.length > mostInSheet) throw new Failed({ kind: 'too-many-rows', most: mostInSheet })
    }
    const headings = exported.columns.map(({ heading }) => heading)
    await replaceFile(file, await spreadsheetOf(exported.name, headings, lines))
    return lines.length
  }

  const write = async (file: string, archive: string, exported: ListToExport): Promise<number> => {
    if (exported.format === 'xlsx') return writeSheet(file, archive, exported)
    let count = 0
    const isCsv = exported.format === 'csv'
    const lineOf = (row: Row) => {
      if (isCsv) return csvLine(cellsOf(exported, row))
      const values = Object.fromEntries(exported.columns.map(({ key }) => [key, row[key] ?? null]))
      return `${count === 0 ? '\n' : ',\n'}${JSON.stringify(values)}`
    }
    async function* texts() {
      // A mark for spreadsheets, which else take the text for another encoding.
      yield isCsv ? `\ufeff${csvLine(exported.columns.map(({ heading }) => heading))}` : '['
      for await (const rows of rowsOf(ask, archive, exported, language())) {
        let text = ''
        for (const row of rows) {
          text += lineOf(row)
          count += 1
        }
        yield text
      }
      if (!isCsv) yield '\n]\n'
    }
    // A list that breaks off is no list: the file has its name when it is whole.
    await replaceFile(file, texts())
    return count
  }

  return {
    save: async ({ id: archive }, exported) => {
      const file = await chooseTarget('list', asFileName(`${exported.name}.${exported.format}`))
      if (file === undefined) return null
      const count = await onDisk(file, () => write(file, archive, exported))
      store.journal.write({
        archive,
        act: 'list.exported',
        name: exported.name,
        place: '',
        detail: `${count} ${exported.format}`,
      })
      return count
    },
  }
}
