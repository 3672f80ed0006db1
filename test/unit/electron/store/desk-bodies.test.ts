import path from 'node:path'
import { expect, test } from 'vitest'
import { openDeskStore, type KnownArchive } from '../../../../electron/store/desk/desk-store.ts'
import { scratch } from '../../../support/scratch.ts'
import { someCapabilities } from '../../../archives/capabilities.ts'

const known: KnownArchive = {
  id: 'a',
  name: 'Riksarkivet',
  url: 'https://archive.example.org',
  isHere: false,
  isSample: false,
  username: 'anna',
  fullName: 'Anna Ek',
  scheme: 'Token',
  isSignedIn: true,
}
const openStore = (folder: string) => openDeskStore(path.join(folder, 'desk.sqlite'))

test('what is kept of archives is read as it was written', () => {
  using place = scratch()
  const store = openStore(place.folder)
  store.keepArchive({ ...known, since: '2026-01-01T00:00:00.000Z', ends: null, colour: 3 })
  store.keepCapabilities('a', someCapabilities)
  expect(store.archives()).toEqual([{ ...known, since: '2026-01-01T00:00:00.000Z', ends: null, colour: 3 }])
  expect(store.capabilities('a')).toEqual(someCapabilities)
  store.close()
})

test('an archive of the first version was not signed in to on its own', () => {
  using place = scratch()
  const store = openStore(place.folder)
  store.keepArchive(known)
  store.database.exec(`update archive set body = json_remove(body, '$.isSignedIn')`)
  expect(store.archives()).toEqual([{ ...known, isSignedIn: false }])
  store.close()
})

test('what an archive said in a way that is not known is asked again', () => {
  using place = scratch()
  const store = openStore(place.folder)
  store.keepCapabilities('a', someCapabilities)
  store.database.exec(`update capability set body = json_remove(body, '$.packages')`)
  expect(store.capabilities('a')).toBe(null)
  store.close()
})

test.each(['{', '[]', '{"id":"b"}'])('one archive that cannot be read, %s, hides no other', (body) => {
  using place = scratch()
  const store = openStore(place.folder)
  store.keepArchive(known)
  store.database.prepare('insert into archive (id, used, body) values (?, ?, ?)').run('b', '2', body)
  expect(store.archives()).toEqual([known])
  expect(store.database.prepare(`select body from archive where id = 'b'`).get()).toEqual({ body })
  store.close()
})

test('an order that cannot be read hides no other, and stays as it is kept', () => {
  using place = scratch()
  const store = openStore(place.folder)
  const draft = { id: '1', archive: 'a', made: '1', name: 'Plans', content: '', packages: [], placed: null }
  store.lists.keepOrderDraft(draft)
  store.lists.keepOrderDraft({ ...draft, id: '2' })
  store.database.exec(`update orderDraft set body = '{"id":' where id = '2'`)
  expect(store.lists.orderDrafts('a')).toEqual([draft])
  expect(store.database.prepare(`select body from orderDraft where id = '2'`).get()).toEqual({
    body: '{"id":',
  })
  store.close()
})

test('a search that was looked at by an earlier version was not told of', () => {
  using place = scratch()
  const store = openStore(place.folder)
  store.lists.keepSeenHits('a', 's', {
    at: '1',
    ids: ['units 1'],
    lists: ['units'],
    isWithoutIndexFilters: true,
    told: ['units 1'],
    isTold: true,
  })
  const later = ['told', 'isTold', 'lists', 'isWithoutIndexFilters'].map((name) => `'$.${name}'`).join()
  store.database.exec(`update searchLook set body = json_remove(body, ${later})`)
  expect(store.lists.seenHits('a', 's')).toEqual({
    at: '1',
    ids: ['units 1'],
    lists: null,
    isWithoutIndexFilters: false,
    told: [],
    isTold: false,
  })
  store.close()
})
