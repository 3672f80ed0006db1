import type { WebContents } from 'electron'
import type { PressedKey } from '../contract/viewer.ts'

/**
 * Hears what is pressed in a frame within the one that draws files: a web page or a letter, in which nothing
 * may run that could pass a key on. It is heard of the computer, not of what is drawn there.
 */
export const watchInnerFrameKeys = (contents: WebContents, pressed: (key: PressedKey) => void) =>
  contents.on('before-input-event', (_event, { type, key, alt, control, meta, shift }) => {
    if (type === 'keyDown' && contents.focusedFrame?.parent?.parent)
      pressed({ key, altKey: alt, ctrlKey: control, metaKey: meta, shiftKey: shift })
  })
