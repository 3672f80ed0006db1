import { placePackages } from '../../electron/store/cache/placements.ts'
import { openCacheFile } from '../../electron/store/cache/cache.ts'
import { digestOf } from '../../electron/store/cache/element-cursor.ts'
import { openVocabulary } from '../../electron/store/cache/vocabulary.ts'
import { prepare, prepareOne } from '../../electron/common/statements.ts'
import { openLocalCopy } from '../desks/local-copy.ts'
import {
  creators,
  filledMedium,
  filledPolicy,
  firstMoment,
  lists,
  many,
  media,
  ofArchive,
  policies,
  readAt,
  type Mix,
  type Part,
} from './filled-records.ts'

type Copy = Pick<ReturnType<typeof openLocalCopy>, 'hold'>

/** The lists that are short, by the writer of the app. */
export const holdShortLists = (copy: Copy) => {
  copy.hold('media', many(media, filledMedium), readAt)
  copy.hold('policies', many(policies, filledPolicy), readAt)
}

/** The word of each list for a number, as SQL of a row with `n`. */
const partsInSql = (parts: Part[]) => {
  let before = 1
  return parts
    .map((part) => {
      const { length } = lists[part]
      const sql = `(select word from temp.${part}_word where i = n / ${before} % ${length})`
      before *= length
      return sql
    })
    .join(' || ')
}

/**
 * The same records as above, made by SQL: views of `n` and what the app writes of each record. A test
 * compares them with what the writer of the app writes.
 */
const views = ({ packages, copies, nodes }: Mix) => {
  const numbers = (count: number) =>
    `with recursive number (n) as (select since from chunk where since < ${count}
       union all select n + 1 from number, chunk where n + 1 < min(since + length, ${count}))`
  const idOfPackage = `printf('%08x-0000-4000-8000-000000000001', n)`
  return `
    create temp view made_package as ${numbers(packages)},
      named as (select n, ${idOfPackage} as id, ${partsInSql(['first', 'last'])} as noun,
        ${partsInSql(['a', 'b', 'c'])} as place,
        case when n % 20 = 3 then 'Received' else 'Preserved' end as state,
        strftime('%Y-%m-%dT%H:%M:%S.000Z', ${firstMoment / 1000} + n * 60, 'unixepoch') as since,
        printf('0000000%d-0000-4000-8000-000000000009', n % ${policies}) as policy,
        'Byggnadsnämnden i Östra hamnen ' || (n % ${creators}) as creator from number)
      select *, noun || ' i kvarteret ' || place || ', volym ' || n as label,
        noun || ' i kvarteret ' || place || ', volym ' || n || ' se/sta/' || n || ' ' || id as folded,
        'SE/STA/' || n as code, 1000000 + n as bytes,
        sorted(noun || ' i kvarteret ' || place) || printf(', volym %012d', n) as words,
        n < ${copies} as copies,
        '{"id":"' || id || '","label":"' || noun || ' i kvarteret ' || place || ', volym ' || n ||
        '","object_identifier_value":"SE/STA/' || n || '","package_type_display":"AIP","state":"' || state ||
        '","object_size":' || (1000000 + n) || ',"entry_date":"' || since || '","policy":"' || policy ||
        '","archived":true,"agents":{"CREATOR_ORGANIZATION":{"name":"' || creator || '"}}}' as raw,
        'AIP' || char(10) || state || char(10) || creator as body from named;
    create temp view made_copy as ${numbers(copies)},
      named as (select n, 'c' || n as id, ${idOfPackage} as ip, 'LTO-' || (n % ${media}) as medium,
        '/ess/store/LTO-' || (n % ${media}) || '/' || ${partsInSql(['a', 'b', 'c'])} || '/' || n || '.tar'
        as path from number)
      select *, '{"id":"' || id || '","package":"' || ip || '","medium":"m' || (n % ${media}) ||
        '","mediumId":"' || medium || '","path":"' || path || '","targetName":"Tape","targetPath":"LTO",' ||
        '"written":"${readAt}","container":true}' as model,
        '{"id":"' || id || '","ip":"' || ip || '","medium_id":"' || medium || '","storage_medium":"m' ||
        (n % ${media}) || '","target_name":"Tape","target_target":"LTO","content_location_type":300,' ||
        '"content_location_value":"' || path || '","last_changed_local":"${readAt}","container":true}' as raw,
        id || char(10) || 'm' || (n % ${media}) || char(10) || 'Tape' || char(10) || 'LTO' || char(10) ||
        path as body from named;
    create temp view made_node as ${numbers(nodes)},
      named as (select n, 't' || n as id, ${partsInSql(['first', 'last'])} || ' från ' ||
        ${partsInSql(['a', 'b', 'c'])} as name, n % ${ofArchive} = 0 as isTop,
        'SE/STA/A' || (n / ${ofArchive}) ||
        case when n % ${ofArchive} = 0 then '' else '/' || (n % ${ofArchive}) end as code from number),
      placed as (select *, case when isTop then null else 't' || (n / ${ofArchive} * ${ofArchive}) end
        as above from named)
      select *, '{"id":"' || id || '","title":"' || name || '","note":"' || code || '","parent":' ||
        coalesce('"' || above || '"', 'null') ||
        ',"within":null,"refs":["tag-version-types:Volym"]}' as model,
        '{"id":"' || id || '","name":"' || name || '","reference_code":"' || code || '","type":"Volym",' ||
        '"parent":' || coalesce('"' || above || '"', 'null') || '}' as raw,
        id || char(10) || 'Volym' || coalesce(char(10) || above, '') as body from placed;`
}

