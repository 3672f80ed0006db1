import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import Dip from '../../renderer/pages/orders/Dip.svelte'
import { capabilities } from '../../renderer/state/capabilities.svelte.ts'
import { someCapabilities } from '../archives/capabilities.ts'

// The page's door is there before any page is.
const begin = vi.hoisted(() => {
  const begin = vi.fn()
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const dips = { begin, of: value(null), agreements: value([]), changed: () => () => undefined }
  Object.assign(window, { bridge: { application: {}, archive: { dips } } })
  return begin
})
afterEach(() => (capabilities.now = null))

test('who may not make dissemination packages is told so, and nothing is asked of the archive', async () => {
  const { packages } = someCapabilities
  capabilities.now = { ...someCapabilities, packages: { ...packages, denied: ['dip'] } }
  render(Dip, { order: 'o' })
  const button = await screen.findByRole('button', { name: 'Make the package' })
  await fireEvent.click(button)
  expect([button.getAttribute('aria-disabled'), button.title]).toEqual([
    'true',
    'You lack the permission to make dissemination packages.',
  ])
  expect(begin).not.toHaveBeenCalled()
})
