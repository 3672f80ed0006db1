import { createHash } from 'node:crypto'
import { createWriteStream, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { chance, range, run, type Place, type Studio } from './tools.ts'

const streets = ['Hamngatan', 'Kajgatan', 'Repslagargatan', 'Tullgränd', 'Smedjegatan', 'Östra promenaden']
const matters = ['Nybyggnad', 'Tillbyggnad', 'Ändring av källare', 'Inredning av vind', 'Rivning', 'Skylt']
const inspectors = ['E. Hallberg', 'K. Åberg', 'S. Norén']

interface Permit {
  id: number
  reference: string
  date: string
  property: number
  matter: string
  cost: number
}

const next = chance(1951)
const pick = <T>(all: readonly T[], otherwise: T): T => all[Math.floor(next() * all.length)] ?? otherwise

const properties = range(40).map((index) => ({
  id: index + 1,
  block: ['Oxen', 'Lejonet', 'Björnen', 'Räven', 'Ekorren', 'Hjorten', 'Svanen', 'Tranan'][index % 8] ?? '',
  number: 1 + Math.floor(index / 8),
  street: pick(streets, ''),
}))
const permits: Permit[] = range(240).map((index) => {
  const year = 1938 + Math.floor(index / 18)
  const day = String(1 + Math.floor(next() * 28)).padStart(2, '0')
  return {
    id: index + 1,
    reference: `${year}-${101 + (index % 18)}`,
    date: `${year}-${String(1 + ((index * 2) % 12)).padStart(2, '0')}-${day}`,
    property: 1 + Math.floor(next() * 40),
    matter: pick(matters, ''),
    cost: 500 + Math.floor(next() * 400) * 50,
  }
})
const inspections = permits
  .filter(({ id }) => id % 2 === 0)
  .map(({ id, date }, index) => ({
    id: index + 1,
    permit: id,
    date: `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`,
    inspector: pick(inspectors, ''),
    remark: pick(
      ['Utan anmärkning', 'Räcket i trappan saknas', 'Färgen godkänd efter prov', 'Ny syn i höst'],
      '',
    ),
  }))

interface Column {
  name: string
  type: string
  isText: boolean
}
interface Table {
  name: string
  description: string
  columns: Column[]
  rows: (string | number)[][]
  foreign?: { name: string; column: string; table: string }
}

const integer = (name: string): Column => ({ name, type: 'INTEGER', isText: false })
const words = (name: string): Column => ({ name, type: 'VARCHAR(80)', isText: true })
const day = (name: string): Column => ({ name, type: 'DATE', isText: true })

const tables: Table[] = [
  {
    name: 'fastighet',
    description: 'Fastigheter i staden',
    columns: [integer('id'), words('kvarter'), integer('nummer'), words('gata')],
    rows: properties.map(({ id, block, number, street }) => [id, block, number, street]),
  },
  {
    name: 'bygglov',
    description: 'Beviljade bygglov 1938–1951',
    columns: [
      integer('id'),
      words('diarienummer'),
      day('datum'),
      integer('fastighet'),
      words('ärende'),
      integer('kostnad'),
    ],
    rows: permits.map(({ id, reference, date, property, matter, cost }) => [
      id,
      reference,
      date,
      property,
      matter,
      cost,
    ]),
    foreign: { name: 'bygglov_fastighet', column: 'fastighet', table: 'fastighet' },
  },
  {
    name: 'syn',
    description: 'Syner efter avslutat bygge',
    columns: [integer('id'), integer('bygglov'), day('datum'), words('synare'), words('anmärkning')],
    rows: inspections.map(({ id, permit, date, inspector, remark }) => [id, permit, date, inspector, remark]),
    foreign: { name: 'syn_bygglov', column: 'bygglov', table: 'bygglov' },
  },
]

const fill = (database: DatabaseSync) => {
  for (const { name, columns, rows, foreign } of tables) {
    const defined = columns.map(
      (column) => `"${column.name}" ${column.type}${column.name === 'id' ? ' primary key' : ''}`,
    )
    const key = foreign ? [`foreign key ("${foreign.column}") references "${foreign.table}" (id)`] : []
    database.exec(`create table "${name}" (${[...defined, ...key].join(', ')})`)
    const insert = database.prepare(`insert into "${name}" values (${columns.map(() => '?').join(', ')})`)
    for (const row of rows) insert.run(...row)
  }
}

const sqlite = (file: string) => {
  rmSync(file, { force: true })
  const database = new DatabaseSync(file)
  fill(database)
  database.exec(
    'create view "lov per år" as select substr(datum, 1, 4) as år, count(*) as antal from bygglov ' +
      'group by 1; vacuum',
  )
  database.close()
}

/** A geometry of GeoPackage: its header without an envelope, and well-known binary. */
const geometry = (kind: 1 | 3, points: [number, number][]): Buffer => {
  const header = Buffer.from([0x47, 0x50, 0, 1, 0, 0, 0, 0])
  header.writeInt32LE(3006, 4)
  const count = kind === 1 ? 0 : 8
  const shape = Buffer.alloc(5 + count + points.length * 16)
  shape.writeUInt8(1, 0)
  shape.writeUInt32LE(kind, 1)
  if (kind === 3) shape.writeUInt32LE(1, 5)
  if (kind === 3) shape.writeUInt32LE(points.length, 9)
  points.forEach(([x, y], index) => {
    shape.writeDoubleLE(x, 5 + count + index * 16)
    shape.writeDoubleLE(y, 13 + count + index * 16)
  })
  return Buffer.concat([header, shape])
}

const sweref =
  'PROJCS["SWEREF99 TM",GEOGCS["SWEREF99",DATUM["SWEREF99",SPHEROID["GRS 1980",6378137,298.257222101]],' +
  'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],' +
  'PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],' +
  'PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]'

const geoTables = `pragma application_id = 0x47504b47; pragma user_version = 10300;
create table gpkg_spatial_ref_sys (srs_name text not null, srs_id integer primary key,
  organization text not null, organization_coordsys_id integer not null, definition text not null,
  description text);
create table gpkg_contents (table_name text primary key, data_type text not null, identifier text unique,
  description text default '', last_change datetime not null, min_x double, min_y double, max_x double,
  max_y double, srs_id integer references gpkg_spatial_ref_sys (srs_id));
create table gpkg_geometry_columns (table_name text not null primary key, column_name text not null,
  geometry_type_name text not null, srs_id integer not null, z tinyint not null, m tinyint not null);
create table kvarter (fid integer primary key autoincrement, geom blob, namn text);
create table kranar (fid integer primary key autoincrement, geom blob, namn text, ton integer);`

const geoPackage = (file: string) => {
  rmSync(file, { force: true })
  const database = new DatabaseSync(file)
  database.exec(geoTables)
  const system = database.prepare('insert into gpkg_spatial_ref_sys values (?, ?, ?, ?, ?, null)')
  system.run('SWEREF99 TM', 3006, 'EPSG', 3006, sweref)
  system.run('Undefined cartesian', -1, 'NONE', -1, 'undefined')
  system.run('Undefined geographic', 0, 'NONE', 0, 'undefined')
  system.run(
    'WGS 84',
    4326,
    'EPSG',
    4326,
    'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS ' +
      '84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]',
  )
  const content = database.prepare(
    `insert into gpkg_contents values (?, 'features', ?, ?, '2026-01-15T09:00:00.000Z', 568400, ` +
      `6494400, 569200, 6495000, 3006)`,
  )
  content.run('kvarter', 'Kvarter', 'Kvarteren vid Norra kajen 1947')
  content.run('kranar', 'Kranar', 'Lyftkranar på Norra kajen')
  const column = database.prepare(`insert into gpkg_geometry_columns values (?, 'geom', ?, 3006, 0, 0)`)
  column.run('kvarter', 'POLYGON')
  column.run('kranar', 'POINT')
  const block = database.prepare('insert into kvarter (geom, namn) values (?, ?)')
  const names = ['Oxen', 'Lejonet', 'Björnen', 'Räven', 'Ekorren', 'Hjorten', 'Svanen', 'Tranan']
  names.forEach((name, index) => {
    const x = 568_420 + (index % 4) * 180 + Math.floor(index / 4) * 14
    const y = 6_494_620 + Math.floor(index / 4) * 160
    block.run(
      geometry(3, [
        [x, y],
        [x + 150, y + 6],
        [x + 146, y + 118],
        [x - 4, y + 112],
        [x, y],
      ]),
      name,
    )
  })
  const crane = database.prepare('insert into kranar (geom, namn, ton) values (?, ?, ?)')
  range(4).forEach((index) =>
    crane.run(
      geometry(1, [[568_460 + index * 170, 6_494_560 + (index % 2) * 9]]),
      `Kran ${index + 1}`,
      index === 2 ? 2 : 5,
    ),
  )
  database.exec('vacuum')
  database.close()
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const siardColumn = ({ name, type }: Column) =>
  `<column><name>${name}</name><type>${type}</type><typeOriginal>${type}</typeOriginal>` +
  `<nullable>${name === 'id' ? 'false' : 'true'}</nullable></column>`

const siardTable = ({ name, description, columns, rows, foreign }: Table, index: number) =>
  [
    `<table><name>${name}</name><folder>table${index}</folder><description>${description}</description>` +
      `<columns>${columns.map(siardColumn).join('')}</columns>` +
      `<primaryKey><name>${name}_pk</name><column>id</column></primaryKey>`,
    foreign
      ? `<foreignKeys><foreignKey><name>${foreign.name}</name><referencedSchema>byggnad</referencedSchema>` +
        `<referencedTable>${foreign.table}</referencedTable><reference><column>${foreign.column}</column>` +
        `<referenced>id</referenced></reference></foreignKey></foreignKeys>`
      : '',
    `<rows>${rows.length}</rows></table>`,
  ].join('')

const siardMetadata = (contentDigest: string) => `<?xml version="1.0" encoding="UTF-8"?>
<siardArchive xmlns="http://www.bar.admin.ch/xmlns/siard/2/metadata.xsd" version="2.1">
<dbname>Byggnadsnämndens register</dbname><description>Bygglov och syner 1938–1951</description>
<archiver>Stadsarkivet</archiver><dataOwner>Byggnadsnämnden</dataOwner>
<dataOriginTimespan>1938–1951</dataOriginTimespan><producerApplication>Lectern sample</producerApplication>
<archivalDate>2026-01-15</archivalDate>
<messageDigest><digestType>SHA-256</digestType><digest>${contentDigest}</digest></messageDigest>
<databaseProduct>SQLite</databaseProduct>
<schemas><schema><name>byggnad</name><folder>schema0</folder>
<tables>${tables.map(siardTable).join('\n')}</tables>
<views><view><name>lov per år</name>
<query>select substr(datum, 1, 4), count(*) from bygglov group by 1</query>
<columns><column><name>år</name><type>VARCHAR(4)</type></column></columns></view></views></schema></schemas>
<users><user><name>byggnad</name></user></users>
</siardArchive>
`

const tableXml = ({ columns, rows }: Table, index: number) => {
  const space = `http://www.bar.admin.ch/xmlns/siard/2/schema0/table${index}.xsd`
  const cells = (row: (string | number)[]) =>
    columns
      .map((_, column) => `<c${column + 1}>${escaped(String(row[column] ?? ''))}</c${column + 1}>`)
      .join('')
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<table xmlns="${space}" ` +
    `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${space} ` +
    `table${index}.xsd">\n` +
    `${rows.map((row) => `<row>${cells(row)}</row>`).join('\n')}\n</table>\n`
  )
}

const tableSchema = ({ columns, rows }: Table, index: number) => {
  const space = `http://www.bar.admin.ch/xmlns/siard/2/schema0/table${index}.xsd`
  const fields = columns.map(
    ({ isText, type }, column) =>
      `<xs:element name="c${column + 1}" ` +
      `type="xs:${type === 'DATE' ? 'date' : isText ? 'string' : 'integer'}" minOccurs="0"/>`,
  )
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" ` +
    `xmlns="${space}" ` +
    `targetNamespace="${space}" elementFormDefault="qualified"><xs:element name="table">` +
    `<xs:complexType><xs:sequence>` +
    `<xs:element name="row" type="recordType" minOccurs="0" maxOccurs="${rows.length}"/>` +
    `</xs:sequence></xs:complexType>` +
    `</xs:element><xs:complexType name="recordType"><xs:sequence>${fields.join('')}</xs:sequence>` +
    `</xs:complexType></xs:schema>\n`
  )
}

