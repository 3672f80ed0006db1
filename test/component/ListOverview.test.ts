import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import ListOverview from '../../renderer/parts/ListOverview.svelte'

test('a pane with nothing chosen says what there is in its list, and narrows it', async () => {
  const values = [
    { value: 'asked', name: '', count: 3 },
    { value: 'desk', name: '', count: 1 },
  ]
  render(ListOverview, {
    choose: 'Choose an order.',
    fields: [
      { key: 'stage', name: 'State' },
      { key: 'year', name: 'Year' },
    ],
    // What is the same in all of them tells nothing.
    facet: (field: string) => Promise.resolve(field === 'stage' ? values : values.slice(1)),
    textOf: (_field: string, { value }: { value: string }) => value,
    addressOf: (field: string, value: string) => `#/orders?${field}=${value}`,
  })
  const asked = await screen.findByRole('link', { name: /asked\s*3/ })
  expect(asked.getAttribute('href')).toBe('#/orders?stage=asked')
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['State'])
})

test('a field that is another in each row is not counted', async () => {
  render(ListOverview, {
    choose: 'Choose an archive.',
    fields: [
      { key: 'agent', name: 'Agent' },
      { key: 'unit', name: 'Unit' },
    ],
    facet: (field: string) =>
      Promise.resolve([
        { value: 'a', name: '', count: field === 'unit' ? 2 : 1 },
        { value: 'b', name: '', count: 1 },
      ]),
    textOf: (_field: string, { value }: { value: string }) => value,
    addressOf: (field: string, value: string) => `#/description?${field}=${value}`,
  })
  await screen.findByRole('link', { name: /a\s*2/ })
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Unit'])
})

test('what is told keeps its place as the list is narrowed, with fewer of each', async () => {
  const all = [
    { value: '2023', name: '', count: 4 },
    { value: '2024', name: '', count: 2 },
  ]
  let found = all
  let change = () => undefined as void
  render(ListOverview, {
    choose: 'Choose a package.',
    fields: [{ key: 'year', name: 'Year' }],
    facet: () => Promise.resolve(found),
    textOf: (_field: string, { value }: { value: string }) => value,
    addressOf: (field: string, value: string) => `#/packages?${field}=${value}`,
    listen: (changed: () => void) => {
      change = changed
      return () => undefined
    },
  })
  const shown = () =>
    screen.getAllByRole('link').map(({ textContent }) => textContent.replaceAll(/\s+/g, ' '))
  await screen.findByRole('link', { name: /2024\s*2/ })
  found = [
    { value: '2024', name: '', count: 1 },
    { value: '2025', name: '', count: 1 },
  ]
  change()
  await screen.findByRole('link', { name: /2025\s*1/ })
  expect(shown()).toEqual(['20230', '20241', '20251'])
})

test('what is told is called by its name in the language that is spoken now', async () => {
  const values = [
    { value: '2023', name: '', count: 4 },
    { value: '2024', name: '', count: 2 },
  ]
  const { rerender } = render(ListOverview, {
    choose: 'Choose a package.',
    fields: [{ key: 'year', name: 'Year' }],
    facet: () => Promise.resolve(values),
    textOf: (_field: string, { value }: { value: string }) => value,
    addressOf: (field: string, value: string) => `#/packages?${field}=${value}`,
  })
  await screen.findByRole('heading', { name: 'Year' })
  await rerender({ fields: [{ key: 'year', name: 'År' }] })
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['År'])
})

test('of many values the first are shown, it is said how many more there are, and all can be seen', async () => {
  const valueAt = (_: unknown, nth: number) => ({ value: `Creator ${nth}`, name: '', count: 20 - nth })
  const values = Array.from({ length: 11 }, valueAt)
  render(ListOverview, {
    choose: 'Choose a package.',
    fields: [{ key: 'creator', name: 'Archival creator' }],
    facet: () => Promise.resolve(values),
    textOf: (_field: string, { value }: { value: string }) => value,
    addressOf: (field: string, value: string) => `#/packages?${field}=${value}`,
  })
  const more = await screen.findByRole('button', { name: '3 more: Archival creator', expanded: false })
  expect(screen.getAllByRole('link')).toHaveLength(8)
  await fireEvent.click(more)
  expect(screen.getAllByRole('link')).toHaveLength(11)
  await fireEvent.click(screen.getByRole('button', { name: 'Fewer: Archival creator', expanded: true }))
  expect(screen.getAllByRole('link')).toHaveLength(8)
})
