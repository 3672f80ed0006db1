import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import type { Cdp, CdpSession } from '../chromium/cdp.ts'
import { makeCodec } from '../worlds/codec.ts'
import { makeLink } from '../worlds/link.ts'
import { pageWorld, preloadWorld } from '../worlds/worlds.ts'
import { app } from './app.ts'
import { cancellable } from './events.ts'
import { framesOf, type FrameProcess } from './frame-processes.ts'
import { ipcMain } from './ipc-main.ts'
import { frameAt, hearKeys, type FrameKey } from './keys.ts'
import { fromWire, handlerOf, onSchemesChanged, policyToWire, toWire, wirePatterns } from './protocol.ts'
import { session } from './session.ts'
import { nativeTheme } from './system.ts'

const { encode, decode } = makeCodec()
const nonce = `si${randomBytes(12).toString('hex')}`
const quoted = JSON.stringify(nonce)

export interface WebPreferences {
  preload?: string
  sandbox?: boolean
  contextIsolation?: boolean
  nodeIntegration?: boolean
}
interface Paused {
  requestId: string
  networkId?: string
  resourceType: string
  frameId: string
  request: {
    url: string
    method: string
    headers: Record<string, string>
    hasPostData?: boolean
    postData?: string
  }
}
/** CDP's Page.Frame: its address stands without what follows '#'. */
interface NavigatedFrame {
  parentId?: string
  url: string
  urlFragment?: string
}
interface Attached {
  sessionId: string
  targetInfo: { type: string }
}
type FromPage =
  | { t: 'ready' }
  | { t: 'path'; n: number; file: number }
  | { t: 'preload-error'; message: string; stack: string }
  | { t: 'send' | 'invoke'; n: number; channel: string; a: string }
interface PrintOptions {
  pageSize?: string | { width: number; height: number }
  printBackground?: boolean
  silent?: boolean
  margins?: { top?: number; bottom?: number; left?: number; right?: number }
}
const margined = ({ top, bottom, left, right }: NonNullable<PrintOptions['margins']> = {}) => ({
  marginTop: top,
  marginBottom: bottom,
  marginLeft: left,
  marginRight: right,
})
type OpenHandler = (details: { url: string; frameName: string; features: string; disposition: string }) => {
  action: 'allow' | 'deny'
}

const all = new Set<WebContents>()
app.standIn.renderers = () => [
  ...new Set(
    [...all].flatMap(({ mainFrame }) => mainFrame.framesInSubtree.map(({ osProcessId }) => osProcessId)),
  ),
]
onSchemesChanged(() => all.forEach((contents) => void contents.intercept()))
nativeTheme.on('updated', () => all.forEach((contents) => void contents.applyTheme()))

const interceptIn = (inside: CdpSession) => {
  const patterns = [
    ...wirePatterns().map((urlPattern) => ({ urlPattern })),
    { urlPattern: '*', resourceType: 'Document' },
  ]
  return inside.send('Fetch.enable', { patterns })
}

const applyThemeIn = (inside: CdpSession) => {
  const value = nativeTheme.themeSource === 'system' ? '' : nativeTheme.themeSource
  const features = [{ name: 'prefers-color-scheme', value }]
  return inside.send('Emulation.setEmulatedMedia', { features }).catch(() => undefined)
}

/** So long a window that is being made is waited for before it is asked to close all the same. */
const longestAnswerMs = 500

/** The page of one window: its two worlds, its navigation, and the letterbox to main. */
export class WebContents extends EventEmitter {
  static ofTarget = (id: string) => [...all].find(({ targetId }) => targetId === id)
  readonly id: number
  targetId = ''
  session = session.defaultSession
  mainFrame
  focusedFrame = frameAt(0)
  #cdp: Cdp
  #page: CdpSession | undefined
  #frames = new Set<CdpSession>()
  #attached = Promise.withResolvers<CdpSession>()
  #preferences: WebPreferences
  #world: string | undefined
  #queue: string[] = []
  #url = ''
  #asked = new Set<string>()
  #isGone = false
  #isCrashed = false
  #known: FrameProcess[] = []
  #areFramesKnown = true
  #mayOpen: OpenHandler = () => ({ action: 'allow' })

