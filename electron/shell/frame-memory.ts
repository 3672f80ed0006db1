import { app, type BrowserWindow } from 'electron'
import type { FrameHost } from '../contract/viewer.ts'
import { killNow } from './kill-now.ts'
import { isFrame, thumbnailFrame } from './page-files.ts'

/** So much more than it had when it was seen first a frame's process may take; in KiB, as Electron counts. */
const mostKiB = 512 * 1024
const everyMs = 1_000
/** After so many looks at a window without a frame nobody looks until the next frame is asked for. */
const mostEmptyLooks = 30

interface Parts {
  warn: (message: string, about?: unknown) => void
  /** The frames of a host are gone. */
  ended: (host: FrameHost) => void
}

/**
 * Watches the processes that draw files of packages, and ends one that eats memory: what it draws is
 * anybody's, and the computer is everybody's.
 * @returns what is to be told of every window that is made, and of every frame that is about to be loaded
 */
export const watchFrameMemory = ({ warn, ended }: Parts) => {
  /** What each process had when it was seen first, by its id. */
  const first = new Map<number, number>()
  /** @returns whether the window has frames with processes of their own */
  const measure = ({ webContents: { mainFrame } }: BrowserWindow): boolean => {
    if (mainFrame.isDestroyed()) return false
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
    if (drawing.size === 0) return false
    for (const { pid, memory } of app.getAppMetrics()) {
      const host = drawing.get(pid)
      if (host === undefined) continue
      const before = first.get(pid) ?? memory.workingSetSize
      first.set(pid, before)
      if (memory.workingSetSize - before <= mostKiB) continue
      warn('A drawing took too much memory', { pid, before, now: memory.workingSetSize })
      first.delete(pid)
      killNow(pid)
      ended(host)
    }
    return true
  }

  let watched: BrowserWindow | undefined
  let timer: NodeJS.Timeout | undefined
  let emptyLooks = 0
  const tick = () => {
    emptyLooks = watched && !watched.isDestroyed() && measure(watched) ? 0 : emptyLooks + 1
    if (emptyLooks < mostEmptyLooks) return
    clearInterval(timer)
    timer = undefined
  }
  return {
    window: (window: BrowserWindow): void => {
      watched = window
    },
    frame: (): void => {
      emptyLooks = 0
      timer ??= setInterval(tick, everyMs).unref()
    },
  }
}
