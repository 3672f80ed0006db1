import { expect, test, vi } from 'vitest'
import { filtersOf } from '../../renderer/state/place-filters.ts'
import {
  addressBehindReader,
  addressOf,
  closeOpen,
  go,
  leaveGuide,
  leaveReader,
  narrow,
  onward,
  place,
  placeNames,
  railPlaceOf,
  readFromRow,
  railPlaces,
  renameOpen,
  settle,
} from '../../renderer/state/place.svelte.ts'
import { goToReader } from '../../renderer/state/reader-address.ts'

test('what a list is narrowed to is in the address: it stays beside a record, and back brings it again', async () => {
  go('packages', '', '')
  narrow({ state: ['Failed', 'On & off'], year: ['2024'] })
  expect(filtersOf(place.query)).toEqual({ state: ['Failed', 'On & off'], year: ['2024'] })
  go('packages', 'a/b')
  expect([place.id, filtersOf(place.query)['year']]).toEqual(['a/b', ['2024']])
  expect(addressOf('packages', 'c')).toBe(`#/packages/c?${place.query}`)
  expect(addressOf('orders', 'c')).toBe('#/orders/c')
  const endless = new URLSearchParams({ state: 'x'.repeat(10_000) }).toString()
  expect(filtersOf(`${endless}${'&year=1'.repeat(1_000)}`)).toEqual({
    state: ['x'.repeat(500)],
    year: Array.from({ length: 100 }, () => '1'),
  })
  narrow({ text: ['o'] }, true)
  narrow({ text: ['ox'] }, true)
  history.back()
  await vi.waitFor(() => expect(place.id).toBe(''))
  expect(filtersOf(place.query)).toEqual({ state: ['Failed', 'On & off'], year: ['2024'] })
})

test('whoever has gone elsewhere while a command was carried out is not called back', () => {
  go('orders', 'draft')
  const goOn = onward()
  go('packages')
  goOn('orders', '7')
  expect([place.name, place.id]).toEqual(['packages', ''])

  go('orders', 'draft')
  onward()('orders', '7')
  expect([place.name, place.id]).toEqual(['orders', '7'])
})

test('a command goes on where the page alone has changed its address meanwhile', () => {
  go('reader', 'a', '')
  const goOn = onward()
  settle('path=first')
  goOn('transfers', '7')
  expect([place.name, place.id]).toEqual(['transfers', '7'])

  go('orders', 'draft')
  const open = onward()
  renameOpen('orders', { from: 'draft', to: '8' })
  open('orders', '9')
  expect([place.name, place.id]).toEqual(['orders', '9'])
})

test('whoever came back meanwhile by a link of which the event comes late has been elsewhere', () => {
  go('orders')
  const goOn = onward()
  go('packages')
  location.hash = '#/orders'
  goOn('orders', '7')
  expect([place.name, place.id]).toEqual(['orders', ''])
})

test('what is open is closed with its archive, and what belongs to none stays', () => {
  const left = () => {
    closeOpen()
    return location.hash
  }
  go('packages', 'a', 'text=brev')
  expect(left()).toBe('#/packages?text=brev')
  go('reader', 'a', 'path=brev.txt')
  expect(left()).toBe('#/packages')
  go('help', 'orders', '')
  expect(left()).toBe('#/help/orders')
  go('checks', '1')
  expect(left()).toBe('#/checks/1')
})

test('what is shown more of a place replaces no address that one has gone to already', () => {
  go('reader', 'a', '')
  settle('path=first')
  expect([place.query, location.hash]).toEqual(['path=first', '#/reader/a?path=first'])
  // The event of this address comes late.
  location.hash = '#/reader/a?format=Text'
  settle('path=second')
  expect([place.query, location.hash]).toEqual(['format=Text', '#/reader/a?format=Text'])
})

test('an address that is cut within a code is an address', async () => {
  location.hash = '#/packages/%E0%A4'
  await vi.waitFor(() => expect([place.name, place.id]).toEqual(['packages', '%E0%A4']))
})

test('who leaves the reader is where the file was found: at the search, or at its package', () => {
  go('search', '', 'text=brev')
  go('reader', 'a', 'path=brev.txt&looked=brev')
  go('reader', 'a', 'path=annat.txt')
  leaveReader('a')
  expect([place.name, place.query]).toEqual(['search', 'text=brev'])

  go('packages', 'a', '')
  go('reader', 'a', 'path=brev.txt')
  leaveReader('a')
  expect([place.name, place.id]).toEqual(['packages', 'a'])
})

test('who read a package from its row is back at the row, also by way of the guide', () => {
  go('packages', 'other', 'text=brev')
  readFromRow('a')
  go('reader', 'a', 'path=brev.txt')
  go('help', 'packages', '')
  leaveGuide()
  expect([place.name, place.query]).toEqual(['reader', 'path=brev.txt'])
  expect(leaveReader('a')).toBe(false)
  expect([place.name, place.id, place.query]).toEqual(['packages', 'other', 'text=brev'])

  // What is read next was opened from its own page.
  go('packages', 'b', '')
  go('reader', 'b', '')
  expect(leaveReader('b')).toBe(true)
  expect([place.name, place.id]).toEqual(['packages', 'b'])
})

test('the list from which the reader was opened is narrowed as it was when one comes back', () => {
  go('packages', 'a', 'text=brev')
  goToReader('a', { path: 'brev.txt' })
  goToReader('b')
  expect(addressBehindReader('b')).toBe('#/packages/b?text=brev')
  leaveReader('b')
  expect([place.name, place.id, place.query]).toEqual(['packages', 'b', 'text=brev'])

  go('orders', 'c', 'text=annat')
  goToReader('a')
  leaveReader('a')
  expect([place.name, place.id, place.query]).toEqual(['packages', 'a', ''])
})

test('whatever is open, a place of the rail says where one is; but for the guide, which has none', () => {
  const inRail = railPlaces.map(({ name }) => name)
  expect(placeNames.filter((name) => !inRail.includes(railPlaceOf(name)))).toEqual(['help'])
  expect([railPlaceOf('reader'), railPlaceOf('checks')]).toEqual(['packages', 'transfers'])
})
