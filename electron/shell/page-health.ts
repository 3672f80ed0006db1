import { app, dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'
import { background, toProcess } from '../common/background.ts'
import type { Words } from '../language/words.ts'

interface Parts {
  log: { warn: (message: string, about?: unknown) => void; error: (message: string, about?: unknown) => void }
  logFile: string
  words: () => Words['page']
  now: () => Date
}

/** A page that ends again within this time is not loaded again without asking. */
const soonMs = 60_000
/** What Chromium says of a load that was given up for another one. */
const aborted = -3

/** Where a window is not shown yet, a box that belongs to it would not be either. */
const ask = async (window: BrowserWindow, options: MessageBoxOptions): Promise<number> => {
  const asked = { title: 'Lectern', ...options }
  const { response } = await (window.isVisible()
    ? dialog.showMessageBox(window, asked)
    : dialog.showMessageBox(asked))
  return response
}

/**
 * Watches over the pages of windows. One that ends is loaded again, once; if it ends again soon, a person is
 * asked. One that does not answer is offered to be loaded again. Whatever happened stands in the log.
 * @returns what is to be told of every window that is made, before its page is loaded
 */
export const watchPages = ({ log, logFile, words, now }: Parts) => {
  let lastEnd = -Infinity

  const askToGoOn = async (window: BrowserWindow) => {
    const { ended, endedDetail, again, close } = words()
    const response = await ask(window, {
      type: 'error',
      message: ended,
      detail: endedDetail(logFile),
      buttons: [again, close],
      defaultId: 0,
      cancelId: 1,
    })
    if (window.isDestroyed()) return
    if (response === 0) window.webContents.reload()
    else window.close()
  }

  const loadAgain = (window: BrowserWindow) => {
    if (window.isDestroyed()) return
    const isSoon = now().getTime() - lastEnd < soonMs
    lastEnd = now().getTime()
    if (isSoon) background(askToGoOn(window), toProcess)
    else window.webContents.reload()
  }

  const askToWait = async (window: BrowserWindow, signal: AbortSignal) => {
    const { silent, silentDetail, wait, again } = words()
    const response = await ask(window, {
      type: 'warning',
      message: silent,
      detail: silentDetail,
      buttons: [wait, again],
      defaultId: 0,
      cancelId: 0,
      signal,
    })
    // It ends, and what ends is loaded again.
    if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer()
  }

  return (window: BrowserWindow) => {
    const contents = window.webContents
    let asking: AbortController | undefined
    contents.on('render-process-gone', (_event, { reason, exitCode }) => {
      asking?.abort()
      if (reason === 'clean-exit') return
      log.error('The page ended', { reason, exitCode })
      loadAgain(window)
    })
    contents.on('did-fail-load', (_event, code, description, url, isMainFrame) => {
      if (!isMainFrame || code === aborted) return
      log.error('The page could not be loaded', { code, description, url })
      loadAgain(window)
    })
    contents.on('preload-error', (_event, _file, error) => {
      log.error('The preload failed', error)
      background(askToGoOn(window), toProcess)
    })
    contents.on('unresponsive', () => {
      if (asking) return
      log.warn('The page does not answer')
      const mine = new AbortController()
      asking = mine
      background(
        askToWait(window, mine.signal).finally(() => (asking = undefined)),
        toProcess,
      )
    })
    contents.on('responsive', () => {
      log.warn('The page answers again')
      asking?.abort()
    })
  }
}

/**
 * Writes down which process of ours ended otherwise than by itself: Chromium's own, and the archives on this
 * computer.
 */
export const watchProcesses = (log: Parts['log']) => {
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    if (reason !== 'clean-exit') log.warn('A process ended', { type, name, reason, exitCode })
  })
}
