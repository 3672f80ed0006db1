import { render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, expect, test } from 'vitest'
import Facts from '../../renderer/parts/Facts.svelte'
import { showMarks } from '../../renderer/parts/visible-marks.ts'

const turned = 'ann\u202egpj.exe'
const shown = 'ann⟨U+202E⟩gpj.exe'

let stop = () => undefined as void
afterEach(() => stop())

test('marks of direction are seen, in what is there and in what comes and changes later', async () => {
  stop = showMarks(document.body)
  const { rerender } = render(Facts, { facts: [{ name: 'File', value: turned, title: turned }] })
  await tick()
  const definition = screen.getByRole('definition')
  expect(definition.textContent.trim()).toBe(shown)
  expect(definition.title).toBe(shown)

  await rerender({ facts: [{ name: 'File', value: 'plain.txt', title: 'plain.txt' }] })
  expect(definition.textContent.trim()).toBe('plain.txt')
  await rerender({ facts: [{ name: 'File', value: `\u2066${turned}`, title: turned }] })
  await tick()
  expect(definition.textContent.trim()).toBe(`⟨U+2066⟩${shown}`)
})

test('letters of languages that run from right to left stay as they are', async () => {
  stop = showMarks(document.body)
  render(Facts, { facts: [{ name: 'File', value: 'מסמך 12.pdf' }] })
  await tick()
  expect(screen.getByRole('definition').textContent.trim()).toBe('מסמך 12.pdf')
})
