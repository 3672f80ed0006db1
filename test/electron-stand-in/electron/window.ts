import { EventEmitter } from 'node:events'
import type { Cdp } from '../chromium/cdp.ts'
import { app } from './app.ts'
import { cancellable } from './events.ts'
import { screen } from './system.ts'
import { WebContents, type WebPreferences } from './web-contents.ts'

interface Options {
  x?: number
  y?: number
  width?: number
  height?: number
  show?: boolean
  title?: string
  webPreferences?: WebPreferences
}
interface Attached {
  sessionId: string
  targetInfo: { targetId: string; type: string; openerId?: string; url: string }
}

const titleBarHeight = 28
/** Plays a compositor that draws nothing in a window that is not shown. */
const isWayland = () => process.env['STAND_IN_WAYLAND'] === '1'

const windows = new Map<number, BrowserWindow>()
const early = new Map<string, string>()
const claims = new Map<string, (sessionId: string) => void>()
let last = 0

/** Sorts what Chromium opens: our own windows, windows that a page wants, and the rest, which just runs. */
export const followTargets = (cdp: Cdp) => {
  cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }: Attached) => {
    const { targetId, type, openerId, url } = targetInfo
    const opener = openerId === undefined ? undefined : WebContents.ofTarget(openerId)
    const claim = claims.get(targetId)
    if (type !== 'page')
      void cdp.send('Runtime.runIfWaitingForDebugger', {}, sessionId).catch(() => undefined)
    else if (claim) claim(sessionId)
    else if (opener) void opener.opened(targetId, url, sessionId)
    else early.set(targetId, sessionId)
  })
  cdp.on('Target.targetDestroyed', ({ targetId }: { targetId: string }) =>
    BrowserWindow.getAllWindows()
      .find((browserWindow) => browserWindow.webContents.targetId === targetId)
      ?.ended(),
  )
  cdp.on('over', () => BrowserWindow.getAllWindows().forEach((browserWindow) => browserWindow.ended()))
}

export class BrowserWindow extends EventEmitter {
  static getAllWindows = () => [...windows.values()]
  static fromWebContents = (contents: WebContents) =>
    BrowserWindow.getAllWindows().find((browserWindow) => browserWindow.webContents === contents) ?? null
  static fromId = (id: number) => windows.get(id) ?? null
  static getFocusedWindow = () =>
    BrowserWindow.getAllWindows().findLast((browserWindow) => browserWindow.isFocused()) ?? null

