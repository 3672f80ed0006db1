import { randomUUID } from 'node:crypto'
import { storedBody, type Body, type Database } from '../database.ts'
import { typeOfFile } from './file-types.ts'
import { isRecord } from '../../common/records.ts'
import { prepare, prepareOne } from '../../common/statements.ts'
import { idsIn, keyOf, textOf } from '../http/body-values.ts'

/** The indices of the search, by the names that a query may give (specification 4.3). */
export type Part = 'archive' | 'component' | 'structure_unit' | 'document'

/** One object as the search finds it; `body` is what a hit shows of it. */
interface Entry {
  id: string
  part: Part
  type: string
  extension: string
  package: string | null
  body: Body
  content: string
}

/**
 * A filter as a word that the index can hold: a letter for the filter, and its value as hexadecimal digits,
 * so that no tokenizer cuts it. With it a filter costs what a word of the query costs, whatever else is
 * asked.
 */
export const mark = (
  filter: 'extension' | 'type' | 'part' | 'archive' | 'agent' | 'restricted',
  value: string,
) => {
  const letter = { extension: 'x', type: 't', part: 'p', archive: 'a', agent: 'g', restricted: 'r' }[filter]
  return `${letter}${Buffer.from(value.normalize('NFC').toLowerCase()).toString('hex')}`
}

/** Stands with every entry: a query that names nothing finds all. */
export const everyMark = 'every'

/** A hit shows as much of a description, and is found by it. */
const longestDescription = 20_000

const write = (
  { statements }: Database,
  { id, part, type, extension, package: of, body, content }: Entry,
  isRestricted: boolean,
) => {
  const known = prepare<{ seq: number }>(statements, 'select seq from indexed where id = ?').get(id)
  if (known) {
    statements.prepare('delete from indexed where seq = ?').run(known.seq)
    statements.prepare('delete from words where rowid = ?').run(known.seq)
  }
  const { lastInsertRowid } = statements
    .prepare(
      'insert into indexed (id, part, type, extension, package, body, content) values (?, ?, ?, ?, ?, ?, ?)',
    )
    .run(id, part, type, extension, of, JSON.stringify(body), content)
  const archive = body['archive']
  const marks = [
    everyMark,
    mark('part', part),
    mark('type', type),
    ...(extension === '' ? [] : [mark('extension', extension)]),
    ...(isRecord(archive) ? [mark('archive', String(archive['id']))] : []),
    ...idsIn(body['agents']).map((agent) => mark('agent', agent)),
    ...(isRestricted ? [mark('restricted', 'yes')] : []),
  ]
  statements
    .prepare(
      `insert into words (rowid, reference_code, name, description, content, marks)
          values (?, ?, ?, ?, ?, ?)`,
    )
    .run(
      lastInsertRowid,
      textOf(body['reference_code']),
      textOf(body['name']),
      textOf(body['desc']),
      content,
      marks.join(' '),
    )
}

/** The top-level resource that a tag stands in: itself, where it has no parent. */
const archiveOf = (tag: Body, { one }: Database): Body => {
  const seen = new Set<string>()
  let top = tag
  for (let parent = top['parent']; typeof parent === 'string' && !seen.has(parent); parent = top['parent']) {
    seen.add(parent)
    top = one('tag', parent) ?? { ...top, parent: null }
  }
  return top
}

interface Place {
  archive: Body | null
  agents: string[]
}

/** Where a tag stands and who made it: what its own hit says, and those of the documents it names. */
const placeOf = (tag: Body, database: Database): Place => {
  const archive = archiveOf(tag, database)
  const agents = [tag['agent'], archive['agent']].filter((id) => typeof id === 'string')
  return {
    archive: { id: archive['id'], name: archive['name'], reference_code: archive['reference_code'] },
    agents: [...new Set(agents)],
  }
}

/**
 * Enters a tag, and its place in the description into the documents of the package that it names. Call it
 * inside a transaction.
 */
