import type { DatabaseSync } from 'node:sqlite'
import type { Found, QueryTerm } from '../../contract/find.ts'
import type { Subject } from '../../contract/subjects.ts'
import type { HeldRecord } from '../../dialects/models.ts'
import type { FoundRows, HeldRow } from './found-rows.ts'
import { quoted, toMatch } from './query-text.ts'
import { groupOf } from '../cache/word-index.ts'
import { prepare, prepareOne } from '../../common/statements.ts'
import { heldModel } from '../cache/held-model.ts'

const mostExact = 5
/**
 * What stands in so many names and codes is looked for in the first of them, and not in codes alone: FTS5
 * would walk through all names for a word of which there is no code.
 */
const rowsOfCommon = 20_000
const isIdentifier = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

interface Key {
  subject: Subject
  id: string
}

/** Finds what is called exactly so: by id or the beginning of one, identifier, medium, or reference code. */
export const exactMatches = (database: DatabaseSync, rows: FoundRows): ((typed: string) => Found[]) => {
  const subjects = prepare<{ subject: Subject }>(database, 'select subject from refreshed')
  const idsFrom = database.prepare('select id from package where id >= ? and id < ? limit ?')
  const identified = database.prepare(
    `select id from package where identifier in (:text, :upper, :lower)
        order by generation desc limit ${mostExact}`,
  )
  const mediumCalled = database.prepare(
    `select id from held where subject = 'media' and folded(model ->> '$.name') = folded(:text)
        limit ${mostExact}`,
  )
  const isCommon = (group: 'units' | 'tags', text: string) =>
    prepareOne<{ n: number }>(
      database,
      `select count(*) as n from (select 1 from names_${group} where names_${group} match ?
        limit ${rowsOfCommon})`,
    ).get(quoted(text)).n === rowsOfCommon
  const packagesIn = (found: Record<string, unknown>[]): Key[] =>
    found.map(({ id }) => ({ subject: 'packages', id: String(id) }))

  const byId = (text: string): Key[] => {
    const id = text.toLowerCase()
    if (isIdentifier.test(text))
      return subjects
        .all()
        .filter(({ subject }) => groupOf(subject))
        .map(({ subject }) => ({ subject, id }))
    // Every id that begins so is less than this beginning with a g, which follows the hexadecimal digits.
    return /^[0-9a-f-]{4,35}$/i.test(text) && /\d/.test(text)
      ? packagesIn(idsFrom.all(id, `${id}g`, mostExact))
      : []
  }
  /** As it is typed, and in one case: a person copies a code without minding how it is written. */
  const byIdentifier = (text: string): Key[] =>
    packagesIn(identified.all({ text, upper: text.toUpperCase(), lower: text.toLowerCase() }))
  const byMedium = (text: string): Key[] =>
    mediumCalled.all({ text }).map(({ id }) => ({ subject: 'media', id: String(id) }))
  const byCode = (text: string): Key[] => {
    const term: QueryTerm = { text, isPhrase: true, isExcluded: false, isAlternative: false, field: 'code' }
    const names = toMatch([term]).wanted[0]?.names
    if (names === undefined || !/[\p{L}\p{N}]/u.test(text)) return []
    return (['units', 'tags'] as const)
      .flatMap((group) =>
        prepare<Pick<HeldRow, 'subject' | 'id' | 'model'>>(
          database,
          `select h.subject, h.id, h.model from names_${group} w join held h on h.number = w.rowid
                where names_${group} match ? limit 50`,
        ).all(isCommon(group, text) ? quoted(text) : names),
      )
      .filter(({ model }) => heldModel<HeldRecord>(model).note.toLowerCase() === text.toLowerCase())
  }

  return (typed) => {
    const text = typed.trim()
    if (text.length < 2 || text.length > 200) return []
    const keys = [...byId(text), ...byIdentifier(text), ...byMedium(text), ...byCode(text)]
    const found = keys.flatMap(({ subject, id }) => rows.byId(subject, id) ?? [])
    const unique = [...new Map(found.map((row) => [row.number, row])).values()].slice(0, mostExact)
    return unique.map((row) => rows.show(row, []))
  }
}
