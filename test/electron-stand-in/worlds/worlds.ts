/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-function-type, @typescript-eslint/prefer-promise-reject-errors -- stands where preload and page exchange values of every kind */
import type { makeLink } from './link.ts'

/**
 * Runs first in the page's own world: makes the private port, hands it over, and defines what the preload
 * exposes.
 */
export function pageWorld(nonce: string, link: typeof makeLink) {
  if (window !== window.top) return
  // Detached, so nothing in the page can reach it.
  const port = document.createElement('i')
  const linked = link(port, 'm', 'i')
  linked.onExpose = (key, api) => {
    if (Object.prototype.hasOwnProperty.call(window, key))
      throw new Error('Cannot bind an API on top of an existing property on the window object')
    Object.defineProperty(window, key, { value: api, writable: false, configurable: false, enumerable: true })
  }
  const hello = () => document.dispatchEvent(new MouseEvent(`${nonce}port`, { relatedTarget: port }))
  document.addEventListener(`${nonce}ask`, hello, { once: true })
  hello()
}

interface Codec {
  encode: (value: unknown) => string
  decode: (text: string) => any
}

/** Runs in the isolated world: makes `require('electron')` for the preload and runs it. */
export function preloadWorld(
  nonce: string,
  link: typeof makeLink,
  codec: Codec,
  preload: ((...args: any[]) => void) | null,
  info: { platform: string; versions: object },
) {
  if (window !== window.top) return
  const world = globalThis as any
  const send: (text: string) => void = world[`${nonce}ipc`]
  delete world[`${nonce}ipc`]
  let port: EventTarget | undefined
  document.addEventListener(
    `${nonce}port`,
    (event) => {
      port = (event as MouseEvent).relatedTarget ?? undefined
      event.stopImmediatePropagation()
    },
    { once: true },
  )
  if (!port) document.dispatchEvent(new Event(`${nonce}ask`))
  const linked = port ? link(port, 'i', 'm') : null

  const waiting = new Map<number, { ok: Function; no: Function }>()
  const listeners = new Map<string, { heard: Function; once: boolean }[]>()
  let last = 0
  const on = (channel: string, heard: Function, once: boolean) => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), { heard, once }])
    return ipcRenderer
  }
  const off = (channel: string, heard: Function) => {
    listeners.set(
      channel,
      (listeners.get(channel) ?? []).filter((listener) => listener.heard !== heard),
    )
    return ipcRenderer
  }
  const ipcRenderer: any = {
    invoke: (channel: string, ...args: unknown[]) => {
      let text: string
      try {
        text = codec.encode(args)
      } catch (error) {
        return Promise.reject(error)
      }
      return new Promise((ok, no) => {
        last += 1
        waiting.set(last, { ok, no })
        send(JSON.stringify({ t: 'invoke', n: last, channel, a: text }))
      })
    },
    send: (channel: string, ...args: unknown[]) =>
      send(JSON.stringify({ t: 'send', channel, a: codec.encode(args) })),
    sendSync: () => {
      throw new Error('The stand-in has no ipcRenderer.sendSync.')
    },
    on: (channel: string, heard: Function) => on(channel, heard, false),
    addListener: (channel: string, heard: Function) => on(channel, heard, false),
    once: (channel: string, heard: Function) => on(channel, heard, true),
    off,
    removeListener: off,
    removeAllListeners: (channel?: string) => {
      if (channel === undefined) listeners.clear()
      else listeners.delete(channel)
      return ipcRenderer
    },
    listenerCount: (channel: string) => listeners.get(channel)?.length ?? 0,
  }
  const receive = (message: any) => {
    if (message.t === 'reply') {
      const call = waiting.get(message.n)
      waiting.delete(message.n)
      if (message.ok) call?.ok(codec.decode(message.a))
      else call?.no(new Error(message.message))
      return
    }
    const args: unknown[] = codec.decode(message.a)
    for (const { heard, once } of listeners.get(message.channel) ?? []) {
      if (once) off(message.channel, heard)
      try {
        heard({ sender: ipcRenderer, ports: [] }, ...args)
      } catch (error) {
        reportError(error)
      }
    }
  }
  const files: unknown[] = []
  Object.defineProperty(world, `${nonce}receive`, { value: receive })
  Object.defineProperty(world, `${nonce}files`, { value: files })

  const electron = {
    ipcRenderer,
    contextBridge: {
      exposeInMainWorld: (key: string, api: unknown) => {
        if (!linked) throw new Error('The page is gone.')
        linked.expose(key, api)
      },
    },
    // Electron gives the path at once; here it must be asked for, so the answer is a promise of it.
    webUtils: {
      getPathForFile: (file: unknown) => {
        files.push(file)
        return new Promise((ok, no) => {
          last += 1
          waiting.set(last, { ok, no })
          send(JSON.stringify({ t: 'path', n: last, file: files.length - 1 }))
        })
      },
    },
  }
  const process = {
    ...info,
    argv: [],
    env: {},
    type: 'renderer',
    contextIsolated: true,
    sandboxed: true,
    once: () => {},
    on: () => {},
  }
  const require = (name: string) => {
    if (name === 'electron' || name === 'electron/renderer') return electron
    throw new Error(`module not found: ${name}`)
  }
  if (preload) {
    const module = { exports: {} }
    try {
      preload(require, module, module.exports, process, world)
    } catch (error) {
      send(
        JSON.stringify({
          t: 'preload-error',
          message: String((error as Error).message),
          stack: String((error as Error).stack),
        }),
      )
    }
  }
  send(JSON.stringify({ t: 'ready' }))
}