export const indexTag = (tag: Body, database: Database) => {
  const { one } = database
  const about = tag['information_package']
  const { archive, agents } = placeOf(tag, database)
  const type = textOf(one('tag version type', keyOf(tag['type']))?.['name'])
  const unit = one('structure unit', keyOf(tag['structure_unit']))
  const structure = one('structure', keyOf(tag['structure']))
  const body = {
    id: tag['id'],
    name: tag['name'],
    desc: textOf(tag['description']).slice(0, longestDescription),
    reference_code: tag['reference_code'],
    type,
    current_version: true,
    archive,
    agents,
    start_date: tag['start_date'],
    end_date: tag['end_date'],
    structure_units: unit
      ? [
          {
            id: unit['id'],
            name: unit['name'],
            reference_code: unit['reference_code'],
            structure: structure ? { id: structure['id'], name: structure['name'] } : null,
          },
        ]
      : [],
  }
  write(
    database,
    {
      id: String(tag['id']),
      part: tag['parent'] === null ? 'archive' : 'component',
      type,
      extension: '',
      package: null,
      body,
      content: '',
    },
    typeof about === 'string' && isHidden(about, database),
  )
  if (typeof about === 'string') placeDocuments(about, { archive, agents }, database)
}

/** Generations that belong together: the packages of an AIC, or the one package. */
const familyOf = (id: string, { one, where }: Database) => {
  const found = one('information package', id)
  const aic = found?.['package_type'] === 1 ? id : found?.['aic']
  return typeof aic === 'string'
    ? where('information package', 'aic', aic).map((generation) => String(generation['id']))
    : [id]
}

const placeDocuments = (of: string, place: Place, database: Database) => {
  const { statements } = database
  const last = prepareOne<{ seq: number | null }>(
    statements,
    'select max(seq) as seq from indexed where package = ?',
  )
  for (const id of familyOf(of, database)) {
    const { seq } = last.get(id)
    if (seq !== null)
      statements
        .prepare('insert or replace into placing (package, place, last) values (?, ?, ?)')
        .run(id, JSON.stringify(place), seq)
  }
  indexSlice(database)
}

const isHidden = (id: string, { statements }: Database) =>
  statements.prepare('select 1 from hidden_package where id = ?').get(id) !== undefined

/** Enters a structure unit. Call it inside a transaction. */
export const indexUnit = (unit: Body, database: Database) => {
  const type = textOf(unit['type'])
  const description = textOf(unit['description']).slice(0, longestDescription)
  const body = {
    ...unit,
    description,
    desc: description,
    archive: null,
    agents: [],
    structure: unit['structure'],
  }
  write(
    database,
    { id: String(unit['id']), part: 'structure_unit', type, extension: '', package: null, body, content: '' },
    false,
  )
}

/** What may be entered before others have their turn: some 50 ms of work, or one text. */
const sliceOf = () => {
  let [objects, characters] = [50, 200_000]
  return {
    isLeft: () => objects > 0 && characters > 0,
    take: (text: string) => {
      objects -= 1
      characters -= text.length
    },
  }
}
type Slice = ReturnType<typeof sliceOf>

