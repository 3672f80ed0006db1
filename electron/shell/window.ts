import { BrowserWindow, nativeTheme, screen } from 'electron'
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { replaceFileSync } from '../replace-file.ts'
import { pageAt } from './page-files.ts'

const Bounds = v.object({
  x: v.number(),
  y: v.number(),
  width: v.pipe(v.number(), v.minValue(640)),
  height: v.pipe(v.number(), v.minValue(480)),
})

/** Where the window was last, if that place is still on a screen. */
const lastBounds = (file: string): Partial<v.InferOutput<typeof Bounds>> => {
  try {
    const bounds = v.parse(Bounds, JSON.parse(readFileSync(file, 'utf8')))
    const isVisible = screen
      .getAllDisplays()
      .some(
        ({ workArea }) =>
          bounds.x < workArea.x + workArea.width &&
          bounds.x + bounds.width > workArea.x &&
          bounds.y < workArea.y + workArea.height &&
          bounds.y >= workArea.y - 8,
      )
    return isVisible ? bounds : { width: bounds.width, height: bounds.height }
  } catch {
    return {}
  }
}

/** The one window of the desk: opened again after it was closed, brought forward when it is behind. */
export const openMainWindow = ({
  preload,
  stateFile,
  title,
}: {
  preload: string
  stateFile: string
  title: string
}) => {
  let window: BrowserWindow | undefined

  const open = (place: string) => {
    const made = new BrowserWindow({
      ...{ width: 1440, height: 900, minWidth: 640, minHeight: 480, show: false, title },
      ...lastBounds(stateFile),
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#191d21' : '#fffefb',
      webPreferences: {
        preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        spellcheck: false,
      },
    })
    made.once('ready-to-show', () => made.show())
    made.on('close', () => {
      // From here on it is no window to come back to, though it may take a moment to go.
      window = undefined
      try {
        replaceFileSync(stateFile, JSON.stringify(made.getNormalBounds()))
      } catch {
        // The window opens at its usual place next time.
      }
    })
    void made.loadURL(pageAt(place))
    window = made
  }

  return {
    /** Shows the window; `opened` tells a window that is there already which place is wanted. */
    show: (place = '', opened?: (place: string) => void) => {
      if (!window || window.isDestroyed()) {
        open(place)
        return
      }
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
      if (place !== '') opened?.(place)
    },
    current: () => (window && !window.isDestroyed() ? window : undefined),
  }
}
