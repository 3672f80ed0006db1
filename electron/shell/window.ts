import { BrowserWindow, nativeTheme, screen } from 'electron'
import { background, toProcess } from '../common/background.ts'
import { pageAt, placeIn } from './page-files.ts'
import { openStateFile } from './state-file.ts'
import { boundsToKeep, boundsToOpen, minimalSize, WindowState, type Area } from './window-bounds.ts'

/** Until then a window manager has put a new window into its frame. */
const placedAfterMs = 1_000

/** The screens, the primary one first. */
const workAreas = () => {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  return [primary, ...others].map(({ workArea }) => workArea)
}

interface Parts {
  preload: string
  stateFile: string
  icon: string
  title: string
  /** Until then nobody answers its page. */
  answered: Promise<unknown>
  /** Told of every window that is made, before its page is loaded. */
  opened: (window: BrowserWindow) => void
}

type WindowStateFile = ReturnType<typeof openStateFile<typeof WindowState>>
type WindowLeft = NonNullable<ReturnType<WindowStateFile['read']>>

/**
 * Remembers how a window is left, from when the window manager has placed it, and where, once it is closed:
 * after a kill, or where its page could not be shown, the next one begins at the beginning.
 */
const rememberWindow = (
  window: BrowserWindow,
  { left, asked }: { left: WindowLeft | undefined; asked: Partial<Area> },
  state: WindowStateFile,
) => {
  const contents = window.webContents
  let placed: Area | undefined
  const keep = (place: string) => {
    if (placed !== undefined) {
      const { x, y, width, height } = boundsToKeep(window.getNormalBounds(), asked, placed)
      state.write({ x, y, width, height, isMaximized: window.isMaximized(), place })
    } else if (left) state.write({ ...left, place })
  }
  // A window that is closed may stay a moment; what comes then would note it as one that was not closed.
  let isClosed = false
  window.once('show', () =>
    setTimeout(() => {
      if (isClosed || window.isDestroyed()) return
      placed = window.getNormalBounds()
      keep('')
    }, placedAfterMs),
  )
  window.on('close', () => {
    isClosed = true
    // A place that ended its page is not opened again.
    keep(contents.isCrashed() ? '' : placeIn(contents.getURL()))
  })
  const forgetPlace = () => {
    if (!isClosed && placed === undefined) keep('')
  }
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') forgetPlace()
  })
  contents.on('did-fail-load', forgetPlace)
}

/**
 * Waits until the page of a window can be seen. Under Wayland nothing may be drawn in a window that was not
 * shown, and 'ready-to-show' waits for the first drawing (electron/electron#48859): on Linux it is enough
 * that the page is loaded.
 */
const untilSeen = (window: BrowserWindow) =>
  new Promise<void>((seen) => {
    window.once('ready-to-show', () => seen())
    if (process.platform === 'linux') window.webContents.once('did-finish-load', () => seen())
  })

/** Makes a window where the last one was left; it is shown once its page can be seen and is answered. */
const makeWindow = (
  { preload, icon, title, answered }: Parts,
  left: WindowLeft | undefined,
  state: WindowStateFile,
): BrowserWindow => {
  const asked = boundsToOpen(left, workAreas())
  const window = new BrowserWindow({
    ...asked,
    minWidth: minimalSize.width,
    minHeight: minimalSize.height,
    show: false,
    title,
    icon,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#191d21' : '#fffefb',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      spellcheck: false,
    },
  })
  const show = () => {
    if (window.isDestroyed()) return
    if (left?.isMaximized) window.maximize()
    window.show()
  }
  background(Promise.all([untilSeen(window), answered]).then(show), toProcess)
  rememberWindow(window, { left, asked }, state)
  return window
}

/** The one window of the desk: opened again after it was closed, brought forward when it is behind. */
export const openMainWindow = (parts: Parts) => {
  const state = openStateFile(parts.stateFile, WindowState)
  let window: BrowserWindow | undefined

  const open = (place: string) => {
    const left = state.read()
    const made = makeWindow(parts, left, state)
    made.on('close', () => {
      // From here on it is no window to come back to, though it may take a moment to go.
      window = undefined
    })
    parts.opened(made)
    // A page that cannot be loaded is said by 'did-fail-load' too.
    made.loadURL(pageAt(place === '' ? (left?.place ?? '') : place)).catch(() => undefined)
    window = made
  }

  return {
    /**
     * Shows the window. One that is opened begins at the place that is wanted, or where the last was left;
     * `goTo` brings a window that is there already to a place that is wanted.
     */
    show: (place = '', goTo?: (place: string) => void) => {
      if (!window || window.isDestroyed()) {
        open(place)
        return
      }
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
      if (place !== '') goTo?.(place)
    },
    current: () => (window && !window.isDestroyed() ? window : undefined),
  }
}
