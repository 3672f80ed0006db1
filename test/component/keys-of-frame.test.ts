import { expect, test } from 'vitest'
import { pressOnPage } from '../../renderer/pages/reader/keys-of-frame.ts'

test('what is pressed in a frame that has the focus leads back and forward, and does nothing more', () => {
  const frame = document.createElement('iframe')
  frame.tabIndex = 0
  document.body.append(frame)
  const heard: string[] = []
  addEventListener('keydown', ({ key, altKey, ctrlKey }) =>
    heard.push([ctrlKey && 'Control', altKey && 'Alt', key].filter(Boolean).join('+')),
  )
  pressOnPage({ key: 'ArrowLeft', altKey: true })
  expect(heard).toEqual([])
  frame.focus()
  pressOnPage({ key: 'ArrowLeft', altKey: true })
  pressOnPage({ key: 'ArrowRight', altKey: true })
  pressOnPage({ key: 'K', ctrlKey: true })
  pressOnPage({ key: 'Escape' })
  expect(heard).toEqual(['Alt+ArrowLeft', 'Alt+ArrowRight', 'Control+K', 'Escape'])
  for (const key of ['F4', 'Escape', 'd']) pressOnPage({ key, altKey: true })
  pressOnPage({ key: 'ArrowLeft', altKey: true, ctrlKey: true })
  pressOnPage({ key: 'p', ctrlKey: true })
  expect(heard).toHaveLength(4)
  frame.remove()
})
