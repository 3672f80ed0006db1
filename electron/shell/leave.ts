import { app, dialog, type BrowserWindow } from 'electron'
import { background, toProcess } from '../common/background.ts'
import type { Words } from '../language/words.ts'

interface Parts {
  /** How much of this desk has not reached an archive yet, and is to. */
  unsent: () => number
  window: () => BrowserWindow | undefined
  words: () => Words['leave']
}

/**
 * Asks once before the desk ends while something of it was not sent. Nothing is lost either way: it is sent
 * when the desk runs again.
 */
export const askBeforeQuit = ({ unsent, window, words }: Parts) => {
  let mayQuit = false
  let isAsking = false
  app.on('before-quit', (event) => {
    const count = mayQuit ? 0 : unsent()
    if (count === 0) return
    event.preventDefault()
    if (isAsking) return
    isAsking = true
    const { title, detail, quit, stay } = words()
    const question = {
      type: 'question' as const,
      title: 'Lectern',
      message: title(count),
      detail,
      buttons: [quit, stay],
      defaultId: 0,
      cancelId: 1,
    }
    const shown = window()
    background(
      (shown ? dialog.showMessageBox(shown, question) : dialog.showMessageBox(question)).then(
        ({ response }) => {
          isAsking = false
          mayQuit = response === 0
          if (mayQuit) app.quit()
        },
      ),
      toProcess,
    )
  })
}