  constructor(id: number, cdp: Cdp, preferences: WebPreferences) {
    super()
    if (
      preferences.nodeIntegration ||
      preferences.contextIsolation === false ||
      preferences.sandbox === false
    )
      throw new Error(
        'The stand-in runs pages with contextIsolation and sandbox, and without nodeIntegration, only.',
      )
    if (preferences.preload !== undefined && !path.isAbsolute(preferences.preload))
      throw new Error('preload must be an absolute path')
    this.id = id
    this.#cdp = cdp
    this.#preferences = preferences
    const url = () => this.getURL()
    const frames = () => this.#framesNow()
    this.mainFrame = {
      parent: null,
      get origin() {
        const { protocol, host } = new URL(url() || 'about:blank')
        return host === '' ? 'null' : `${protocol}//${host}`
      },
      get url() {
        return url()
      },
      get osProcessId() {
        return frames().find((frame) => frame.url === url().split('#', 1)[0])?.osProcessId ?? 0
      },
      isDestroyed: () => false,
      get framesInSubtree() {
        return frames().map((frame) => ({ ...frame, isDestroyed: () => false }))
      },
    }
    all.add(this)
  }

  async attach(sessionId: string, targetId: string) {
    this.targetId = targetId
    const page = this.#cdp.session(sessionId)
    this.#page = page
    page.on(
      'Runtime.executionContextCreated',
      ({ context }: { context: { name: string; uniqueId: string; auxData?: { frameId: string } } }) => {
        if (context.name === nonce && context.auxData?.frameId === targetId) this.#world = context.uniqueId
      },
    )
    page.on(
      'Runtime.executionContextDestroyed',
      ({ executionContextUniqueId }: { executionContextUniqueId: string }) => {
        if (executionContextUniqueId === this.#world) this.#world = undefined
      },
    )
    page.on('Runtime.executionContextsCleared', () => (this.#world = undefined))
    page.on('Runtime.bindingCalled', ({ name, payload }: { name: string; payload: string }) => {
      if (name === `${nonce}ipc`) void this.#fromPage(JSON.parse(payload) as FromPage)
    })
    page.on('Page.frameNavigated', ({ frame }: { frame: NavigatedFrame }) => {
      if (frame.parentId !== undefined || frame.url === 'about:blank') return
      this.#isCrashed = false
      this.#url = fromWire(frame.url) + (frame.urlFragment ?? '')
      this.emit('did-navigate', {}, this.#url)
    })
    page.on('Page.navigatedWithinDocument', ({ url }: { url: string }) => {
      this.#url = fromWire(url)
      this.emit('did-navigate-in-page', {}, this.#url)
    })
    page.on('Page.loadEventFired', () => this.#url !== '' && this.emit('did-finish-load'))
    page.on(
      'Page.javascriptDialogOpening',
      () => void page.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => undefined),
    )
    page.on('Inspector.targetCrashed', () => {
      this.#world = undefined
      this.#isCrashed = true
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 133 })
    })
    this.#answerRequestsOf(page)
    // A frame of another site has a process, and so a session, of its own.
    page.on('Target.attachedToTarget', ({ sessionId, targetInfo }: Attached) => {
      const inside = this.#cdp.session(sessionId)
      if (targetInfo.type === 'iframe') {
        this.#frames.add(inside)
        inside.on('Page.loadEventFired', () => (this.#areFramesKnown = false))
        void inside.send('Page.enable').catch(() => undefined)
        this.#answerRequestsOf(inside)
      }
      // It is prepared alone: another frame that goes meanwhile must not leave this one waiting.
      const isPrepared =
        targetInfo.type === 'iframe'
          ? Promise.all([interceptIn(inside), applyThemeIn(inside), this.#hearKeysIn(inside)])
          : Promise.resolve()
      void isPrepared.then(() => inside.send('Runtime.runIfWaitingForDebugger')).catch(() => undefined)
    })
    page.on('Target.detachedFromTarget', ({ sessionId }: { sessionId: string }) => {
      this.#areFramesKnown = false
      for (const inside of this.#frames) if (inside.id === sessionId) this.#frames.delete(inside)
    })

    const { preload } = this.#preferences
    const source =
      preload === undefined
        ? 'null'
        : `function(require,module,exports,process,global){${readFileSync(preload, 'utf8')}\n}`
    const info = JSON.stringify({
      platform: process.platform,
      versions: { ...process.versions, electron: 'stand-in' },
    })
    await Promise.all([
      page.send('Page.enable'),
      page.send('Runtime.enable'),
      page.send('Runtime.addBinding', { name: `${nonce}ipc`, executionContextName: nonce }),
      // The page's world is prepared before the preload's: the preload looks for the port as it starts.
      page.send('Page.addScriptToEvaluateOnNewDocument', {
        source: `(${String(pageWorld)})(${quoted},${String(makeLink)})`,
      }),
      page.send('Page.addScriptToEvaluateOnNewDocument', {
        worldName: nonce,
        source: [
          `(${String(preloadWorld)})(`,
          [quoted, String(makeLink), `(${String(makeCodec)})()`, source, info].join(),
          ')',
        ].join(''),
      }),
      this.intercept(),
      this.applyTheme(),
      this.#hearKeysIn(page),
      page
        .send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
        .catch(() => undefined),
      page.send('Runtime.runIfWaitingForDebugger'),
    ])
    this.#attached.resolve(page)
  }

  /** Electron tells of a key before the page hears it, and keeps it from the page where that is wanted. */
  #hearKeysIn(inside: CdpSession) {
    return hearKeys(inside, `${nonce}key`, ({ depth, input }: FrameKey) => {
      this.focusedFrame = frameAt(depth)
      const preventDefault = () => {
        throw new Error('The stand-in keeps no key from a page.')
      }
      this.emit('before-input-event', { preventDefault }, input)
    })
  }

  /** The frames as they were last known; those that came since are asked for, and known the next time. */
  #framesNow(): FrameProcess[] {
    if (this.#page && !this.#areFramesKnown) {
      this.#areFramesKnown = true
      framesOf(this.#page).then(
        (found) => (this.#known = found.map((frame) => ({ ...frame, url: fromWire(frame.url) }))),
        () => (this.#areFramesKnown = false),
      )
    }
    return this.#known
  }

  #answerRequestsOf(inside: CdpSession) {
    inside.on(
      'Fetch.requestPaused',
      (paused: Paused) => void this.#requested(inside, paused).catch(() => undefined),
    )
  }

  async intercept() {
    await Promise.all([
      this.#page && interceptIn(this.#page),
      // A frame may go while it is asked.
      ...[...this.#frames].map((inside) => interceptIn(inside).catch(() => undefined)),
    ])
  }

  async applyTheme() {
    await Promise.all([...(this.#page ? [this.#page] : []), ...this.#frames].map(applyThemeIn))
  }

  async #requested(page: CdpSession, { requestId, networkId, resourceType, frameId, request }: Paused) {
    const url = fromWire(request.url)
    if (resourceType === 'Document' && !this.#asked.delete(request.url)) {
      const isTop = frameId === this.targetId
      const event = cancellable({ url, isMainFrame: isTop })
      this.emit('will-frame-navigate', event)
      if (isTop && !event.defaultPrevented) this.emit('will-navigate', event, url)
      if (event.defaultPrevented) {
        await page.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
        return
      }
    }
    const handler = url === request.url ? undefined : handlerOf(url)
    if (!handler) {
      await page.send('Fetch.continueRequest', { requestId })
      return
    }
    try {
      const posted = request.hasPostData
        ? (request.postData ??
          (await page.send<{ postData: string }>('Network.getRequestPostData', { requestId: networkId }))
            .postData)
        : null
      const response = await handler(
        new Request(url, { method: request.method, headers: request.headers, body: posted }),
      )
      await page.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: response.status,
        responseHeaders: [...response.headers].map(([name, value]) => ({
          name,
          value: name === 'content-security-policy' ? policyToWire(value) : value,
        })),
        body: Buffer.from(await response.arrayBuffer()).toString('base64'),
      })
    } catch {
      await page.send('Fetch.failRequest', { requestId, errorReason: 'Failed' })
    }
  }

  async #fromPage(message: FromPage) {
    if (message.t === 'ready') {
      for (const queued of this.#queue.splice(0)) this.#toPage(queued)
      return
    }
    if (message.t === 'preload-error') {
      const error = Object.assign(new Error(message.message), { stack: message.stack })
      if (!this.emit('preload-error', {}, this.#preferences.preload, error))
        console.error('preload:', message.stack)
      return
    }
    if (message.t === 'path') {
      const found = await this.#pathOf(message.file).catch(() => '')
      this.#toPage(JSON.stringify({ t: 'reply', n: message.n, ok: true, a: encode(found) }))
      return
    }
    const { n, channel } = message
    const args = decode(message.a) as unknown[]
    const event = { sender: this, senderFrame: this.mainFrame, processId: this.id, frameId: 1 }
    if (message.t === 'send') {
      ipcMain.emit(channel, event, ...args)
      return
    }
    try {
      const handler = ipcMain.handlers.get(channel)
      if (!handler) throw new Error(`No handler registered for '${channel}'`)
      this.#toPage(JSON.stringify({ t: 'reply', n, ok: true, a: encode(await handler(event, ...args)) }))
    } catch (error) {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      this.#toPage(
        JSON.stringify({
          t: 'reply',
          n,
          ok: false,
          message: `Error invoking remote method '${channel}': ${text}`,
        }),
      )
    }
  }

  /** The path of a file that was dropped on the page; empty for one that the page made itself. */
  async #pathOf(file: number): Promise<string> {
    if (!this.#page || this.#world === undefined) return ''
    const expression = `globalThis[${JSON.stringify(`${nonce}files`)}][${file}]`
    const { result } = await this.#page.send<{ result: { objectId?: string } }>('Runtime.evaluate', {
      expression,
      uniqueContextId: this.#world,
    })
    if (result.objectId === undefined) return ''
    const { path: found } = await this.#page.send<{ path: string }>('DOM.getFileInfo', {
      objectId: result.objectId,
    })
    return found
  }

  /** The page as PDF, as its print styles have it. */
  async printToPDF({
    pageSize = 'Letter',
    printBackground = false,
    margins,
  }: PrintOptions = {}): Promise<Buffer> {
    const sizes: Record<string, [number, number]> = { A4: [8.27, 11.69], A5: [5.83, 8.27], Letter: [8.5, 11] }
    const inches =
      typeof pageSize === 'string' ? sizes[pageSize] : ([pageSize.width, pageSize.height] as const)
    if (!inches) throw new Error(`The stand-in does not print on ${JSON.stringify(pageSize)}.`)
    const page = await this.#attached.promise
    const { data } = await page.send<{ data: string }>('Page.printToPDF', {
      paperWidth: inches[0],
      paperHeight: inches[1],
      printBackground,
      ...margined(margins),
    })
    return Buffer.from(data, 'base64')
  }

  /**
   * There is no printer: a test that prints puts a function of its own in place of this one, as on Electron.
   */
  print(_options: PrintOptions, done: (isPrinted: boolean, why: string) => void = () => undefined) {
    setImmediate(() => done(false, 'Print job failed'))
  }

  /** Ends the process of the page. */
  forcefullyCrashRenderer() {
    // It answers no more.
    void this.#page?.send('Page.crash').catch(() => undefined)
  }

  #toPage(json: string) {
    if (this.#world === undefined) return
    const expression = `globalThis[${JSON.stringify(`${nonce}receive`)}]?.(${json})`
    void this.#page
      ?.send('Runtime.evaluate', { expression, uniqueContextId: this.#world })
      .catch(() => undefined)
  }

  send(channel: string, ...args: unknown[]) {
    const json = JSON.stringify({ t: 'news', channel, a: encode(args) })
    if (this.#world === undefined) this.#queue.push(json)
    else this.#toPage(json)
  }

  async loadURL(url: string) {
    const page = await this.#attached.promise
    const wire = toWire(url)
    const loaded = new Promise<void>((done) => page.once('Page.loadEventFired', () => done()))
    this.#asked.add(wire.split('#')[0] ?? wire)
    await this.#decidePermissions(url, new URL(wire).origin)
    const { errorText } = await page.send<{ errorText?: string }>('Page.navigate', { url: wire })
    if (errorText) throw new Error(`${errorText} loading '${url}'`)
    await loaded
  }

  async #decidePermissions(url: string, origin: string) {
    if (!URL.canParse(origin)) return
    for (const { name, setting } of await this.session.permissionsFor(this, url))
      await this.#cdp.send('Browser.setPermission', { permission: { name }, setting, origin })
  }

  async executeJavaScript(code: string): Promise<unknown> {
    const page = await this.#attached.promise
    const { result, exceptionDetails } = await page.send<{
      result: { value?: unknown }
      exceptionDetails?: { text: string }
    }>('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.text)
    return result.value
  }

  async reload() {
    this.#asked.add(toWire(this.#url).split('#')[0] ?? '')
    await this.#page?.send('Page.reload')
  }

  /**
   * The target of a window that the page wants to open is still paused when it is refused: nothing was
   * fetched. It may be paused together with the page that opened it, which waits for ever where it is closed
   * so: it goes on without any network first. Chromium may take no notice of a request to close what is only
   * just being made, so it is asked until there is no such target any more.
   */
  async opened(targetId: string, url: string, sessionId: string) {
    const { action } = this.#mayOpen({
      url: fromWire(url),
      frameName: '',
      features: '',
      disposition: 'foreground-tab',
    })
    if (action === 'allow')
      throw new Error('The stand-in opens no windows for pages: deny them in setWindowOpenHandler.')
    const isThere = () =>
      this.#cdp.send<{ targetInfos: { targetId: string }[] }>('Target.getTargets').then(
        ({ targetInfos }) => targetInfos.some((target) => target.targetId === targetId),
        () => !this.#isGone,
      )
    // A target that is only just being made may also be unknown to what closes it.
    const tell = (method: string, given: object, session?: string) =>
      this.#cdp.send(method, given, session).catch(() => undefined)
    const pass = (ms: number) => new Promise((next) => setTimeout(next, ms))
    do {
      for (const [method, given] of [
        ['Network.enable', {}],
        ['Network.setBlockedURLs', { urls: ['*'] }],
        ['Runtime.runIfWaitingForDebugger', {}],
      ] as const)
        await Promise.race([tell(method, given, sessionId), pass(longestAnswerMs)])
      await tell('Target.closeTarget', { targetId })
      await pass(100)
    } while (!this.#isGone && (await isThere()))
  }

  setWindowOpenHandler(handler: OpenHandler) {
    this.#mayOpen = handler
  }
  getURL() {
    return this.#url
  }
  getOSProcessId() {
    return this.#cdp.process.pid
  }
  isCrashed() {
    return this.#isCrashed
  }
  isDestroyed() {
    return this.#isGone
  }
  isLoading() {
    return this.#world === undefined
  }
  destroyed() {
    this.#isGone = true
    all.delete(this)
    this.emit('destroyed')
  }
}
