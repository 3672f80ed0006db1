import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** What a column can be; a boolean is 0 or 1. */
type Column = null | number | bigint | string | Uint8Array
type Columns<Row> = { [Name in keyof Row]: Column }

type Given = SQLInputValue[] | [named: Record<string, SQLInputValue>, ...unnamed: SQLInputValue[]]

/**
 * A prepared statement whose rows are known by their type.
 * @param None what stands for a row where there is none
 */
export interface Statement<Row, None = undefined> extends Omit<StatementSync, 'get' | 'all' | 'iterate'> {
  get: (...given: Given) => Row | None
  all: (...given: Given) => Row[]
  iterate: (...given: Given) => NodeJS.Iterator<Row>
}

/*
 * The types of rows are asserted here and nowhere else. A select names its columns beside the type; the
 * tables are of our own migrations, which make them strict or fill them by typed statements; and nobody else
 * writes the files. Looking at each row again would cost what an index saves. A text that is JSON is not
 * looked into here: it is parsed by whoever knows what wrote it.
 */

/** A database, or what keeps its statements. */
type Preparing = Pick<DatabaseSync, 'prepare'>

/** Prepares a statement. @param Row the columns that it names, as their table has them */
export const prepare = <Row extends Columns<Row>>(database: Preparing, sql: string) =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- see above
  database.prepare(sql) as unknown as Statement<Row>

/** The same for what always gives a row: an aggregate without groups, a pragma, an insert that returns. */
export const prepareOne = <Row extends Columns<Row>>(database: Preparing, sql: string) =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- see above
  database.prepare(sql) as unknown as Statement<Row, never>

/** The same whose rows are arrays, which are made faster where there are many. */
export const prepareArrays = <Row extends Column[]>(database: DatabaseSync, sql: string) => {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- see above
  return statement as unknown as Statement<Row>
}
