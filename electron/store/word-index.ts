import type { DatabaseSync } from 'node:sqlite'
import { describedBy, type Subject } from '../archive-client/held-lists.ts'
import { wordsOf } from '../archive-client/words.ts'
import { foundGroups, type FoundGroup } from '../contract/find.ts'

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

/** Under which heading the rows of a subject are found; what a list of description repeats of the lists that the desk works with is found there alone. */
export const groupOf = (subject: Subject): FoundGroup | undefined => {
  const list = describedBy(subject)
  if (list === undefined) return groupsOfSubjects[subject]
  return ['deliveries', 'transfers', 'events', 'notifications', 'storage-objects'].includes(list)
    ? undefined
    : (groupsOfLists[list] ?? 'others')
}

/** In long lists what is typed finds its rows by their first letters without walking through all words that begin so. */
const prefixes: Partial<Record<FoundGroup, string>> = {
  packages: '1 2 3 4 5 6 7 8',
  tags: '1 2 3 4 5 6 7 8',
  copies: '1 2 3 4 5',
  events: '1 2 3 4 5',
}
const kind = (group: FoundGroup) =>
  `content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '${prefixes[group] ?? '2 3'}'`

/** Names and codes have an index of their own: asking a column of a shared one would walk through all that matches elsewhere. */
const tables = foundGroups.map(
  (group) => `create virtual table names_${group} using fts5(name, code, ${kind(group)});
   create virtual table words_${group} using fts5(body, ${kind(group)});`,
)

/** Each archive has a range of rowids of its own in the index, so that its hits are found without walking through another's. */
const rowsOfArchive = 2n ** 40n

/** The rowids of an archive in the index: that of a row is `first` plus its number in the table of rows. */
export const rangeOf = (archiveNumber: number) => {
  const first = BigInt(archiveNumber) * rowsOfArchive
  return { first, last: first + rowsOfArchive - 1n }
}

/**
 * Every row that is written is stale until its words are in the index; `was` says that earlier ones of it are. The index follows the
 * rows, so that a long list is there to be read before all of its words are.
 */
export const wordIndexTables = `
  create table archive_number (number integer primary key, archive text not null unique) strict;
  create table stale (number integer not null, subject text not null, archive text not null, was integer not null, primary key (number, subject, archive)) strict, without rowid;
  ${tables.join('\n')}
  create trigger held_came after insert on held begin insert into stale values (new.number, new.subject, new.archive, 0) on conflict do nothing; end;
  create trigger held_changed_words after update of raw on held when new.raw is not old.raw begin insert into stale values (new.number, new.subject, new.archive, 1) on conflict do nothing; end;
  create trigger held_went after delete on held begin insert into stale values (old.number, old.subject, old.archive, 1) on conflict do nothing; end;
  insert into stale select number, subject, archive, 0 from held;`

/** Takes the index away, of this or of an earlier version. */
export const dropWordIndex = `
  drop trigger held_came; drop trigger held_changed_words; drop trigger held_went;
  drop table stale; drop table if exists archive_number;
  ${foundGroups.map((group) => `drop table names_${group}; drop table words_${group};`).join('\n')}`

interface Stale {
  number: number
  subject: Subject
  archive: string
  was: number
}

/** Brings the words of stale rows into the index, some at a time. */
export const wordIndex = (database: DatabaseSync) => {
  const waiting = database.prepare('select number, subject, archive, was from stale limit ?')
  const row = database.prepare('select raw from held where number = ? and subject = ? and archive = ?')
  const settled = database.prepare('delete from stale where number = ? and subject = ? and archive = ?')
  const known = database.prepare('select number from archive_number where archive = ?')
  const enter = database.prepare('insert into archive_number (archive) values (?) returning number')
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
  const numberOf = (archive: string) => Number((known.get(archive) ?? enter.get(archive))?.['number'])
  /** @returns how many rows were done */
  return (most: number): number => {
    const some = waiting.all(most) as unknown as Stale[]
    for (const { number, subject, archive, was } of some) {
      const group = groupOf(subject)
      const words = group && ofGroup.get(group)
      const rowid = words && rangeOf(numberOf(archive)).first + BigInt(number)
      if (words && rowid !== undefined && was === 1) {
        words.unname.run(rowid)
        words.drop.run(rowid)
      }
      const held = words && (row.get(number, subject, archive) as { raw: string } | undefined)
      if (held && rowid !== undefined) {
        const { name, code, body } = wordsOf(JSON.parse(held.raw))
        words.name.run(rowid, name, code)
        words.add.run(rowid, `${name}\n${code}\n${body}`)
      }
      settled.run(number, subject, archive)
    }
    return some.length
  }
}
