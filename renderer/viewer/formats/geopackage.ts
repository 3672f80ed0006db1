import { quoted, type Ask } from './sqlite.ts'
import { readShapes, type Shapes } from './well-known-binary.ts'

/** What a table of a GeoPackage shows on a map. */
export interface MapLayer {
  name: string
  /** Whether places are given by longitude and latitude in degrees; else by metres of a grid. */
  isInDegrees: boolean
  /** All that is drawn, in the order of the rows. */
  features: (signal: AbortSignal) => AsyncGenerator<{ row: number; shapes: Shapes }[]>
}

const stepRows = 500

async function* featuresOf(ask: Ask, table: string, column: string, signal: AbortSignal) {
  let before: number | bigint = BigInt(Number.MIN_SAFE_INTEGER)
  for (let row = 0; !signal.aborted;) {
    const rows = await ask(
      `SELECT rowid, ${quoted(column)} FROM ${quoted(table)}
        WHERE rowid > ? ORDER BY rowid LIMIT ${stepRows}`,
      before,
    )
    const found: { row: number; shapes: Shapes }[] = []
    for (const [id, value] of rows) {
      const shapes = value instanceof Uint8Array ? readGeometry(value) : undefined
      if (shapes) found.push({ row, shapes })
      row += 1
      if (typeof id === 'number' || typeof id === 'bigint') before = id
    }
    yield found
    if (rows.length < stepRows) return
  }
}

/** Bytes of the box around a geometry, by its number in the flags. */
const boxBytes = [0, 32, 48, 48, 64]

/** A geometry with the header that a GeoPackage puts before it (OGC 12-128r19, 2.1.3). */
const readGeometry = (bytes: Uint8Array): Shapes | undefined => {
  const box = boxBytes[((bytes[3] ?? 0) >> 1) & 7]
  if (bytes[0] !== 0x47 || bytes[1] !== 0x50 || box === undefined) return undefined
  return readShapes(bytes, 8 + box)
}

/** The tables of a GeoPackage that can be drawn as maps, by their names; none in another database. */
export const openGeoPackage = async (ask: Ask): Promise<Map<string, MapLayer>> => {
  const rows = await ask(
    `SELECT g.table_name, g.column_name, lower(s.definition) FROM gpkg_geometry_columns g
      LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id`,
  ).catch(() => [])
  return new Map(
    rows.map(([table, column, definition]) => [
      String(table),
      {
        name: String(table),
        isInDegrees: String(definition).startsWith('geog'),
        features: (signal) => featuresOf(ask, String(table), String(column), signal),
      },
    ]),
  )
}
