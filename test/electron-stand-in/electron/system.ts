import { spawn, spawnSync } from 'node:child_process'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { app } from './app.ts'
import { refusing } from './refuse.ts'

type Theme = 'system' | 'light' | 'dark'

class NativeTheme extends EventEmitter {
  #source: Theme = 'system'
  get themeSource() {
    return this.#source
  }
  set themeSource(theme: Theme) {
    this.#source = theme
    this.emit('updated')
  }
  get shouldUseDarkColors() {
    return this.#source === 'dark'
  }
}
export const nativeTheme = new NativeTheme()

/** A test plays sleep and waking by emitting 'suspend' and 'resume'. */
export const powerMonitor = refusing(
  'powerMonitor',
  Object.assign(new EventEmitter(), { getSystemIdleTime: () => 0, isOnBatteryPower: () => false }),
)

const display = {
  id: 1,
  workArea: { x: 0, y: 0, width: 1920, height: 1080 },
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  scaleFactor: 1,
}
export const screen = refusing('screen', {
  getAllDisplays: () => [display],
  getPrimaryDisplay: () => display,
})

/** What was asked of the desktop, for a test to look at; nothing is opened. */
export const shell = refusing('shell', {
  opened: [] as string[],
  openExternal: (url: string) => {
    shell.opened.push(url)
    return Promise.resolve()
  },
  showItemInFolder: (file: string) => {
    shell.opened.push(file)
  },
})

let copied = ''
export const clipboard = refusing('clipboard', {
  writeText: (text: string) => {
    copied = text
    return Promise.resolve()
  },
  readText: () => Promise.resolve(copied),
})

/**
 * Encrypts with a key that lies beside the data, which hides nothing: so what it writes begins as Electron's
 * does with its fixed key, v10. A test that wants the keyring's says STAND_IN_STORAGE_PROVIDER=v11. Before it
 * wrote, it knows no better than Electron.
 */
const key = () => {
  const file = path.join(app.getPath('userData'), 'stand-in.key')
  try {
    return readFileSync(file)
  } catch {
    mkdirSync(path.dirname(file), { recursive: true })
    const fresh = randomBytes(32)
    writeFileSync(file, fresh, { mode: 0o600 })
    return fresh
  }
}
const provider = () => Buffer.from(process.env['STAND_IN_STORAGE_PROVIDER'] ?? 'v10')
export const safeStorage = refusing('safeStorage', {
  isAsyncEncryptionAvailable: () => Promise.resolve(true),
  encryptStringAsync: (text: string) => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key(), nonce)
    const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Promise.resolve(Buffer.concat([provider(), nonce, cipher.getAuthTag(), bytes]))
  },
  decryptStringAsync: async (bytes: Buffer) => {
    const sealed = bytes.subarray(provider().length)
    const decipher = createDecipheriv('aes-256-gcm', key(), sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(12, 28))
    const result = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
    return Promise.resolve({ result, shouldReEncrypt: false })
  },
})

/** GLib waits so long for an answer. */
const longestAnswerMs = 25_000
/** As libnotify in Electron does: whoever shows a notice waits for the service. */
const waitForService = () => {
  const object = ['--dest=org.freedesktop.Notifications', '--object-path=/org/freedesktop/Notifications']
  const method = '--method=org.freedesktop.Notifications.GetCapabilities'
  spawnSync('gdbus', ['call', '--session', ...object, method], { stdio: 'ignore', timeout: longestAnswerMs })
}

/** A real notice over D-Bus, by libnotify's own command; its click comes back on that command's output. */
export class Notification extends EventEmitter {
  static isSupported() {
    return process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined
  }
  title: string
  body: string
  constructor({ title = '', body = '' }: { title?: string; body?: string } = {}) {
    super()
    this.title = title
    this.body = body
  }
  #id = Promise.withResolvers<string>()
  #isOver = false
  #over() {
    if (this.#isOver) return
    this.#isOver = true
    this.emit('close', {})
  }
  show() {
    waitForService()
    let isClicked = false
    const notice = spawn(
      'notify-send',
      ['--app-name=Lectern', '--print-id', '--wait', '--action=default=Open', '--', this.title, this.body],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    notice.on('error', (error) => this.emit('failed', {}, `notify-send: ${error.message}`))
    notice.stdout.on('data', (said: Buffer) => {
      const id = /^\d+$/m.exec(String(said))?.[0]
      if (id !== undefined) this.#id.resolve(id)
      if (!/^default$/m.test(String(said))) return
      isClicked = true
      this.emit('click', {})
    })
    // Clicked, it stays in the system's list until it is closed.
    notice.on('exit', () => isClicked || this.#over())
    notice.unref()
    // It waits for an answer that nobody would hear any more.
    process.once('exit', () => notice.kill())
    this.emit('show', {})
  }
  close() {
    this.#over()
    void this.#id.promise.then((id) => {
      const object = ['--dest=org.freedesktop.Notifications', '--object-path=/org/freedesktop/Notifications']
      const method = '--method=org.freedesktop.Notifications.CloseNotification'
      spawn('gdbus', ['call', '--session', ...object, method, id], { stdio: 'ignore' }).on(
        'error',
        () => undefined,
      )
    })
  }
}