interface Filled {
  view: string
  subject: string
  group: string
  count: number
  /** What stands in `held` for a row of the view. */
  position: string
  above: string
  model: string
  /** The words that it is found by, as SQL. */
  name: string
  code: string
}

const filledLists = ({ packages, copies, nodes }: Mix): Filled[] => [
  {
    view: 'made_package',
    subject: 'packages',
    group: 'packages',
    count: packages,
    position: '(n + 1) * 1024',
    above: 'null',
    model: `''`,
    name: 'label',
    code: 'code',
  },
  {
    view: 'made_copy',
    subject: 'objects',
    group: 'copies',
    count: copies,
    position: '(n + 1) * 1024',
    above: 'null',
    model: 'model',
    name: `''`,
    code: 'medium',
  },
  {
    view: 'made_node',
    subject: 'description/tags',
    group: 'tags',
    count: nodes,
    position: 'n',
    above: 'above',
    model: 'model',
    name: 'name',
    code: 'code',
  },
]

type Database = ReturnType<typeof openCacheFile>

/** What a function gives to SQL is kept in memory until its statement ends. */
const rowsOfStatement = 50_000

/** Does something for each chunk of the first rows of a list, which the views give then. */
const inChunks = (database: Database, count: number, work: () => void) => {
  const next = database.prepare('update chunk set since = since + length where since + length < ?')
  database.exec('update chunk set since = 0')
  do work()
  while (next.run(count).changes > 0)
}

/** Places go round last: what comes after so many rows has no word that is new. */
const wordsGoRound = lists.a.length * lists.b.length * lists.c.length

/** Writes one list; the words of its rows too, where they are to be found. */
const fillList = (database: Database, list: Filled, isIndexed: boolean) => {
  const { view, subject, group, count, position, above, model, name, code } = list
  const { element, row } = prepareOne<{ element: number; row: number }>(
    database,
    `select coalesce((select max(number) from element), 0) + 1 as element,
       coalesce((select max(number) from held), 0) + 1 as row`,
  ).get()
  inChunks(database, count, () =>
    database.exec(`
      insert into element
        select n + ${element}, '${subject}', (n + 1) * 1024, digest(raw), octet_length(raw), 1 from ${view};
      insert into held (number, subject, id, element, nth, position, above, model, raw)
        select n + ${row}, '${subject}', id, n + ${element}, 0, ${position}, ${above}, ${model}, raw
          from ${view}`),
  )
  database.exec(`
    insert into refreshed values ('${subject}', '${readAt}');
    insert into revision values ('${subject}', 1)`)
  if (!isIndexed) return
  const text = `${name} || char(10) || ${code} || char(10) || body`
  const tables = [`names_${group}`, `words_${group}`]
  // A larger share of the index is made in memory: it is written once, and not merged again and again.
  for (const table of tables)
    database.exec(`insert into ${table} (${table}, rank) values ('hashsize', 256000000)`)
  inChunks(database, count, () =>
    database.exec(`
      insert into names_${group} (rowid, name, code) select n + ${row}, ${name}, ${code} from ${view};
      insert into words_${group} (rowid, body) select n + ${row}, ${text} from ${view}`),
  )
  for (const table of tables)
    database.exec(`insert into ${table} (${table}, rank) values ('hashsize', 1048576)`)
  const takeWords = openVocabulary(database)
  const texts = database.prepare(`select ${text} as text from ${view}`)
  inChunks(database, Math.min(count, wordsGoRound), () =>
    takeWords(texts.all().map(({ text: words }) => String(words))),
  )
}

