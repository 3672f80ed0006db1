import type { DatabaseSync } from 'node:sqlite'
import type { Dialect } from '../../dialects/dialect.ts'
import { foundGroups, type FoundGroup } from '../../contract/find.ts'
import { describedBy, type Subject } from '../../contract/subjects.ts'
import { prepare } from '../../common/statements.ts'
import { openMending, recordText } from './bundles.ts'
import { openVocabulary } from './vocabulary.ts'

const groupsOfSubjects: Partial<Record<Subject, FoundGroup>> = {
  packages: 'packages',
  objects: 'copies',
  media: 'media',
  deliveries: 'deliveries',
  transfers: 'transfers',
  events: 'events',
  notifications: 'events',
}
const groupsOfLists: Partial<Record<string, FoundGroup>> = {
  agents: 'agents',
  'structure-units': 'units',
  tags: 'tags',
  locations: 'locations',
  structures: 'structures',
  orders: 'orders',
}

/**
 * Under which heading the rows of a subject are found; what a list of description repeats of the lists that
 * the desk works with is found there alone.
 */
export const groupOf = (subject: Subject): FoundGroup | undefined => {
  const list = describedBy(subject)
  if (list === undefined) return groupsOfSubjects[subject]
  // A search that is kept would find itself.
  return ['me/searches', 'deliveries', 'transfers', 'events', 'notifications', 'storage-objects'].includes(
    list,
  )
    ? undefined
    : (groupsOfLists[list] ?? 'others')
}

/**
 * In long lists what is typed finds its rows by their first letters without walking through all words that
 * begin so.
 */
const prefixes: Partial<Record<FoundGroup, string>> = {
  packages: '1 2 3 4 5 6 7 8',
  tags: '1 2 3 4 5 6 7 8',
  copies: '1 2 3 4 5',
  events: '1 2 3 4 5',
}
const kind = (group: FoundGroup) =>
  `content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = ` +
  `'${prefixes[group] ?? '2 3'}'`

/**
 * Names and codes have an index of their own: asking a column of a shared one would walk through all that
 * matches elsewhere.
 */
const tables = foundGroups.map(
  (group) => `create virtual table names_${group} using fts5(name, code, ${kind(group)});
   create virtual table words_${group} using fts5(body, ${kind(group)});`,
)

/**
 * Every row that is written is stale until its words are in the index; `was` says that earlier ones of it
 * are. The index follows the rows, so that a long list is there to be read before all of its words are.
 */
export const wordIndexTables = `
  create table stale (number integer not null, subject text not null, was integer not null,
    primary key (number, subject)) strict, without rowid;
  ${tables.join('\n')}
  create trigger held_came after insert on held begin insert into stale values (new.number, new.subject, 0)
    on conflict do nothing; end;
  create trigger held_changed_words after update of raw on held
    when new.raw is not old.raw begin insert into stale values (new.number, new.subject, 1)
    on conflict do nothing; end;
  create trigger held_went after delete on held begin insert into stale values (old.number, old.subject, 1)
    on conflict do nothing; end;`

interface Stale {
  number: number
  subject: Subject
  was: number
}

/** Brings the words of stale rows into the index, some at a time. */
export const wordIndex = (database: DatabaseSync, { wordsOf }: Pick<Dialect, 'wordsOf'>) => {
  const waiting = prepare<Stale>(database, 'select number, subject, was from stale limit ?')
  const row = prepare<{ raw: string | null }>(
    database,
    `select ${recordText} from held where number = ? and subject = ?`,
  )
  const mend = openMending(database)
  const takeWords = openVocabulary(database)
  const unmark = database.prepare('delete from stale where number = ? and subject = ?')
  const ofGroup = new Map(
    foundGroups.map((group) => [
      group,
      {
        name: database.prepare(`insert into names_${group} (rowid, name, code) values (?, ?, ?)`),
        add: database.prepare(`insert into words_${group} (rowid, body) values (?, ?)`),
        unname: database.prepare(`delete from names_${group} where rowid = ?`),
        drop: database.prepare(`delete from words_${group} where rowid = ?`),
      },
    ]),
  )
  /** @returns how many rows were done */
  return (most: number): number => {
    const some = waiting.all(most)
    const texts: string[] = []
    for (const { number, subject, was } of some) {
      const group = groupOf(subject)
      const words = group && ofGroup.get(group)
      if (words && was === 1) {
        words.unname.run(number)
        words.drop.run(number)
      }
      const held = words && row.get(number, subject)
      if (held?.raw === null) mend(number)
      else if (held) {
        const { name, code, body } = wordsOf(JSON.parse(held.raw))
        words.name.run(number, name, code)
        const text = `${name}\n${code}\n${body}`
        words.add.run(number, text)
        texts.push(text)
      }
      unmark.run(number, subject)
    }
    takeWords(texts)
    return some.length
  }
}
