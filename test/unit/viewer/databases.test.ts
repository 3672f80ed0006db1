import { DatabaseSync } from 'node:sqlite'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inMemory, buildFrames } from '../../viewer/frames.ts'
import { sampled } from '../../viewer/specimens.ts'
import { hugeSiard, siardFile } from '../../viewer/siard.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
}, 60_000)
afterAll(() => frames.close())

/** A database of SQLite, as its bytes. */
const sqlite = (make: (database: DatabaseSync) => void) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'viewer-'))
  const file = path.join(folder, 'made.db')
  const database = new DatabaseSync(file)
  make(database)
  database.close()
  const bytes = readFileSync(file)
  rmSync(folder, { recursive: true })
  return bytes
}

const permits = (database: DatabaseSync, count: number) => {
  database.exec(`CREATE TABLE fastighet (id INTEGER PRIMARY KEY, namn TEXT NOT NULL);
    CREATE TABLE bygglov (nummer TEXT, fastighet INTEGER REFERENCES fastighet (id),
      avgift REAL, ritning BLOB);
    CREATE TABLE kod (namn TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT INTO kod VALUES ('A'), ('B');
    INSERT INTO fastighet VALUES (1, 'Oxen 4'), (7, 'Kajen 2');
    CREATE VIEW dyra AS SELECT nummer FROM bygglov WHERE avgift > 100;
    CREATE TRIGGER aldrig AFTER INSERT ON kod BEGIN DELETE FROM fastighet; END`)
  const insert = database.prepare('INSERT INTO bygglov VALUES (?, ?, ?, ?)')
  database.exec('BEGIN')
  for (let number = 1; number <= count; number += 1)
    insert.run(
      `1951-${number}`,
      number % 2 ? 1 : 7,
      number * 1.5,
      number === 2 ? Buffer.from('en ritning') : null,
    )
  database.exec('COMMIT')
}

describe('a database of SQLite', () => {
  test('lists its tables, and shows the rows of one', async () => {
    const drawn = await frames.show(
      inMemory(
        'lov.db',
        sqlite((database) => permits(database, 5000)),
      ),
    )
    expect([drawn.kind, drawn.trouble, drawn.detail]).toEqual(['sqlite', undefined, ''])
    expect(drawn.facts).toEqual([
      { name: 'tables', value: '3' },
      { name: 'views', value: '1' },
    ])
    const all = drawn.frame.getByRole('grid', { name: 'All tables' })
    await all.getByText('bygglov').click()
    const grid = drawn.frame.getByRole('grid', { name: 'bygglov' })
    await grid.getByText('1951-1', { exact: true }).waitFor()
    await drawn.frame.locator('[aria-rowcount="5001"]').waitFor()
    await grid.focus()
    await grid.press('Control+End')
    await grid.getByText('1951-5000').waitFor()
    expect(await grid.getByRole('columnheader', { name: 'fastighet' }).getAttribute('title')).toBe(
      'INTEGER, leads to fastighet',
    )
    await drawn.ask({ ask: 'act', act: 'choose', name: 'table', value: 'dyra' })
    await drawn.frame.getByRole('grid', { name: 'dyra' }).getByText('1951-67').waitFor()
    await drawn.ask({ ask: 'act', act: 'choose', name: 'table', value: 'kod' })
    await drawn.frame.getByRole('grid', { name: 'kod' }).getByText('B', { exact: true }).waitFor()
    expect(drawn.requests).toEqual([])
    await drawn.close()
  })

  test('opens a file that lies in a cell, and is searched', async () => {
    const drawn = await frames.show(
      inMemory(
        'lov.db',
        sqlite((database) => permits(database, 5000)),
      ),
    )
    await drawn.ask({ ask: 'act', act: 'choose', name: 'table', value: 'bygglov' })
    const grid = drawn.frame.getByRole('grid', { name: 'bygglov' })
    await grid.waitFor()
    await drawn.ask({ ask: 'act', act: 'find', text: '1951-4711', isBackwards: false })
    await drawn.until(({ standing }) => standing.found?.of === 1)
    expect(await grid.locator('mark').innerText()).toBe('1951-4711')
    await grid.press('Control+Home')
    await grid.getByText('file, 10 bytes').click()
    await drawn.frame.locator('pre').getByText('en ritning').waitFor()
    expect(drawn.inside).toEqual(['bygglov 2 ritning'])
    await drawn.close()
  })

  test('of which only the pages that are needed are read', async () => {
    const bytes = sqlite((database) => {
      database.exec('CREATE TABLE bild (namn TEXT, innehall BLOB)')
      const insert = database.prepare('INSERT INTO bild VALUES (?, randomblob(1000000))')
      for (let number = 0; number < 40; number += 1) insert.run(`bild ${number}`)
      database.exec('CREATE TABLE liten (a TEXT); INSERT INTO liten VALUES (1)')
    })
    const drawn = await frames.show(inMemory('bilder.sqlite', bytes))
    await drawn.frame.getByRole('grid', { name: 'All tables' }).getByText('liten').waitFor()
    expect(drawn.read).toBeLessThan(2_000_000)
    await drawn.close()
  })

  test('that is cut, or is none, ends in a sentence', async () => {
    const bytes = sqlite((database) => permits(database, 100))
    const cut = await frames.show(inMemory('lov.db', bytes.subarray(0, 3000)))
    expect([cut.kind, cut.trouble]).toEqual(['sqlite', 'broken'])
    await cut.close()
    const none = await frames.show(inMemory('lov.db', Buffer.from(`SQLite format 3\0${'x'.repeat(5000)}`)))
    expect(none.trouble).toBe('broken')
    await none.close()
  })

  test('with maps draws them beside their tables', async () => {
    const drawn = await frames.show(inMemory('karta.gpkg', sqlite(geoPackage)), { width: 1200 })
    expect(drawn.facts).toContainEqual({ name: 'featureTables', value: '1' })
    await drawn.ask({ ask: 'act', act: 'choose', name: 'table', value: 'kajer' })
    const map = drawn.frame.getByRole('img', { name: 'Map of kajer' })
    await drawn.frame.locator('.map p:not([hidden])').waitFor()
    expect(await drawn.frame.locator('.map p').innerText()).toBe('200 m')
    await map.click({ position: { x: 300, y: 353 } })
    await drawn.frame.locator('[aria-selected="true"]').getByText('Mitten').waitFor()
    await drawn.close()
  })
})

