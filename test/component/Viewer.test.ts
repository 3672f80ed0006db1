import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import Viewer from '../../renderer/pages/reader/Viewer.svelte'
import { Viewing } from '../../renderer/pages/reader/viewing.svelte.ts'

test.each([
  ['is silent for long', (viewing: Viewing) => (viewing.isSilent = true), /Nothing was heard/],
  ['hung', (viewing: Viewing) => (viewing.trouble = 'hung'), /took too long/],
  ['is not given by the archive', (viewing: Viewing) => (viewing.trouble = 'unreachable'), /does not give/],
])('a drawing that %s says so, and can be drawn again', async (_title, happen, sentence) => {
  const [viewing, onagain] = [new Viewing(), vi.fn()]
  happen(viewing)
  render(Viewer, { viewing, name: 'mets.xml', onagain })
  expect(screen.getByText(sentence)).toBeTruthy()
  await fireEvent.click(screen.getByRole('button', { name: 'Draw it again' }))
  expect(onagain).toHaveBeenCalledOnce()
})

test('what cannot be drawn at all is not offered to be drawn again', () => {
  const viewing = new Viewing()
  viewing.trouble = 'too large'
  render(Viewer, { viewing, name: 'mets.xml', onagain: vi.fn() })
  expect(screen.queryByRole('button')).toBeNull()
})