const documentOf = (
  aip: Body,
  { name, bytes }: { name: string; bytes: number },
  { archive, agents }: Place,
) => {
  const inside = name.replace(/^data\//, '')
  const filename = inside.slice(inside.lastIndexOf('/') + 1)
  const { extension, type } = typeOfFile(filename)
  const id = randomUUID()
  const body: Body = {
    id,
    name: inside,
    desc: '',
    reference_code: String(aip['object_identifier_value']),
    type,
    current_version: true,
    filename,
    // The folder in the package, as its files are asked for.
    href: `content/${name.slice(0, -filename.length - 1)}`,
    extension,
    size: bytes,
    modified: aip['create_date'],
    ip: aip['id'],
    archive,
    agents,
    structure_units: [],
    start_date: aip['start_date'],
    end_date: aip['end_date'],
  }
  return { id, part: 'document' as const, type, extension, package: String(aip['id']), body }
}

/** Enters files of the first package that has some waiting. @returns false where there is none */
const enterFiles = (database: Database, slice: Slice): boolean => {
  const { statements, one, where } = database
  const waiting = statements.prepare('select package, agents from indexing limit 1').get()
  if (!waiting) return false
  const id = String(waiting['package'])
  const aip = one('information package', id)
  if (!aip) throw new Error(`There is no package ${id} to enter the files of.`)
  const tag = [...familyOf(id, database), String(aip['aic'])].flatMap((member) =>
    where('tag', 'information_package', member),
  )[0]
  const { archive, agents } = tag ? placeOf(tag, database) : { archive: null, agents: [] }
  const place = {
    archive,
    agents: [...new Set([...idsIn(JSON.parse(String(waiting['agents']))), ...agents])],
  }
  const isRestricted = isHidden(id, database)
  const next = prepare<{ name: string; bytes: number; content: string }>(
    statements,
    'select name, bytes, content from extracted where package = ? order by name limit 1',
  )
  const done = statements.prepare('delete from extracted where package = ? and name = ?')
  while (slice.isLeft()) {
    const file = next.get(id)
    if (!file) {
      statements.prepare('delete from indexing where package = ?').run(id)
      return true
    }
    write(database, { ...documentOf(aip, file, place), content: file.content }, isRestricted)
    done.run(id, file.name)
    slice.take(file.content)
  }
  return true
}

/** Moves entries of the first package whose place has changed. @returns false where there is none */
const moveEntries = (database: Database, slice: Slice): boolean => {
  const { statements } = database
  const waiting = statements.prepare('select package, place, last from placing limit 1').get()
  if (!waiting) return false
  const id = String(waiting['package'])
  const place = storedBody(String(waiting['place']))
  const isRestricted = isHidden(id, database)
  // What is written anew comes after the last that was there.
  const next = prepare<Omit<Entry, 'body'> & { body: string }>(
    statements,
    'select * from indexed where package = ? and seq <= ? order by seq limit 1',
  )
  while (slice.isLeft()) {
    const row = next.get(id, Number(waiting['last']))
    if (!row) {
      statements.prepare('delete from placing where package = ?').run(id)
      return true
    }
    write(database, { ...row, body: { ...storedBody(row.body), ...place } }, isRestricted)
    slice.take(row.content)
  }
  return true
}

/**
 * Enters some of the documents that wait to be entered or moved. Call it inside a transaction.
 * @returns whether more of them may wait
 */
export const indexSlice = (database: Database): boolean => {
  const slice = sliceOf()
  while (slice.isLeft()) if (!enterFiles(database, slice) && !moveEntries(database, slice)) return false
  return true
}

/**
 * Names files of a package that is about to come, so that their texts can be kept until it is entered. Call
 * it inside a transaction.
 */
export const listFiles = (
  { statements }: Database,
  of: string,
  files: readonly { name: string; bytes: number }[],
) => {
  const list = statements.prepare(
    `insert into extracted (package, name, bytes, content) values (?, ?, ?, '') on conflict do update
        set bytes = excluded.bytes`,
  )
  for (const { name, bytes } of files) list.run(of, name, bytes)
}
/**
 * Keeps the text of a file that was listed until its package is entered: only one text at a time is in
 * memory. Call it inside a transaction.
 */
export const keepText = ({ statements }: Database, of: string, name: string, content: string) => {
  statements.prepare('update extracted set content = ? where package = ? and name = ?').run(content, of, name)
}

/**
 * Enters the files of a preserved package by their names and texts: the first of them at once, the rest by
 * `watchIndex`. Call it inside the transaction that enters the package, after `listFiles` and `keepText`.
 * @param agents ids of authority records that the files come from
 */
export const indexDocuments = (aip: Body, agents: string[], database: Database) => {
  database.statements
    .prepare('insert or replace into indexing (package, agents) values (?, ?)')
    .run(String(aip['id']), JSON.stringify(agents))
  indexSlice(database)
}

/** Enters what was described before there was an index. */
export const indexWhatIsThere = (database: Database) => {
  const { n } = prepareOne<{ n: number }>(database.statements, 'select count(*) as n from indexed').get()
  if (n > 0) return
  database.transaction(() => {
    for (const tag of database.walk('tag')) indexTag(tag, database)
    for (const unit of database.walk('structure unit')) indexUnit(unit, database)
  })
}
