import { app, type BrowserWindow } from 'electron'
import { codeOf } from '../common/errors.ts'
import type { FrameHost } from '../contract/viewer.ts'
import { isFrame, thumbnailFrame } from './page-files.ts'

/** So much more than it had when it was seen first a frame's process may take; in KiB, as Electron counts. */
const mostKiB = 512 * 1024
const everyMs = 1_000

const end = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // One that ended by itself is none any more.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

interface Parts {
  warn: (message: string, about?: unknown) => void
  /** The frames of a host are gone. */
  ended: (host: FrameHost) => void
}

/**
 * Watches the processes that draw files of packages, and ends one that eats memory: what it draws is
 * anybody's, and the computer is everybody's.
 * @returns what is to be told of every window that is made
 */
export const watchFrameMemory = ({ warn, ended }: Parts) => {
  /** What each process had when it was seen first, by its id. */
  const first = new Map<number, number>()
  const measure = ({ webContents: { mainFrame } }: BrowserWindow) => {
    if (mainFrame.isDestroyed()) return
    const drawing = new Map(
      mainFrame.framesInSubtree
        .filter((frame) => !frame.isDestroyed() && isFrame(frame.url))
        .map(
          ({ osProcessId, url }) => [osProcessId, url === thumbnailFrame ? 'thumbnails' : 'viewer'] as const,
        ),
    )
    // A frame without a process of its own is drawn by the page, which is never ended.
    drawing.delete(mainFrame.osProcessId)
    for (const pid of first.keys()) if (!drawing.has(pid)) first.delete(pid)
    if (drawing.size === 0) return
    for (const { pid, memory } of app.getAppMetrics()) {
      const host = drawing.get(pid)
      if (host === undefined) continue
      const before = first.get(pid) ?? memory.workingSetSize
      first.set(pid, before)
      if (memory.workingSetSize - before <= mostKiB) continue
      warn('A drawing took too much memory', { pid, before, now: memory.workingSetSize })
      first.delete(pid)
      end(pid)
      ended(host)
    }
  }
  return (window: BrowserWindow) => {
    const timer = setInterval(() => {
      if (window.isDestroyed()) clearInterval(timer)
      else measure(window)
    }, everyMs)
    timer.unref()
  }
}
