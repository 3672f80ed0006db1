import { definitionOfSubject, type Subject } from '../archive-client/held-lists.ts'
import type { Listing } from '../archive-client/listing.ts'
import type { PackageFacts } from '../archive-client/packages.ts'
import type { StorageObject } from '../archive-client/storage.ts'
import type { Unreadable } from '../contract/failure.ts'
import type { Writer } from './writer.ts'

/** An element of a list as it was read: its rows, and its own text where that is the one row's record. */
export interface NewElement {
  rows: Listing<{ id: string | number; refs?: string[] }>['rows']
  unreadable: Unreadable[]
  digest: Uint8Array
  bytes: number
  text: string | undefined
}

/** Stands for "came a second time with another content" among the elements. */
const ofTwins = 0
/** More would only say the same again. */
const mostNotes = 100

/** The rows of one list of the local copy, and what follows from them: facts of packages, copies, references. */
export const rowTable = ({ database, packages }: Writer, subject: Subject) => {
  const addElement = database.prepare(
    'insert into element (subject, place, digest, bytes, rows) values (?, ?, ?, ?, ?)',
  )
  const setElement = database.prepare('update element set digest = ?, bytes = ?, rows = ? where number = ?')
  const unknow = database.prepare(`update element set digest = x'', bytes = 0 where number = ?`)
  const dropElement = database.prepare('delete from element where number = ?')
  const rowsOf = database.prepare('select id, model from held where element = ?')
  const held = database.prepare('select element, model, raw, changed from held where subject = ? and id = ?')
  const add = database.prepare(
    'insert into held (subject, id, element, nth, position, above, model, raw, changed) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const set = database.prepare(
    'update held set element = ?, nth = ?, model = ?, raw = ?, changed = ? where subject = ? and id = ?',
  )
  const take = database.prepare('update held set element = ?, nth = ? where subject = ? and id = ?')
  const drop = database.prepare('delete from held where subject = ? and id = ?')
  const unrefer = database.prepare('delete from reference where subject = ? and id = ?')
  const refer = database.prepare('insert or ignore into reference (subject, id, target) values (?, ?, ?)')
  const forget = database.prepare('delete from unreadable where element = ? and subject = ?')
  const note = database.prepare('insert into unreadable (subject, element, path, why) values (?, ?, ?, ?)')
  const notes = database.prepare('select count(*) as n from unreadable where subject = ?')

  const noteAll = (element: number, unreadable: Unreadable[]) => {
    if (unreadable.length === 0) return
    const room = mostNotes - (notes.get(subject) as { n: number }).n
    for (const { path, why } of unreadable.slice(0, Math.max(0, room))) note.run(subject, element, path, why)
  }
  const lose = (id: string, model: string) => {
    if (subject === 'packages') packages.remove(id)
    if (subject === 'objects') packages.touch((JSON.parse(model) as StorageObject).package)
    drop.run(subject, id)
    unrefer.run(subject, id)
  }

  return {
    /**
     * Takes an element over: a new one, or one in place of a held one.
     * @param at when the change was seen, to mark rows by; null where nothing is to be marked
     * @param isTaken whether another element came in the same reading: its rows stay its own
     */
    put: (
      number: number | null,
      { digest, bytes, rows, unreadable, text }: NewElement,
      place: () => number,
      at: string | null,
      isTaken: (element: number) => boolean,
    ): number => {
      const standing = number === null ? place() : 0
      const element =
        number ?? Number(addElement.run(subject, standing, digest, bytes, rows.length).lastInsertRowid)
      const before = new Map<string, string>()
      if (number !== null) {
        setElement.run(digest, bytes, rows.length, number)
        for (const row of rowsOf.all(number) as { id: string; model: string }[]) before.set(row.id, row.model)
        forget.run(number, subject)
      }
      const troubles = [...unreadable]
      for (const [nth, { model, raw }] of rows.entries()) {
        const id = String(model.id)
        const body = text && rows.length === 1 && unreadable.length === 0 ? text : JSON.stringify(raw)
        const known = held.get(subject, id) as
          { element: number; model: string; raw: string; changed: string | null } | undefined
        if (known && known.element !== element) {
          if (isTaken(known.element)) {
            if (known.raw !== body)
              troubles.push({
                path: `/api/${definitionOfSubject(subject).path} ${id}`,
                why: `Another record has the id ${id}`,
              })
            // Where the other one loses it, this one has it: so it is read anew every time.
            unknow.run(element)
            continue
          }
          // It stood in another element, which is to be read anew when it comes.
          unknow.run(known.element)
        }
        before.delete(id)
        // Packages have their facts in a table of their own, and are read anew when they are opened.
        const kept = subject === 'packages' ? '' : JSON.stringify(model)
        if (!known)
          add.run(
            subject,
            id,
            element,
            nth,
            standing,
            (model as { parent?: string | null }).parent ?? null,
            kept,
            body,
            at,
          )
        else {
          // Read in another way than it was by an earlier version, a record that is the same has not changed.
          const isSame = known.raw === body
          if (isSame && known.model === kept) take.run(element, nth, subject, id)
          else set.run(element, nth, kept, body, isSame ? known.changed : at, subject, id)
          if (isSame && known.model === kept && subject !== 'packages') continue
        }
        // The definition of the list "packages" reads facts.
        if (subject === 'packages') packages.put(model as PackageFacts, known === undefined)
        if (subject === 'objects')
          for (const it of [kept, known?.model])
            if (it !== undefined) packages.touch((JSON.parse(it) as StorageObject).package)
        if (known) unrefer.run(subject, id)
        for (const target of model.refs ?? []) refer.run(subject, id, target)
      }
      for (const [id, model] of before) lose(id, model)
      noteAll(element, troubles)
      return element
    },
    remove: (number: number) => {
      for (const { id, model } of rowsOf.all(number) as { id: string; model: string }[]) lose(id, model)
      dropElement.run(number)
      forget.run(number, subject)
    },
    noteTwins: (twins: Unreadable[]) => {
      forget.run(ofTwins, subject)
      noteAll(ofTwins, twins)
    },
  }
}
