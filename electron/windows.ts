import { app } from 'electron'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { ApplicationContract } from './contract/index.ts'
import { reportingUnlessDisk } from './desk/error-report.ts'
import { newsToWindows } from './ipc/send-news.ts'
import { languageOf, wordsIn } from './language/words.ts'
import { openLog } from './log.ts'
import { openSettings } from './settings/settings.ts'
import { openDialogs } from './shell/dialogs.ts'
import { watchInnerFrameKeys } from './shell/frame-keys.ts'
import { watchFrameMemory } from './shell/frame-memory.ts'
import { openPageFirst } from './shell/page-first.ts'
import { watchPages, watchProcesses } from './shell/page-health.ts'
import { openPageInbox } from './shell/page-inbox.ts'
import { openMainWindow } from './shell/window.ts'

const builtPath = (name: string) => path.join(import.meta.dirname, name)
const now = () => new Date()

/** What everything else needs: the folder of the data, the log, the settings and the language. */
export const openBase = () => {
  const folder = app.getPath('userData')
  const inFolder = (name: string) => path.join(folder, name)
  const log = openLog(inFolder('lectern.log'), now)
  /** Writes an unexpected error to the log and gives the reference that a person can quote. */
  const reportBug = reportingUnlessDisk(
    (error, source = 'main') => {
      const reference = randomUUID().slice(0, 8)
      log.named(source).error(reference, error)
      return reference
    },
    (source, message, error) => log.named(source).warn(message, error),
  )
  process.on('unhandledRejection', (error) => reportBug(error))
  process.on('uncaughtException', (error) => reportBug(error))
  watchProcesses(log.named('processes'))
  const chosen = openSettings(inFolder('settings.json'))
  return {
    folder,
    inFolder,
    log,
    reportBug,
    chosen,
    words: () => wordsIn(chosen.read().language, app.getLocale()),
    language: () => languageOf(chosen.read().language, app.getLocale()),
  }
}
export type Base = ReturnType<typeof openBase>

/**
 * The window, what its page is told, and the dialogs before it.
 * @param answered until then a window is not shown: nobody answers its page
 */
export const openWindows = ({ inFolder, log, words }: Base, answered: Promise<unknown>) => {
  const sendNews = newsToWindows<ApplicationContract>()
  const inbox = openPageInbox(sendNews)
  const first = openPageFirst()
  let used: () => void = () => undefined
  const watch = watchPages({ log: log.named('window'), logFile: log.file, words: () => words().page, now })
  const watchFrames = watchFrameMemory({
    warn: log.named('viewer').warn,
    ended: (host) => sendNews('viewer.ended', { host }),
  })
  const window = openMainWindow({
    preload: builtPath('../preload/preload.cjs'),
    stateFile: inFolder('window.json'),
    icon: builtPath('../../resources/icon.png'),
    title: 'Lectern',
    answered,
    opened: (opened) => {
      watch(opened)
      watchFrames.window(opened)
      watchInnerFrameKeys(opened.webContents, (key) => sendNews('viewer.pressed', key))
      opened.on('focus', () => used())
      opened.webContents.on('input-event', () => used())
      inbox.loading()
      opened.webContents.on('did-navigate', inbox.loading)
    },
  })
  const dialogs = openDialogs({
    window: window.current,
    words: () => words().dialog,
    stateFile: inFolder('dialogs.json'),
  })
  return {
    sendNews,
    inbox,
    dialogs,
    frameAsked: watchFrames.frame,
    current: window.current,
    /** Hears whenever somebody comes to the window, points at something in it, or types. */
    onUse: (listener: () => void) => {
      used = listener
    },
    /** The page is ready to hear what it is told. */
    ready: () => {
      inbox.ready()
      first.ready()
    },
    /** Waits until the window that was opened has drawn its first page; not at all where there is none. */
    drawn: async () => {
      if (window.current()) await first.drawn()
    },
    show: (archive = '', place = '') => window.show(place, () => inbox.opened({ archive, place })),
  }
}
export type Windows = ReturnType<typeof openWindows>
