import { isTyping } from '../../state/command-key.ts'
import { isUnderDialog } from './focus.ts'

/** On macOS these keys go from word to word in a field. */
const isOfField = (event: KeyboardEvent) => navigator.userAgent.includes('Macintosh') && isTyping(event)

/**
 * Alt with an arrow leads back to where one was, and forward again; not out of the page, nor from under a
 * dialog.
 */
export const travel = (event: KeyboardEvent): void => {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event
  if (!altKey || ctrlKey || metaKey || shiftKey || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return
  if (isOfField(event) || isUnderDialog()) return
  // To a list or a tree the arrow would mean a branch.
  event.preventDefault()
  event.stopPropagation()
  if (key === 'ArrowLeft' && navigation.canGoBack) navigation.back()
  if (key === 'ArrowRight' && navigation.canGoForward) navigation.forward()
}
