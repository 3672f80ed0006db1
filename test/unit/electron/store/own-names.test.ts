import path from 'node:path'
import { expect, test } from 'vitest'
import { heldFilters, nothing } from '../../../../electron/contract/search-filters.ts'
import { openFind } from '../../../../electron/store/search/find.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { scratch } from '../../../support/scratch.ts'

const at = '2026-01-01T00:00:00Z'
const tags = [
  { id: 1, current_version: { id: 'called', name: 'Volym 1', type: { id: 1, name: 'Akt' } } },
  { id: 2, current_version: { id: 'of-the-type', name: 'Brev', type: { id: 2, name: 'Volym' } } },
]
type Copy = ReturnType<typeof openLocalCopy>
const found = ({ cache }: Copy) =>
  openFind(cache)
    .list({ typed: 'volym', filters: heldFilters(nothing), most: 10 })
    .hits.map(({ id }) => id)

test('what is called as was typed stands before what only refers to something that is called so', () => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  copy.hold('description/tags', tags, at)
  copy.index()
  expect(found(copy)).toEqual(['description/tags called', 'description/tags of-the-type'])
  copy.close()
})

test('a copy whose words another version found is found by those of before, and then by those of now', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  const earlier = openLocalCopy(file)
  earlier.hold('description/tags', tags, at)
  earlier.index()
  earlier.writer.database.exec(
    `update definition set reader = 'specification 1' where subject = 'words';
     delete from names_tags where rowid = (select number from held where id = 'of-the-type');
     insert into names_tags (rowid, name, code) select number, 'Brev Volym', '' from held
       where id = 'of-the-type'`,
  )
  earlier.close()
  const copy = openLocalCopy(file)
  expect(found(copy)).toEqual(['description/tags of-the-type', 'description/tags called'])
  copy.index()
  expect(found(copy)).toEqual(['description/tags called', 'description/tags of-the-type'])
  copy.close()
  // Once is enough.
  const again = openLocalCopy(file)
  expect(again.cache.database.prepare('select count(*) as n from stale').get()).toEqual({ n: 0 })
  again.close()
})
