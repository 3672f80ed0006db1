import type { DatabaseSync } from 'node:sqlite'
import type { Subject } from '../../contract/subjects.ts'
import { heldElement, type HeldElement } from '../cache/element-cursor.ts'
import { prepare, prepareOne } from '../../common/statements.ts'

/** The elements that are held of a list: how many, and which one a new text is another version of. */
export const openHeldElements = (database: DatabaseSync, subject: Subject) => {
  const firstOf = prepare<{ element: number; nth: number }>(
    database,
    'select element, nth from held where subject = ? and id = ?',
  )
  const numbered = prepare<HeldElement>(database, `select ${heldElement} from element where number = ?`)
  /** By their digests: elements that brought no row have no id to be known by. */
  const withoutRows = new Map(
    prepare<HeldElement>(database, `select ${heldElement} from element where subject = ? and rows = 0`)
      .all(subject)
      .map((element) => [element.digest, element]),
  )
  return {
    /** The list was never complete: nothing that is held could be mixed up with what comes. */
    isFirst: database.prepare('select 1 from refreshed where subject = ?').get(subject) === undefined,
    /** How much is held when a reading begins. */
    before: prepareOne<{ elements: number; rows: number; bytes: number }>(
      database,
      `select count(*) as elements, coalesce(sum(rows), 0) as rows, coalesce(sum(bytes), 0) as bytes
            from element where subject = ?`,
    ).get(subject),
    /**
     * The element whose first record has this id. Two plain questions, since as one join it takes ten times
     * as long.
     */
    beginningWith: (id: string): HeldElement | undefined => {
      const row = firstOf.get(subject, id)
      return row?.nth === 0 ? numbered.get(row.element) : undefined
    },
    withoutRows: (digest: string): HeldElement | undefined => withoutRows.get(digest),
    addWithoutRows: (digest: string, element: HeldElement) => void withoutRows.set(digest, element),
  }
}

export type HeldElements = ReturnType<typeof openHeldElements>
