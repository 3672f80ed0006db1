import { openGeoPackage } from '../formats/geopackage.ts'
import { openSqlite } from '../formats/sqlite.ts'
import { itemsOf, openSqliteTable } from '../formats/sqlite-table.ts'
import type { Draw } from '../kind.ts'
import { drawDatabase } from '../parts/database.ts'
import { drawMap } from '../parts/map.ts'

const mostTables = 10_000

/** A database of SQLite, and a GeoPackage, which is one: read by parts, and never written. */
export const draw: Draw = async (content, stage) => {
  const { say, language, addFacts, note, signal } = stage
  const ask = await openSqlite(content, signal)
  const items = await itemsOf(ask)
  const maps = await openGeoPackage(ask)
  const numbers = new Intl.NumberFormat(language)
  const views = items.filter(({ isView }) => isView).length
  addFacts(
    { name: 'tables', value: numbers.format(items.length - views) },
    { name: 'views', value: views === 0 ? '' : numbers.format(views) },
    { name: 'featureTables', value: maps.size === 0 ? '' : numbers.format(maps.size) },
  )
  if (items.length > mostTables) note(say.database.tooManyTables(numbers.format(mostTables)))
  const { isTable, isView, isMap } = say.database
  return drawDatabase(
    {
      listColumns: [{ name: say.database.type }, { name: say.database.columns, isNumber: true }],
      list: items.slice(0, mostTables).map((item) => ({
        id: item.name,
        label: item.name,
        cells: [item.isView ? isView : maps.has(item.name) ? isMap : isTable, String(item.columnCount)],
      })),
      open: async (id) => {
        const item = items.find(({ name }) => name === id)
        if (!item) throw new Error(id)
        const table = await openSqliteTable(ask, item, stage)
        const map = maps.get(id)
        return map
          ? { ...table, beside: (goTo, ended) => drawMap(map, { stage, goTo, signal: ended }) }
          : table
      },
    },
    stage,
  )
}
