import { readWhole } from '../content.ts'
import { Undrawable } from '../kind.ts'
import type { ZipFiles } from './zip-by-parts.ts'

export interface SiardColumn {
  name: string
  type: string
  description: string
  /** Where its files lie, as the column says. */
  folder: string
}

export interface SiardKey {
  /** Of this table, by their places. */
  columns: number[]
  table: string
  /** Of the other table, by their names. */
  referenced: string[]
}

export interface SiardTable {
  /** The folders of its schema and itself: there is one such table. */
  id: string
  schema: string
  name: string
  description: string
  columns: SiardColumn[]
  /** Places of the columns of the primary key. */
  key: number[]
  foreignKeys: SiardKey[]
  rows: number
  /** Where its rows are. */
  path: string
}

/** What a SIARD file says of itself in its header. */
export interface Siard {
  version: string
  name: string
  description: string
  owner: string
  origin: string
  archivist: string
  archived: string
  product: string
  program: string
  /** Where files that cells name lie, as the archive says. */
  folder: string
  tables: SiardTable[]
}

const mostMetadataBytes = 64 * 1024 * 1024
const mostTables = 10_000

const childrenOf = (parent: Element | undefined, name: string) =>
  [...(parent?.children ?? [])].filter(({ localName }) => localName === name)
const childOf = (parent: Element | undefined, name: string) => childrenOf(parent, name)[0]
const textOf = (parent: Element | undefined, ...names: string[]) => {
  for (const name of names) {
    const text = childOf(parent, name)?.textContent.trim()
    if (text) return unescaped(text)
  }
  return ''
}

/** What XML has no sign for is written as in a program (SIARD 2.2, P_4.2-5). */
export const unescaped = (text: string) =>
  text.replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const keyOf = (made: Element, columns: SiardColumn[], schemas: Map<string, string>): SiardKey => {
  const references = childrenOf(made, 'reference')
  const schema = textOf(made, 'referencedSchema')
  return {
    columns: references.map((one) => columns.findIndex(({ name }) => name === textOf(one, 'column'))),
    table: `${schemas.get(schema) ?? ''}/${textOf(made, 'referencedTable')}`,
    referenced: references.map((one) => textOf(one, 'referenced')),
  }
}

const tableOf = (made: Element, schema: Element, schemas: Map<string, string>): SiardTable => {
  const [schemaFolder, folder] = [textOf(schema, 'folder'), textOf(made, 'folder')]
  const columns = childrenOf(childOf(made, 'columns'), 'column').map((column) => ({
    name: textOf(column, 'name'),
    type: textOf(column, 'type', 'typeOriginal', 'typeName'),
    description: textOf(column, 'description'),
    folder: textOf(column, 'lobFolder', 'folder'),
  }))
  const key = childrenOf(childOf(made, 'primaryKey'), 'column').map(({ textContent }) => textContent.trim())
  return {
    id: `${schemaFolder}/${folder}`,
    schema: textOf(schema, 'name'),
    name: textOf(made, 'name'),
    description: textOf(made, 'description'),
    columns,
    key: key.map((name) => columns.findIndex((column) => column.name === name)),
    foreignKeys: childrenOf(childOf(made, 'foreignKeys'), 'foreignKey').map((one) =>
      keyOf(one, columns, schemas),
    ),
    rows: Number(textOf(made, 'rows')) || 0,
    path: `content/${schemaFolder}/${folder}/${folder}.xml`,
  }
}

/**
 * Reads the header of a SIARD file (1.0, 2.0, 2.1, 2.2), which says what tables there are.
 * @throws Undrawable where there is none that can be read
 */
export const readSiard = async (files: ZipFiles): Promise<Siard> => {
  const header = await files.open('header/metadata.xml')
  if (!header) throw new Undrawable('broken', 'There is no header/metadata.xml.')
  const text = new TextDecoder().decode(await readWhole(header, mostMetadataBytes))
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Undrawable('too complex')
  const root = new DOMParser().parseFromString(text, 'text/xml').documentElement
  if (root.localName !== 'siardArchive') throw new Undrawable('broken', root.localName)
  const schemaElements = childrenOf(childOf(root, 'schemas'), 'schema')
  const schemas = new Map(schemaElements.map((one) => [textOf(one, 'name'), textOf(one, 'folder')]))
  const tables = schemaElements.flatMap((schema) =>
    childrenOf(childOf(schema, 'tables'), 'table').map((one) => tableOf(one, schema, schemas)),
  )
  // What keys name are the names of tables; those that are opened go by their folders.
  const idOf = new Map(tables.map(({ id, name }) => [`${id.slice(0, id.indexOf('/'))}/${name}`, id]))
  for (const { foreignKeys } of tables) for (const key of foreignKeys) key.table = idOf.get(key.table) ?? ''
  return {
    version: root.getAttribute('version') ?? '',
    name: textOf(root, 'dbname'),
    description: textOf(root, 'description'),
    owner: textOf(root, 'dataOwner'),
    origin: textOf(root, 'dataOriginTimespan'),
    archivist: textOf(root, 'archiver'),
    archived: textOf(root, 'archivalDate'),
    product: textOf(root, 'databaseProduct'),
    program: textOf(root, 'producerApplication'),
    folder: textOf(root, 'lobFolder'),
    tables: tables.slice(0, mostTables),
  }
}