/** A geometry of a GeoPackage: its header, and what is drawn. */
const geometry = (type: number, ...rings: number[][]) => {
  const counts = type === 1 ? 0 : type === 2 ? 1 : rings.length + 1
  const bytes = Buffer.alloc(8 + 5 + counts * 4 + rings.flat().length * 8)
  bytes.write('GP')
  bytes[3] = 1
  bytes[8] = 1
  bytes.writeUInt32LE(type, 9)
  let place = 13
  if (type === 3) place = bytes.writeUInt32LE(rings.length, place)
  for (const ring of rings) {
    if (type !== 1) place = bytes.writeUInt32LE(ring.length / 2, place)
    for (const number of ring) place = bytes.writeDoubleLE(number, place)
  }
  return bytes
}

const geoPackage = (database: DatabaseSync) => {
  database.exec(`CREATE TABLE gpkg_spatial_ref_sys (srs_id INTEGER PRIMARY KEY, definition TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES (3006, 'PROJCS["SWEREF99 TM"]');
    CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
    INSERT INTO gpkg_geometry_columns VALUES ('kajer', 'geom', 3006);
    CREATE TABLE kajer (fid INTEGER PRIMARY KEY, namn TEXT, geom BLOB)`)
  const insert = database.prepare('INSERT INTO kajer VALUES (?, ?, ?)')
  insert.run(
    1,
    'Kajen',
    geometry(3, [0, 0, 1000, 0, 1000, 600, 0, 600, 0, 0], [300, 200, 700, 200, 700, 400, 300, 400, 300, 200]),
  )
  insert.run(2, 'Vägen', geometry(2, [0, 0, 400, 700, 1000, 900]))
  insert.run(3, 'Mitten', geometry(1, [500, 450]))
}

test('of a table whose text is longer than can be copied there is none', async () => {
  const make = (database: DatabaseSync) => {
    const columns = Array.from({ length: 21 }, (_, column) => `k${column}`)
    const long = columns.map(() => `printf('%.*c', 1000, 'x')`)
    database.exec(`CREATE TABLE brett (${columns.join(', ')});
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO brett SELECT ${long.join(', ')} FROM n`)
  }
  const drawn = await frames.show(inMemory('brett.db', sqlite(make)))
  const grid = drawn.frame.getByRole('grid', { name: 'brett' })
  await expect.poll(() => grid.getAttribute('aria-rowcount'), { timeout: 60_000 }).toBe('1001')
  await expect(drawn.text()).rejects.toThrow('The frame gives no text.')
  await drawn.close()
})

describe('a database whose archive is away for a while', () => {
  test('is asked again, and what is broken in it is then told as broken', async () => {
    const make = (database: DatabaseSync) => {
      permits(database, 50_000)
      database.exec('CREATE VIEW trasig AS SELECT * FROM borta')
    }
    const source = inMemory('lov.db', sqlite(make))
    let isGiven = true
    const drawn = await frames.show({
      name: source.name,
      bytes: source.bytes,
      read: (range) => (isGiven ? source.read(range) : Promise.reject(new Error('503'))),
    })
    const choose = (value: string) => drawn.ask({ ask: 'act', act: 'choose', name: 'table', value })
    isGiven = false
    await choose('bygglov')
    await drawn.frame.getByText('This could not be read.').waitFor()
    isGiven = true
    await choose('trasig')
    await drawn.until(({ trouble }) => trouble !== undefined)
    expect([drawn.trouble, drawn.detail]).toEqual(['broken', 'no such table: main.borta'])
    await drawn.close()
  })
})

