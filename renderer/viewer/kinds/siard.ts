import { readSiard } from '../formats/siard.ts'
import { labelOf, SiardDatabase } from '../formats/siard-table.ts'
import { openZip } from '../formats/zip-by-parts.ts'
import type { Draw } from '../kind.ts'
import { drawDatabase } from '../parts/database.ts'

/** A database that was archived as SIARD: its header is read first, then the rows that are seen. */
export const draw: Draw = async (content, stage) => {
  const { say, language, addFacts } = stage
  const files = await openZip(content)
  const siard = await readSiard(files)
  const numbers = new Intl.NumberFormat(language)
  addFacts(
    { name: 'database', value: siard.name },
    { name: 'description', value: siard.description },
    { name: 'owner', value: siard.owner },
    { name: 'period', value: siard.origin },
    { name: 'archivist', value: siard.archivist },
    { name: 'archived', value: siard.archived },
    { name: 'origin', value: siard.product },
    { name: 'program', value: siard.program },
    { name: 'version', value: siard.version === '' ? '' : `SIARD ${siard.version}` },
    { name: 'tables', value: numbers.format(siard.tables.length) },
    { name: 'rows', value: numbers.format(siard.tables.reduce((sum, { rows }) => sum + rows, 0)) },
  )
  const database = new SiardDatabase(siard, files, stage)
  return drawDatabase(
    {
      listColumns: [
        { name: say.database.rows, isNumber: true },
        { name: say.database.columns, isNumber: true },
        { name: say.database.description },
      ],
      list: siard.tables.map((table) => ({
        id: table.id,
        label: labelOf(table, siard),
        cells: [numbers.format(table.rows), String(table.columns.length), table.description],
      })),
      open: (id, _signal, tell) => {
        const table = siard.tables.find((one) => one.id === id)
        if (!table) throw new Error(id)
        return database.open(table, tell)
      },
    },
    stage,
  )
}
