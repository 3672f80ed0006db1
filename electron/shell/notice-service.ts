import { spawn } from 'node:child_process'

/** The service that shows notices on desktops of Linux (Desktop Notifications Specification). */
export const noticeService = 'org.freedesktop.Notifications'

/** One that takes longer than this to answer shows nothing either; GLib counts in seconds. */
const answersWithinSeconds = 3
/** A bus that does not even let somebody in is not waited for any longer. */
const longestMs = 5_000
/** What `gdbus` ends with where a call failed. */
const callFailed = 1

const question = [
  'call',
  '--session',
  '--timeout',
  String(answersWithinSeconds),
  '--dest',
  noticeService,
  '--object-path',
  '/org/freedesktop/Notifications',
  '--method',
  `${noticeService}.GetServerInformation`,
]

/**
 * Whether there is a service that shows notices. Where there is none Electron waits for it when it is to show
 * one, and the whole program with it, up to a minute (electron/electron#48753): so GLib's own command, which
 * is there wherever notices are, waits for it first. Where that cannot be asked nothing is known: true.
 */
export const hasNoticeService = (environment: NodeJS.ProcessEnv = process.env): Promise<boolean> =>
  new Promise((answer) => {
    const asking = spawn('gdbus', question, { stdio: 'ignore', timeout: longestMs, env: environment })
    asking.once('error', () => answer(true))
    asking.once('exit', (code, signal) => answer(code !== callFailed && signal === null))
  })
