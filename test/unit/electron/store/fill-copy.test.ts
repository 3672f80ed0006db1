import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillCopy, holdShortLists } from '../../../bench/fill-copy.ts'
import { filledCopy, filledNode, filledPackage, many, readAt } from '../../../bench/filled-records.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const mix = { packages: 1_300, copies: 60, nodes: 2_100 }
let folder: string
let byFiller: DatabaseSync
let byWriter: DatabaseSync

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-fill-'))
  const [filled, written] = [path.join(folder, 'filled.sqlite'), path.join(folder, 'written.sqlite')]
  fillCopy(filled, mix, true, 600)
  const copy = openLocalCopy(written)
  holdShortLists(copy)
  copy.hold('packages', many(mix.packages, filledPackage), readAt)
  copy.hold('objects', many(mix.copies, filledCopy), readAt)
  copy.hold('description/tags', many(mix.nodes, filledNode), readAt)
  copy.index()
  copy.writer.transaction(() => copy.writer.complete(readAt, 0))
  copy.close()
  byFiller = new DatabaseSync(filled)
  byWriter = new DatabaseSync(written)
})
afterAll(() => {
  byFiller.close()
  byWriter.close()
  rmSync(folder, { recursive: true })
})

const all = (database: DatabaseSync, sql: string) => database.prepare(sql).all()
const both = (sql: string) => [all(byFiller, sql), all(byWriter, sql)] as const

test('a copy that is filled has the tables, indexes and triggers of the app', () => {
  const [filled, written] = both('select type, name, tbl_name, sql from sqlite_master order by type, name')
  expect(filled).toEqual(written)
  for (const pragma of ['user_version', 'journal_mode', 'integrity_check'])
    expect(all(byFiller, `pragma ${pragma}`)).toEqual(all(byWriter, `pragma ${pragma}`))
})

test('it has in every table what the writer of the app writes', () => {
  // How often something was written says nothing of what was; words are compared below.
  const apart = /^(revision|sqlite_.*|vocabulary.*|(words|names)_.*)$/
  const tables = all(byWriter, `select name from sqlite_master where type = 'table' order by name`)
    .map(({ name }) => String(name))
    .filter((name) => !apart.test(name))
  expect(tables).toContain('held')
  expect(tables).toContain('stale')
  for (const name of tables) {
    const columns = all(byWriter, `select name from pragma_table_info('${name}')`).map(
      (column) => column['name'],
    )
    const [filled, written] = both(`select * from ${name} order by ${columns.join(', ')}`)
    expect(filled, name).toEqual(written)
  }
})

test('its words are found in the same places, and its vocabulary is the same', () => {
  for (const group of ['packages', 'copies', 'media', 'tags'])
    for (const table of [`names_${group}`, `words_${group}`]) {
      for (const database of [byFiller, byWriter])
        database.exec(
          `create virtual table temp.places_${table} using fts5vocab('main', '${table}', 'instance')`,
        )
      const [filled, written] = both(
        `select term, doc, col, "offset" from places_${table} order by term, doc, col, "offset"`,
      )
      expect(filled.length, table).toBeGreaterThan(0)
      expect(filled, table).toEqual(written)
      const [settingsFilled, settingsWritten] = both(
        `select k, v from ${table}_config where k not in ('hashsize')`,
      )
      expect(settingsFilled).toEqual(settingsWritten)
    }
  const [filled, written] = both('select word from vocabulary order by word')
  expect(filled).toEqual(written)
  const [partsFilled, partsWritten] = both(
    `select v.word from vocabulary_parts p join vocabulary v on v.number = p.rowid
      where vocabulary_parts match '"rit" AND "itn"' order by v.word`,
  )
  expect(partsFilled.length).toBeGreaterThan(0)
  expect(partsFilled).toEqual(partsWritten)
})