const archived = { mtime: new Date('2026-01-15T08:00:00Z'), compress: true }

/** The register as SIARD 2.1 (eCH-0165): tables with keys, in a zip. */
const siard = async (file: string) => {
  const zip = new ZipFile()
  const digest = createHash('sha256')
  zip.addEmptyDirectory('header/siardversion/2.1', { mtime: archived.mtime })
  tables.forEach((table, index) => {
    const folder = `content/schema0/table${index}/table${index}`
    const content = tableXml(table, index)
    digest.update(content)
    zip.addBuffer(Buffer.from(content), `${folder}.xml`, archived)
    zip.addBuffer(Buffer.from(tableSchema(table, index)), `${folder}.xsd`, archived)
  })
  zip.addBuffer(Buffer.from(siardMetadata(digest.digest('hex'))), 'header/metadata.xml', archived)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(file))
}

/** The register of permits as SIARD, as SQLite and as a map. */
export const makeDatabases = async (place: Place) => {
  await siard(place('1/bygglov 1938–1951.siard'))
  sqlite(place('1/bygglov 1938–1951.sqlite'))
  geoPackage(place('1/norra kajen 1947.gpkg'))
  writeFileSync(
    place('1/läs mig.txt'),
    'Registret fördes på kort till 1951 och lades in i en databas 1996.\nTabellerna: fastighet, ' +
      'bygglov, syn.\n',
  )
}

