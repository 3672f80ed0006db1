import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import AskedBefore from '../../renderer/pages/search/AskedBefore.svelte'
import { noteAsked } from '../../renderer/state/asked-before.ts'
import { loadViews } from '../../renderer/state/views.svelte.ts'

// The page's door is there before any page is.
vi.hoisted(() => {
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const archive = { views: { all: value({}), keep: value(null) } }
  Object.assign(window, { bridge: { application: {}, archive } })
})

test('what was asked before is offered, the last first and each once, until it is forgotten', async () => {
  await loadViews('a')
  for (const asked of ['q=skola', 'q=oxen&state=Preserved', 'q=skola']) noteAsked(asked)
  const { unmount } = render(AskedBefore)
  const links = screen.getAllByRole<HTMLAnchorElement>('link')
  expect(links.map(({ textContent, hash }) => [textContent, decodeURIComponent(hash)])).toEqual([
    ['skola', '#/search/q=skola'],
    ['oxen', '#/search/q=oxen&state=Preserved'],
  ])
  expect(screen.getAllByRole('listitem').map(({ children }) => children[2]?.textContent)).toEqual([
    undefined,
    '1 filter',
  ])
  for (let index = 0; index < 20; index += 1) noteAsked(`q=${index}`)
  unmount()
  const again = render(AskedBefore)
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    '19',
    '18',
    '17',
    '16',
    '15',
    '14',
    '13',
    '12',
  ])
  await fireEvent.click(screen.getByRole('button'))
  expect(screen.queryByRole('link')).toBeNull()
  again.unmount()
  render(AskedBefore)
  expect(screen.queryByRole('heading')).toBeNull()
})
