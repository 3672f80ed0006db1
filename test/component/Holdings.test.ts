import { render, screen, within } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import Holdings from '../../renderer/pages/desk/Holdings.svelte'

// The page's door is there before any page is.
const overview = vi.hoisted(() => {
  const overview = vi.fn()
  const archive = { storage: { overview }, packages: { changed: () => () => undefined } }
  Object.assign(window, { bridge: { application: {}, archive } })
  return overview
})
const held = {
  packages: 12,
  copies: 41,
  risks: [
    { kind: 'few copies', total: 3 },
    { kind: 'failed medium', total: 1 },
  ],
  growth: [
    { year: '2024', generations: 6, bytes: 1e9 },
    { year: '2025', generations: 9, bytes: 2e9 },
  ],
}

test('holdings are packages and their generations, what they take, how they grew, and what is at risk', async () => {
  overview.mockResolvedValue({ value: held })
  render(Holdings, { isAnswered: false })
  await screen.findByRole('heading', { name: 'Holdings' })
  const said = (selector: string) =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => textContent.trim())
  expect(said('dt')).toEqual(['packages · 15 generations', 'in 41 copies'])
  expect(said('dd').map((text) => text.replaceAll(/\s/g, ' '))).toEqual(['12', '3 GB'])
  expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(/: 2024 6, 2025 9$/)
  const lines = within(screen.getByRole('list')).getAllByRole('listitem')
  expect(lines.map((line) => within(line).getByRole<HTMLAnchorElement>('link').hash)).toEqual(
    ['few copies', 'failed medium'].map((kind) => `#/storage/${encodeURIComponent(`risk:${kind}`)}`),
  )
  expect(said('li b')).toEqual(['3', '1'])
  // What may be lost already has the colour that it has among the risks.
  expect([...document.querySelectorAll('li b')].map((number) => number.matches('.bad'))).toEqual([
    false,
    true,
  ])
})