const accounts = (year: number, isCorrected: boolean) => {
  const random = chance(year)
  const posts = [
    'Hamnavgifter',
    'Magasinshyror',
    'Löner',
    'Kol och koks',
    'Underhåll av kranar',
    'Belysning',
    'Is',
    'Porto',
  ]
  return range(96).map((index) => {
    const month = String(1 + Math.floor(index / 8)).padStart(2, '0')
    const amount = 40 + Math.floor(random() * 4000) / 10
    const isWrong = index === 21 && !isCorrected
    return [
      `${year}-${month}-${String(3 + (index % 8) * 3).padStart(2, '0')}`,
      String(301 + (index % 8)),
      posts[index % 8] ?? '',
      (isWrong ? amount * 10 : amount).toFixed(2),
    ]
  })
}

const sheet = (studio: Studio, csv: string, format: string, target: string) => {
  writeFileSync(studio.spare('accounts.csv'), csv)
  run(
    'soffice',
    '--headless',
    `-env:UserInstallation=file://${studio.spare('office')}`,
    '--infilter=CSV:44,34,76',
    '--convert-to',
    format,
    '--outdir',
    studio.spare('saved'),
    studio.spare('accounts.csv'),
  )
  writeFileSync(target, readFileSync(studio.spare(`saved/accounts.${format}`)))
}

