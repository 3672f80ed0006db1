import { createHash } from 'node:crypto'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { scratch } from '../../../support/scratch.ts'

const line = (name: string) => ({ archive: 'a', act: 'session.in' as const, name, place: '', detail: '' })

test('the journal is only written on, and a line that was changed all the same is found', () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const store = openDeskStore(file)
  for (const name of ['one', 'två', 'three']) store.journal.write(line(name))
  const whole = store.journal.check()
  expect(whole).toMatchObject({ count: 3, brokenAt: null })
  expect(() => store.database.exec(`update journal set name = 'other'`)).toThrow(/only written on/)
  expect(() => store.database.exec('delete from journal')).toThrow(/only written on/)
  const lines = [...store.journal.texts()].map(
    (text) => JSON.parse(text) as { number: number; name: string; digest: string },
  )
  expect(lines.map(({ number, name }) => [number, name])).toEqual([
    [1, 'one'],
    [2, 'två'],
    [3, 'three'],
  ])
  expect(lines.at(-1)?.digest).toBe(whole.head)
  store.close()

  const tampered = (sql: string) => {
    const database = new DatabaseSync(file)
    database.exec(`drop trigger journal_stays; drop trigger journal_keeps; begin; ${sql}`)
    database.exec('commit')
    database.close()
    const again = openDeskStore(file)
    const check = again.journal.check()
    again.close()
    return check
  }
  expect(tampered(`update journal set name = 'two' where number = 2`)).toMatchObject({ brokenAt: 2 })
})

test('a line that was forged with its own digest does not fit the one after it', () => {
  using place = scratch()
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  for (const name of ['one', 'two', 'three']) store.journal.write(line(name))
  const rows = store.database
    .prepare('select number, at, archive, act, name, place, detail, digest from journal order by number')
    .all() as unknown as Record<string, string | number | Uint8Array>[]
  const [before, forged] = rows
  const words = [2, forged?.['at'], 'a', 'session.in', 'forged', '', '']
  const digest = createHash('sha256')
    .update((before?.['digest'] ?? new Uint8Array()) as Uint8Array)
    .update(JSON.stringify(words))
    .digest()
  store.database.exec('drop trigger journal_stays')
  store.database.prepare(`update journal set name = 'forged', digest = ? where number = 2`).run(digest)
  expect(store.journal.check()).toMatchObject({ brokenAt: 3 })
  store.close()
})

test('a line that was taken out of the middle is found, and an emptied end has another head', () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const store = openDeskStore(file)
  for (const name of ['one', 'two', 'three']) store.journal.write(line(name))
  const { head } = store.journal.check()
  store.database.exec('drop trigger journal_keeps; delete from journal where number = 3')
  expect(store.journal.check().head).not.toBe(head)
  store.database.exec('delete from journal where number = 1')
  expect(store.journal.check()).toMatchObject({ brokenAt: 1 })
  store.close()
})
