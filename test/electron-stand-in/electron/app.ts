import { EventEmitter } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Cdp } from '../chromium/cdp.ts'
import { cancellable } from './events.ts'
import { workingSetOf } from './frame-processes.ts'
import { refusing } from './refuse.ts'

/** As Chromium's metrics name a process. */
export interface ProcessMetric {
  pid: number
  type: string
  serviceName: string
  name: string
}

/**
 * What the rest of the stand-in needs of windows; they register themselves here, since app must not import
 * them.
 */
interface Closable {
  close: () => void
  gone: Promise<void>
}

/**
 * Chromium hands on the command line of a second start with switches of its own, and its switches before
 * everything else.
 */
const asChromiumHandsOn = ([program = '', ...args]: string[]) => [
  program,
  ...args.filter((argument) => argument.startsWith('-')),
  '--allow-file-access-from-files',
  '--secure-schemes=app',
  '--standard-schemes=app',
  ...args.filter((argument) => !argument.startsWith('-')),
]

class App extends EventEmitter {
  name = 'app'
  isPackaged = false
  /** Set by run.ts. */
  standIn = {
    appPath: process.cwd(),
    version: '0.0.0',
    cdp: undefined as Cdp | undefined,
    isSecond: false,
    processes: new Set<ProcessMetric>(),
    /** Ids of the processes that draw pages and their frames, as far as they are known. */
    renderers: (): number[] => [],
    /** Whether enableSandbox() took the switch back that root needs: no page is shown then. */
    hasNoPages: false,
    windows: (): Closable[] => [],
  }
  #isSandboxed = false
  commandLine = {
    appendSwitch: () => undefined,
    hasSwitch: (name: string) =>
      (name === 'enable-sandbox' && this.#isSandboxed) ||
      process.argv.some((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`)),
    getSwitchValue: (name: string) =>
      process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1] ?? '',
  }
  getAppMetrics() {
    const named = [
      { pid: process.pid, type: 'Browser', serviceName: '', name: '' },
      ...this.standIn.processes,
    ]
    const renderers = this.standIn.renderers().map((pid) => ({ pid, type: 'Tab', serviceName: '', name: '' }))
    return [...named, ...renderers].map((metric) => ({
      ...metric,
      memory: { workingSetSize: workingSetOf(metric.pid), peakWorkingSetSize: 0 },
    }))
  }
  #ready = Promise.withResolvers<void>()
  #isReady = false
  #isQuitting = false
  #paths = new Map<string, string>()
  #lock: net.Server | undefined

  becomeReady() {
    this.#isReady = true
    this.#ready.resolve()
    this.emit('ready', {}, {})
  }
  whenReady() {
    return this.#ready.promise
  }
  isReady() {
    return this.#isReady
  }
  getName() {
    return this.name
  }
  setName(name: string) {
    this.name = name
  }
  getVersion() {
    return this.standIn.version
  }
  getAppPath() {
    return this.standIn.appPath
  }
  getLocale() {
    return (
      (process.env['LC_ALL'] || process.env['LC_MESSAGES'] || process.env['LANG'] || 'en-US')
        .split('.')[0]
        ?.replace('_', '-')
        .replace(/^(C|POSIX)$/, 'en-US') ?? 'en-US'
    )
  }
  setPath(name: string, value: string) {
    this.#paths.set(name, value)
  }
  getPath(name: string): string {
    const home = os.homedir()
    const appData = process.env['XDG_CONFIG_HOME'] ?? path.join(home, '.config')
    const known: Record<string, string> = {
      home,
      appData,
      userData: path.join(appData, this.name),
      temp: os.tmpdir(),
      logs: path.join(appData, this.name, 'logs'),
      downloads: path.join(home, 'Downloads'),
      documents: path.join(home, 'Documents'),
      desktop: path.join(home, 'Desktop'),
    }
    const found = this.#paths.get(name) ?? known[name]
    if (found === undefined) throw new Error(`Failed to get '${name}' path`)
    return found
  }
  /** Electron remembers it as a switch. */
  enableSandbox() {
    this.#isSandboxed = true
    this.standIn.hasNoPages = this.commandLine.hasSwitch('no-sandbox')
  }
  setAppUserModelId() {}
  setAsDefaultProtocolClient() {
    return false
  }
  badgeCount = 0
  /** Few desktops of Linux show a count; `STAND_IN_BADGE=0` plays one that does not. */
  setBadgeCount(count: number) {
    const isShown = process.env['STAND_IN_BADGE'] !== '0'
    if (isShown) this.badgeCount = count
    return isShown
  }
  getBadgeCount() {
    return this.badgeCount
  }
  setLoginItemSettings() {}
  hasSingleInstanceLock() {
    return this.#lock !== undefined
  }
  /**
   * The first instance listens on a socket in its user data; a second one tells it how it was called, and
   * gives way.
   */
  requestSingleInstanceLock() {
    if (this.#lock) return true
    const folder = this.getPath('userData')
    mkdirSync(folder, { recursive: true })
    if (this.standIn.isSecond) return false
    const socket = path.join(folder, 'stand-in.sock')
    rmSync(socket, { force: true })
    this.#lock = net
      .createServer((client) => {
        client.once('data', (data) => {
          const { argv, cwd } = JSON.parse(String(data)) as { argv: string[]; cwd: string }
          this.emit('second-instance', {}, asChromiumHandsOn(argv), cwd, null)
          client.end()
        })
        client.on('error', () => undefined)
      })
      .listen(socket)
      .unref()
    return true
  }
  quit() {
    if (this.#isQuitting) return
    this.#isQuitting = true
    const before = cancellable()
    this.emit('before-quit', before)
    if (before.defaultPrevented) {
      this.#isQuitting = false
      return
    }
    const closing = this.standIn.windows().map((window) => {
      window.close()
      return window.gone
    })
    void Promise.all(closing).then(() => {
      const will = cancellable()
      this.emit('will-quit', will)
      // Whoever calls quit() again before Electron has seen that it is prevented is not heard: it looks after
      // what the listeners left to do at once.
      setImmediate(() => {
        if (will.defaultPrevented) this.#isQuitting = false
        else this.exit(0)
      })
    })
  }
  exit(code = 0) {
    this.emit('quit', {}, code)
    this.#lock?.close()
    const { cdp } = this.standIn
    const over = () => process.exit(code)
    if (!cdp) return over()
    cdp.once('over', over)
    cdp.send('Browser.close').catch(() => undefined)
    setTimeout(() => {
      cdp.process.kill('SIGKILL')
      over()
    }, 3000).unref()
    return undefined
  }
  allWindowsClosed() {
    if (this.#isQuitting || this.emit('window-all-closed')) return
    this.quit()
  }
}

export const app = refusing('app', new App())
