import { expect, test, vi } from 'vitest'
import { openBoundViews } from '../../renderer/pages/reader/bound-views.ts'
import { Viewing } from '../../renderer/pages/reader/viewing.svelte.ts'

const open = () => {
  const viewing = new Viewing()
  viewing.show({
    ask: 'show',
    address: 'app://content/k',
    name: 'a.tif',
    bytes: 1,
    language: 'en',
    accent: '',
    looked: '',
  })
  return { viewing, act: vi.spyOn(viewing, 'act') }
}

test('of two drawings each follows the other, and neither moves the other back', () => {
  const [left, right] = [open(), open()]
  const bound = openBoundViews()
  const view = { x: 0.25, y: 0.5, zoom: 2 }
  bound.follow(left.viewing, view, right.viewing)
  expect(right.act).toHaveBeenCalledExactlyOnceWith({ ask: 'act', act: 'view', view })
  // The other one tells how it stands now, as exactly as it can be reckoned.
  bound.follow(right.viewing, { x: 0.25 + 1e-12, y: 0.5 - 1e-12, zoom: 2.0001 }, left.viewing)
  expect(left.act).not.toHaveBeenCalled()
  // A person moves that one.
  const moved = { x: 0.5, y: 0.5, zoom: 4 }
  bound.follow(right.viewing, moved, left.viewing)
  expect(left.act).toHaveBeenCalledExactlyOnceWith({ ask: 'act', act: 'view', view: moved })
  expect(right.act).toHaveBeenCalledTimes(1)
})

test('of ten million rows each one is followed', () => {
  const [left, right] = [open(), open()]
  const bound = openBoundViews()
  const views = [0, 1, 2].map((row) => ({ x: 0, y: row / 1e7, zoom: 1 }))
  for (const view of views) bound.follow(left.viewing, view, right.viewing)
  expect(right.act.mock.calls).toEqual(views.map((view) => [{ ask: 'act', act: 'view', view }]))
})