describe('a database of SIARD', () => {
  test.each([
    ['more', 40],
    ['fewer', 2],
  ])('shows the rows there are where its header says %s, and says so', async (_more, said) => {
    const drawn = await frames.show(inMemory('lov.siard', await siardFile('2.1', 30, true, said)))
    await drawn.frame.getByRole('grid', { name: 'All tables' }).getByText('bygglov', { exact: true }).click()
    await drawn.until(({ notes }) => notes.length > 0)
    expect(drawn.notes).toEqual([`bygglov: the header of the database says ${said} rows, and there are 30.`])
    await drawn.frame.locator('[aria-rowcount="31"]').waitFor()
    await drawn.close()
  })

  test('shows dates whole', async () => {
    const [file] = sampled().filter(({ name }) => name.endsWith('.siard'))
    const drawn = await frames.show(inMemory('lov.siard', file?.bytes ?? ''))
    await drawn.frame.getByRole('grid', { name: 'All tables' }).getByText('bygglov').first().click()
    const cell = drawn.frame.getByText(/^1938-01-\d\d$/).first()
    await cell.waitFor()
    expect(await cell.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBeLessThanOrEqual(0)
    await drawn.close()
  })

  test.each([
    ['2.1', true],
    ['1.0', false],
  ])('of version %s lists its tables, and leads from row to row', async (version, isCompressed) => {
    const drawn = await frames.show(inMemory('lov.siard', await siardFile(version, 3000, isCompressed)))
    expect([drawn.kind, drawn.trouble, drawn.detail]).toEqual(['siard', undefined, ''])
    expect(drawn.facts).toContainEqual({ name: 'database', value: 'Bygglov' })
    expect(drawn.facts).toContainEqual({ name: 'version', value: `SIARD ${version}` })
    const all = drawn.frame.getByRole('grid', { name: 'All tables' })
    expect(await all.locator('[data-row="1"]').innerText()).toContain('3,000')
    await all.getByText('bygglov', { exact: true }).click()
    const grid = drawn.frame.getByRole('grid', { name: 'bygglov', exact: true })
    await grid.getByText('1951-0', { exact: true }).waitFor()
    await grid.focus()
    await grid.press('Control+End')
    await grid.getByText('1951-2999').waitFor()
    await grid.press('Control+Home')
    await grid.locator('[data-row="1"] [data-column="1"]').click()
    const other = drawn.frame.getByRole('grid', { name: 'fastighet', exact: true })
    await other.locator('[aria-selected="true"]').getByText('Kajen & 2').waitFor()
    expect(drawn.standing.choices?.[0]?.chosen).toBe('schema0/table0')
    expect(drawn.requests).toEqual([])
    await drawn.close()
  })

  test('opens the files of its cells, and is searched', async () => {
    const drawn = await frames.show(inMemory('lov.siard', await siardFile('2.1', 3000, true)))
    await drawn.ask({ ask: 'act', act: 'choose', name: 'table', value: 'schema0/table1' })
    const grid = drawn.frame.getByRole('grid', { name: 'bygglov' })
    await grid.waitFor()
    await drawn.ask({ ask: 'act', act: 'find', text: '1951-2718', isBackwards: false })
    await drawn.until(({ standing }) => standing.found?.of === 1)
    expect(await grid.locator('mark').innerText()).toBe('1951-2718')
    await grid.press('Control+Home')
    await grid.getByText('file, 11 bytes').click()
    await drawn.frame.locator('pre').getByText('En ritning.').waitFor()
    await drawn.close()
  })

  test('of four gigabytes shows its first rows having read little', async () => {
    const drawn = await frames.show(hugeSiard(4_300_000))
    expect([drawn.kind, drawn.trouble, drawn.detail]).toEqual(['siard', undefined, ''])
    await drawn.ask({ ask: 'act', act: 'choose', name: 'table', value: 'schema0/table1' })
    await drawn.frame.getByText('1951-0', { exact: true }).waitFor()
    expect(drawn.read).toBeLessThan(8_000_000)
    await drawn.close()
  })

  test('that is cut, or lies, ends in a sentence', async () => {
    const whole = await siardFile('2.1', 30, true)
    const cut = await frames.show(inMemory('lov.siard', whole.subarray(0, whole.length - 200)))
    expect([cut.kind, cut.trouble]).toEqual(['siard', 'broken'])
    await cut.close()
  })
})
