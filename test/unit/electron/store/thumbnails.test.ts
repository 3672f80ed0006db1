import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openThumbnails } from '../../../../electron/store/thumbnails.ts'
import { scratch } from '../../../support/scratch.ts'

const place = scratch()
afterAll(() => place[Symbol.dispose]())
const at = (name: string) => path.join(place.folder, name)

test('a thumbnail is kept, and that none could be made, until its archive is forgotten', () => {
  const file = at('kept.sqlite')
  const thumbnails = openThumbnails(file)
  thumbnails.keep('a', 'p', { path: 'one.tif', picture: 'AAAA' })
  thumbnails.keep('a', 'p', { path: 'two.tif', picture: null })
  thumbnails.keep('b', 'p', { path: 'one.tif', picture: 'BBBB' })
  thumbnails.close()
  const again = openThumbnails(file)
  expect(again.of('a', 'p', ['one.tif', 'two.tif', 'three.tif'])).toEqual([
    { path: 'one.tif', picture: 'AAAA' },
    { path: 'two.tif', picture: null },
  ])
  expect(again.of('a', 'q', ['one.tif'])).toEqual([])
  again.forget('a')
  expect(again.of('a', 'p', ['one.tif', 'two.tif'])).toEqual([])
  expect(again.of('b', 'p', ['one.tif'])).toHaveLength(1)
  again.close()
})

test('only so many are kept: those that were kept first go first', () => {
  const thumbnails = openThumbnails(at('many.sqlite'))
  for (let index = 0; index < 4_010; index += 1)
    thumbnails.keep('a', 'p', { path: `${index}`, picture: 'AAAA' })
  const all = Array.from({ length: 4_010 }, (_, index) => `${index}`)
  const kept = thumbnails.of('a', 'p', all).map((one) => one.path)
  expect(kept).toHaveLength(4_000)
  expect(kept).not.toContain('9')
  expect(kept).toContain('10')
  thumbnails.close()
})

test('a damaged file is begun anew', () => {
  const file = at('damaged.sqlite')
  writeFileSync(file, 'no database'.repeat(1_000))
  const thumbnails = openThumbnails(file)
  thumbnails.keep('a', 'p', { path: 'one.tif', picture: 'AAAA' })
  expect(thumbnails.of('a', 'p', ['one.tif'])).toHaveLength(1)
  thumbnails.close()
})