/** Writes what the app keeps of packages and references beside their records. */
const fillBeside = (database: Database, { packages, nodes }: Mix) => {
  const { first } = prepareOne<{ first: number }>(
    database,
    `select coalesce((select number from held where subject = 'packages' order by number limit 1), 0)
       as first`,
  ).get()
  inChunks(database, packages, () =>
    database.exec(`
      insert into package (number, id, type, aic, label, identifier, state, stepState, bytes, generation,
          isLast, policy, agreement, archived, since, copies, shownState, shownBytes, shownCopies, shownSince,
          words, folded, creator)
        select n + ${first}, id, 'AIP', null, label, code, state, '', bytes, null, 0, policy, null, 1, since,
          copies, state, bytes, copies, since, words, folded, creator from made_package`),
  )
  inChunks(database, nodes, () =>
    database.exec(`
      insert into reference (subject, id, target)
        select 'description/tags', id, 'tag-version-types:Volym' from made_node`),
  )
  database.exec(`update completion set completeAt = '${readAt}'`)
}

/** Gives SQL the lists of words and the functions that the views need. */
const prepareViews = (database: Database, mix: Mix, rows: number) => {
  database.function('digest', { deterministic: true }, (raw) =>
    Buffer.from(digestOf(Buffer.from(String(raw))), 'hex'),
  )
  // Letters of these labels are in lower case, and the numbers in them are padded by SQL.
  database.function('sorted', { deterministic: true }, (text) =>
    String(text).replace(/å/g, '{').replace(/ä/g, '|').replace(/ö/g, '}'),
  )
  for (const [part, words] of Object.entries(lists)) {
    database.exec(`create temp table ${part}_word (i integer primary key, word text not null)`)
    const add = database.prepare(`insert into ${part}_word values (?, ?)`)
    for (const [index, word] of words.entries()) add.run(index, word)
  }
  database.exec('create temp table chunk (since integer not null, length integer not null)')
  database.prepare('insert into chunk values (0, ?)').run(rows)
  database.exec(views(mix))
}

/**
 * Makes a local copy of many rows in a fraction of the time that the writer of the app takes: by SQL, with
 * indexes made after the rows. The app takes it as its own.
 * @param isIndexed whether its rows can be found by their words
 * @param rows how many one statement writes
 */
export const fillCopy = (file: string, mix: Mix, isIndexed: boolean, rows = rowsOfStatement) => {
  const copy = openLocalCopy(file)
  holdShortLists(copy)
  copy.index()
  copy.close()
  const database = openCacheFile(file)
  // What is written here can be written again: a file that is half filled is not kept.
  database.exec(`pragma journal_mode = delete; pragma synchronous = off; pragma cache_size = -1500000;
    pragma threads = 2`)
  prepareViews(database, mix, rows)
  const later = prepare<{ type: string; name: string; sql: string }>(
    database,
    `select type, name, sql from sqlite_master where sql is not null
       and (type = 'trigger' or type = 'index' and tbl_name in ('element', 'held', 'package', 'reference'))`,
  ).all()
  for (const { type, name } of later) database.exec(`drop ${type} ${name}`)
  database.exec('begin')
  for (const list of filledLists(mix)) if (list.count > 0) fillList(database, list, isIndexed)
  fillBeside(database, mix)
  for (const { sql } of later) database.exec(sql)
  database.exec(placePackages)
  database.exec('commit; pragma journal_mode = wal')
  database.close()
}