  readonly id: number
  readonly webContents: WebContents
  #gone = Promise.withResolvers<void>()
  gone = this.#gone.promise
  #cdp: Cdp
  #state = {
    isOver: false,
    isVisible: true,
    isMinimized: false,
    isMaximized: false,
    isFocused: true,
    isLoaded: false,
    wasReady: false,
  }
  #bounds: { x: number; y: number; width: number; height: number }
  #title: string

  constructor({
    x,
    y,
    width = 800,
    height = 600,
    show = true,
    title = '',
    webPreferences = {},
  }: Options = {}) {
    super()
    const { cdp } = app.standIn
    if (!cdp || !app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    last += 1
    this.id = last
    this.#cdp = cdp
    this.#state.isVisible = show
    // As window managers of X11 do: they put the frame where a window is asked for, and tell where its
    // contents are.
    this.#bounds = { x: x ?? 0, y: y === undefined ? 0 : y + titleBarHeight, width, height }
    this.#title = title
    this.webContents = new WebContents(this.id, cdp, webPreferences)
    windows.set(this.id, this)
    app.emit('web-contents-created', {}, this.webContents)
    this.webContents.on('did-finish-load', () => {
      this.#state.isLoaded = true
      this.#drawn()
    })
    void this.#open().catch((error: unknown) => {
      console.error(error)
      this.ended()
    })
    setImmediate(() => app.emit('browser-window-created', {}, this))
  }

  /** What is loaded is drawn for the first time; under Wayland not before it is shown. */
  #drawn() {
    const { isLoaded, isVisible, wasReady } = this.#state
    if (wasReady || !isLoaded || (isWayland() && !isVisible)) return
    this.#state.wasReady = true
    this.emit('ready-to-show')
  }

  async #open() {
    if (app.standIn.hasNoPages) return
    const { width, height } = this.#bounds
    const { targetId } = await this.#cdp.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
    })
    const sessionId = early.get(targetId) ?? (await new Promise<string>((done) => claims.set(targetId, done)))
    early.delete(targetId)
    claims.delete(targetId)
    await this.webContents.attach(sessionId, targetId)
  }

  async #setState(windowState: 'minimized' | 'normal') {
    const { windowId } = await this.#cdp.send<{ windowId: number }>('Browser.getWindowForTarget', {
      targetId: this.webContents.targetId,
    })
    await this.#cdp.send('Browser.setWindowBounds', { windowId, bounds: { windowState } })
  }

  loadURL(url: string) {
    return this.webContents.loadURL(url)
  }
  close() {
    const event = cancellable()
    this.emit('close', event)
    if (!event.defaultPrevented) this.#closePage()
  }
  /** Electron asks nobody, and the window is gone when the call returns. */
  destroy() {
    this.#closePage()
    this.ended()
  }
  #closePage() {
    const { targetId } = this.webContents
    if (targetId === '') this.ended()
    else void this.#cdp.send('Target.closeTarget', { targetId }).catch(() => this.ended())
  }
  ended() {
    if (this.#state.isOver) return
    this.#state.isOver = true
    windows.delete(this.id)
    this.webContents.destroyed()
    this.emit('closed')
    this.#gone.resolve()
    if (windows.size === 0) app.allWindowsClosed()
  }
  show() {
    this.#state.isVisible = true
    this.emit('show')
    this.#drawn()
  }
  hide() {
    this.#state.isVisible = false
    this.emit('hide')
  }
  focus() {
    this.#state.isFocused = true
    void this.#cdp
      .send('Target.activateTarget', { targetId: this.webContents.targetId })
      .catch(() => undefined)
    this.emit('focus')
  }
  blur() {
    this.#state.isFocused = false
    this.emit('blur')
  }
  minimize() {
    this.#state.isMinimized = true
    void this.#setState('minimized').catch(() => undefined)
    this.emit('minimize')
  }
  restore() {
    this.#state.isMinimized = false
    void this.#setState('normal').catch(() => undefined)
    this.emit('restore')
  }
  maximize() {
    this.#state.isMaximized = true
    this.#state.isVisible = true
    this.emit('maximize')
  }
  unmaximize() {
    this.#state.isMaximized = false
    this.emit('unmaximize')
  }
  isMaximized() {
    return this.#state.isMaximized
  }
  isVisible() {
    return this.#state.isVisible && !this.#state.isMinimized
  }
  isMinimized() {
    return this.#state.isMinimized
  }
  isFocused() {
    return this.#state.isFocused
  }
  isDestroyed() {
    return this.#state.isOver
  }
  getBounds() {
    return this.#state.isMaximized ? { ...screen.getPrimaryDisplay().workArea } : { ...this.#bounds }
  }
  getNormalBounds() {
    return { ...this.#bounds }
  }
  setBounds(bounds: Partial<{ x: number; y: number; width: number; height: number }>) {
    this.#bounds = { ...this.#bounds, ...bounds }
    this.emit('resize')
  }
  getTitle() {
    return this.#title
  }
  setTitle(title: string) {
    this.#title = title
  }
}

export const webContents = {
  getAllWebContents: () => BrowserWindow.getAllWindows().map((browserWindow) => browserWindow.webContents),
  fromId: (id: number) => windows.get(id)?.webContents,
  fromDevToolsTargetId: (id: string) => WebContents.ofTarget(id),
}
