import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import type { WhichPackages } from '../../../../electron/contract/packages.ts'
import { exports } from '../../../../electron/features/exports.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { answersOf } from '../../../desks/answers.ts'
import { archiveOf } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const at = '2026-01-01T00:00:00Z'
const many = 1_700
const which: WhichPackages = {
  view: 'flat',
  sort: 'label',
  descending: false,
  filter: '',
  open: [],
  offset: 0,
  limit: 10,
}
const columns = ['label', 'identifier', 'bytes'].map((key) => ({
  key,
  heading: key === 'label' ? 'Namn; "å"' : key,
}))

/** The text of a member of a ZIP file. */
const readEntry = async (file: string, name: string): Promise<string> => {
  const zip = await promisify<string, { lazyEntries: boolean }, ZipFile>(yauzl.open)(file, {
    lazyEntries: true,
  })
  const entry = await new Promise<Entry>((found, failed) => {
    zip.on('entry', (next: Entry) => (next.fileName === name ? found(next) : zip.readEntry()))
    zip.on('end', () => failed(new Error(`${name} is not in ${file}`)))
    zip.readEntry()
  })
  const content = await text(
    await promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip))(entry),
  )
  zip.close()
  return content
}

const open = (folder: string) => {
  const file = path.join(folder, 'cache.sqlite')
  const copy = openLocalCopy(file)
  const labels = ['=1+1', '+46 8', '-2', '@cmd', 'plain, with "quotes"', 'two\nlines', '\tTab']
  copy.hold(
    'packages',
    Array.from({ length: many }, (_, index) => ({
      id: `p${index}`,
      label: labels[index] ?? `Label ${String(index).padStart(5, '0')}`,
      object_identifier_value: `ID/${index}`,
      package_type: 2,
      object_size: -index,
    })),
    at,
  )
  const store = openDeskStore(path.join(folder, 'desk.sqlite'))
  const { ask } = answersOf(file)
  let target = path.join(folder, 'list')
  const { save } = exports({
    store,
    ask,
    language: () => 'en',
    chooseTarget: () => Promise.resolve(target),
  })
  const saveOf = (list: Parameters<typeof save>[1]) => save(archiveOf('a'), list)
  return { ...copy, store, save: saveOf, target: () => target, aim: (file: string) => (target = file) }
}

test('all that match is saved, a window at a time, and no cell is a formula', async () => {
  using place = scratch()
  const { save, target, store, close } = open(place.folder)
  expect(
    await save({ list: 'packages', ids: null, which, columns, format: 'csv', name: 'Packages', isAll: true }),
  ).toBe(many)
  const text = readFileSync(target(), 'utf8')
  expect(text.startsWith('\ufeff"Namn; ""å""",identifier,bytes\n')).toBe(true)
  for (const cell of [
    `'=1+1,ID/0`,
    `'+46 8,ID/1`,
    `'-2,ID/2`,
    `'@cmd,ID/3`,
    `"plain, with ""quotes""",ID/4`,
    `"two\nlines",ID/5`,
    `"'\tTab",ID/6`,
    'Label 01699,ID/1699,-1699',
  ])
    expect(text).toContain(cell)
  expect(readdirSync(place.folder).filter((name) => name.endsWith('.new'))).toEqual([])
  expect([...store.journal.texts()].at(-1)).toContain('list.exported')
  store.close()
  close()
})

test('what was chosen is a spreadsheet of texts and numbers, and one that is too long says so', async () => {
  using place = scratch()
  const { save, target, store, close } = open(place.folder)
  const sheet = { list: 'packages', which, columns, format: 'xlsx', name: 'Packages [1]' } as const
  expect(await save({ ...sheet, ids: ['p3', 'p0', 'nowhere'], isAll: false })).toBe(2)
  const file = await readEntry(target(), 'xl/worksheets/sheet1.xml')
  const texts = await readEntry(target(), 'xl/sharedStrings.xml')
  expect(file).not.toContain('<f>')
  expect(file).toContain('<v>-3</v>')
  expect(texts).toContain('@cmd')
  expect(texts.indexOf('@cmd')).toBeLessThan(texts.indexOf('=1+1'))
  store.close()
  close()
})

test('what is shown is saved as it is shown; with a filter, what matches it', async () => {
  using place = scratch()
  const { save, target, store, close } = open(place.folder)
  expect(
    await save({
      list: 'packages',
      ids: null,
      which: { ...which, offset: 1_000, limit: 20 },
      columns,
      format: 'json',
      name: 'Packages',
      isAll: false,
    }),
  ).toBe(20)
  const rows = JSON.parse(readFileSync(target(), 'utf8')) as { label: string }[]
  expect(rows).toHaveLength(20)
  expect(Object.keys(rows[0] ?? {})).toEqual(['label', 'identifier', 'bytes'])
  expect(
    await save({
      list: 'packages',
      ids: null,
      which: { ...which, filter: 'label 0001' },
      columns,
      format: 'json',
      name: 'Packages',
      isAll: true,
    }),
  ).toBe(10)
  expect(
    await save({
      list: 'packages',
      ids: null,
      which: { ...which, filter: 'nothing' },
      columns,
      format: 'json',
      name: 'Packages',
      isAll: true,
    }),
  ).toBe(0)
  expect(JSON.parse(readFileSync(target(), 'utf8'))).toEqual([])
  expect(
    await save({
      list: 'rows',
      rows: [{ a: '=x', b: null, c: true }],
      columns: ['a', 'b', 'c'].map((key) => ({ key, heading: key })),
      format: 'csv',
      name: 'Rows',
      isAll: true,
    }),
  ).toBe(1)
  expect(readFileSync(target(), 'utf8')).toContain(`'=x,,true\n`)
  store.close()
  close()
})

test('a place that cannot be written to is said, and nothing half written is left', async () => {
  using place = scratch()
  const { save, aim, store, close } = open(place.folder)
  aim(path.join(place.folder, 'no', 'such', 'folder'))
  await expect(
    save({ list: 'packages', ids: null, which, columns, format: 'csv', name: 'Packages', isAll: true }),
  ).rejects.toMatchObject({ failure: { kind: 'disk', trouble: 'gone' } })
  store.close()
  close()
})
