/**
 * Keys that a frame may pass on: those that go somewhere, or change how a drawing is looked at. What a frame
 * says may be written by what it draws, so nothing that does more is among them. Of a frame within it, where
 * nothing runs, main hears them.
 */
const passed = new Set(
  (
    'Escape F1 F6 ? ArrowLeft ArrowRight PageUp PageDown + - 0 r c Control+f Control+k ' +
    'Alt+ArrowLeft Alt+ArrowRight'
  ).split(' '),
)

/**
 * Presses a key on the page that was pressed in the frame that has the focus. Without the focus nobody
 * pressed anything in it.
 */
export const pressOnPage = (key: KeyboardEventInit & { key: string }) => {
  const frame = document.activeElement
  if (!(frame instanceof HTMLIFrameElement)) return
  const name = [
    ...(key.ctrlKey || key.metaKey ? ['Control'] : []),
    ...(key.altKey ? ['Alt'] : []),
    key.ctrlKey || key.metaKey ? key.key.toLowerCase() : key.key,
  ].join('+')
  if (!passed.has(name)) return
  frame.dispatchEvent(
    new KeyboardEvent('keydown', {
      key: key.key,
      altKey: key.altKey ?? false,
      ctrlKey: key.ctrlKey ?? false,
      metaKey: key.metaKey ?? false,
      shiftKey: key.shiftKey ?? false,
      bubbles: true,
      cancelable: true,
    }),
  )
}
