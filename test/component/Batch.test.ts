import { fireEvent, render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { Batch as BatchPage } from '../../electron/contract/batch.ts'
import Batch from '../../renderer/pages/transfers/Batch.svelte'

// The page's door is there before any page is.
const { one, map, template, remove } = vi.hoisted(() => {
  const [one, map, template, remove] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()]
  const news = () => () => undefined
  const rows = [{ id: 't1', name: 'Drawings' }]
  const archive = {
    batch: { one, map, template, remove, changed: news },
    transfers: { list: () => Promise.resolve({ value: { rows } }), changed: news },
    packages: { changed: news },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { one, map, template, remove }
})

const held: BatchPage = {
  id: 'b1',
  path: '/attic/list.csv',
  kind: 'table',
  made: '2026-11-23T07:00:00.000Z',
  columns: ['Folder', 'Title', 'Box'],
  preview: [],
  mapping: {
    source: 0,
    name: 1,
    delivery: null,
    agreement: null,
    identifier: null,
    description: null,
    organization: null,
    address: null,
    person: null,
    email: null,
    tags: {},
  },
  template: null,
  packing: { form: 'tar', algorithm: 'sha256', isPolite: false },
  tagFields: [{ label: 'Volume', isRequired: false, values: [], description: '' }],
  rows: [],
  offset: 0,
  total: 0,
  counts: { ready: 0, troubled: 0, done: 0 },
  work: null,
}

test.each([
  ['Name', '2', '1'],
  ['Volume', '2', ''],
  ['Template', 't1', ''],
])('%s shows what holds where the choice could not be kept', async (label, chosen, holds) => {
  one.mockResolvedValue({ value: held })
  for (const write of [map, template])
    write.mockResolvedValue({ failure: { kind: 'disk', trouble: 'full', path: '' } })
  render(Batch, { id: 'b1' })
  const select = await screen.findByLabelText<HTMLSelectElement>(label)
  await vi.waitFor(() => expect(select.querySelector(`option[value="${chosen}"]`)).not.toBeNull())
  expect(select.value).toBe(holds)
  await fireEvent.change(select, { target: { value: chosen } })
  await screen.findByRole('alert')
  expect(select.value).toBe(holds)
})

test('what is chosen before an earlier choice is kept goes on from that', async () => {
  one.mockResolvedValue({ value: held })
  const kept = Promise.withResolvers<{ value: BatchPage }>()
  map.mockReset().mockReturnValue(kept.promise)
  const { unmount } = render(Batch, { id: 'b1' })
  const choose = async (label: string, value: string) =>
    fireEvent.change(await screen.findByLabelText<HTMLSelectElement>(label), { target: { value } })
  await choose('Name', '2')
  await choose('Volume', '1')
  await vi.waitFor(() => expect(map).toHaveBeenCalledTimes(2))
  const both = { ...held.mapping, name: 2, tags: { Volume: 1 } }
  expect(map).toHaveBeenLastCalledWith('', { id: 'b1', mapping: both })
  one.mockResolvedValue({ value: { ...held, mapping: both } })
  kept.resolve({ value: held })
  await vi.waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Volume').value).toBe('1'))
  unmount()
})

test.each([
  ['it is left for where batches are listed', false, '#/transfers/start'],
  ['whoever has gone elsewhere stays there', true, '#/settings'],
])('once a batch is deleted, %s', async (_, hasLeft, leads) => {
  location.hash = '#/transfers/batch%3Ab1'
  one.mockResolvedValue({ value: held })
  const removed = Promise.withResolvers<{ value: null }>()
  remove.mockReset().mockReturnValue(removed.promise)
  const { unmount } = render(Batch, { id: 'b1' })
  await fireEvent.click(await screen.findByRole('button', { name: 'Delete the batch' }))
  if (hasLeft) {
    unmount()
    location.hash = '#/settings'
  }
  removed.resolve({ value: null })
  await removed.promise
  await vi.waitFor(() => expect(location.hash).toBe(leads))
  await tick()
  expect(location.hash).toBe(leads)
})
