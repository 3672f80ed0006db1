import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import FindBar from '../../renderer/pages/reader/FindBar.svelte'
import { Viewing } from '../../renderer/pages/reader/viewing.svelte.ts'

/** A file that a frame has only begun to draw, what that is asked, and how it tells something. */
const beginDrawing = () => {
  const viewing = new Viewing()
  const frame = document.body.appendChild(document.createElement('iframe'))
  if (!frame.contentWindow) throw new Error('There is no frame.')
  const source = frame.contentWindow
  const posted = vi.spyOn(source, 'postMessage')
  const leave = viewing.follow(source)
  return {
    viewing,
    leave,
    asked: () => posted.mock.calls.map(([asked]): unknown => asked),
    tell: (data: unknown) => viewing.hear(new MessageEvent('message', { source, data })),
  }
}

test('what is looked for while the file is still drawn is found once it is', async () => {
  const { viewing, leave, asked, tell } = beginDrawing()
  render(FindBar, { viewing, text: '', onclose: vi.fn() })
  const box = screen.getByRole('searchbox', { name: 'Find in the file' })
  await fireEvent.input(box, { target: { value: 'harbour' } })
  await fireEvent.keyDown(box, { key: 'Enter' })
  expect([screen.getByRole('status').textContent, asked()]).toEqual(['One moment …', []])
  tell({ told: 'shown', tools: ['find'] })
  const sought = { ask: 'act', act: 'find', text: 'harbour', isBackwards: false }
  await vi.waitFor(() => expect(asked()).toEqual([sought]))
  expect(screen.getByRole('status').textContent).toBe('')
  tell({ told: 'standing', standing: { found: { number: 1, of: 2, isIncomplete: false } } })
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('1 of 2'))
  leave()
})

test('the bar is closed, and one is back where one was, once the file is drawn as nothing to find words in', async () => {
  const { viewing, leave, tell } = beginDrawing()
  const before = document.body.appendChild(document.createElement('button'))
  before.focus()
  const onclose = vi.fn()
  render(FindBar, { viewing, text: '', onclose })
  screen.getByRole('searchbox').focus()
  expect(onclose).not.toHaveBeenCalled()
  tell({ told: 'shown', tools: ['view'] })
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce())
  expect(document.activeElement).toBe(before)
  leave()
})
