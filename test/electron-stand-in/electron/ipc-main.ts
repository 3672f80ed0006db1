import { EventEmitter } from 'node:events'

type Handler = (event: unknown, ...args: unknown[]) => unknown

class IpcMain extends EventEmitter {
  handlers = new Map<string, Handler>()
  handle(channel: string, handler: Handler) {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    this.handlers.set(channel, handler)
  }
  removeHandler(channel: string) {
    this.handlers.delete(channel)
  }
}

export const ipcMain = new IpcMain()
