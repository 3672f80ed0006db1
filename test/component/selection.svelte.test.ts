import { expect, test } from 'vitest'
import { Selection } from '../../renderer/parts/selection.svelte.ts'

/** Lines that are given when the test says so. */
const open = () => {
  const asked: (() => void)[] = []
  const selection = new Selection<{ id: string }>(
    (offset, limit) =>
      new Promise((answer) =>
        asked.push(() => answer(Array.from({ length: limit }, (_, nth) => ({ id: `${offset + nth}` })))),
      ),
  )
  return { selection, asked }
}

test('lines that come after something else was chosen, or nothing any more, are not chosen', async () => {
  const { selection, asked } = open()
  const all = selection.all(3)
  // As when the list is narrowed.
  selection.clear()
  asked[0]?.()
  await all
  expect(selection.ids).toEqual([])

  selection.begin(0)
  const [shorter, longer] = [selection.extend(1), selection.extend(2)]
  asked[2]?.()
  await longer
  asked[1]?.()
  await shorter
  expect(selection.ids).toEqual(['0', '1', '2'])

  const again = selection.all(3)
  selection.toggle({ id: '1' }, 1)
  asked[3]?.()
  await again
  expect(selection.ids).toEqual(['0', '2'])
})