const head = ['datum', 'konto', 'post', 'belopp']
const joined = (rows: string[][], sign: string, end: string) =>
  [head, ...rows].map((row) => `${row.join(sign)}${end}`).join('')

/** The accounts of the harbour: separated by commas, semicolons and tabs, and as sheets. */
export const makeAccounts = (studio: Studio, place: Place) => {
  writeFileSync(place('1/räkenskaper 1938.csv'), joined(accounts(1938, false), ',', '\n'))
  writeFileSync(place('2/räkenskaper 1938.csv'), joined(accounts(1938, true), ',', '\n'))
  const swedish = accounts(1939, true).map((row) =>
    row.map((cell, at) => (at === 3 ? cell.replace('.', ',') : cell)),
  )
  writeFileSync(
    place('1/räkenskaper 1939 (semikolon).csv'),
    Buffer.from(joined(swedish, ';', '\r\n'), 'latin1'),
  )
  writeFileSync(place('1/räkenskaper 1940.tsv'), joined(accounts(1940, true), '\t', '\n'))
  sheet(studio, joined(accounts(1941, true), ',', '\n'), 'xlsx', place('1/räkenskaper 1941.xlsx'))
  sheet(studio, joined(accounts(1942, true), ',', '\n'), 'ods', place('1/räkenskaper 1942.ods'))
}
