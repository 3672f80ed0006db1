import { _electron, type ElectronApplication, type Page } from 'playwright'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Dialect } from '../archives/dialects.ts'
import { findChromium } from '../setup/find-chromium.mjs'
import { watchShifts } from './layout-shifts.ts'

export const root = path.resolve(import.meta.dirname, '../..')
const standIn = path.join(root, 'test/electron-stand-in/dist')
const hasElectron = existsSync(path.join(root, 'node_modules/electron/path.txt'))
// Playwright asks for Electron's executable in this very process.
if (!hasElectron)
  Object.assign(process.env, {
    ELECTRON_OVERRIDE_DIST_PATH: standIn,
    STAND_IN_HEADLESS: '1',
    // Found once for all the starts.
    STAND_IN_CHROMIUM: findChromium() ?? '',
  })

/** Where the app is that is started, and what its archives speak. */
let app = root
let spoken: Dialect = 'specification'

/** With this in its environment the archive to practise in is whole; else it holds descriptions alone. */
export const wholePractice = { LECTERN_TEST_PRACTICE: 'whole' }

const carriedArchive = (dialect: Dialect): string =>
  dialect === 'specification'
    ? `await import('./carried-archive.js')\n`
    : `process.argv.push('--dialect', '${dialect}')\n` +
      `await import(${JSON.stringify(path.join(root, 'test/essarch/serve.ts'))})\n`

/**
 * The built app with another archive on this computer: one that speaks a dialect, and whose lists do not grow
 * while a journey reads them. All else is the same files.
 */
const appSpeaking = (dialect: Dialect): string => {
  const folder = path.join(root, 'out', `app-${dialect}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(path.join(folder, 'out'), { recursive: true })
  const carried = ['package.json', 'LICENSE', 'resources', 'out/renderer', 'out/viewer', 'out/preload']
  for (const name of carried) symlinkSync(path.join(root, name), path.join(folder, name))
  const main = path.join(folder, 'out/main')
  cpSync(path.join(root, 'out/main'), main, { recursive: true })
  renameSync(path.join(main, 'local-archive.js'), path.join(main, 'carried-archive.js'))
  writeFileSync(
    path.join(main, 'local-archive.js'),
    `const isWhole = process.env.LECTERN_TEST_PRACTICE === 'whole'\n` +
      `const at = process.argv.indexOf('--practice')\n` +
      `if (at > 0 && !isWhole) process.argv[at] = '--sample'\n${carriedArchive(dialect)}`,
  )
  return folder
}

/** From now on every archive that is started speaks this dialect. */
export const speak = (dialect: Dialect) => {
  process.env['LECTERN_TEST_DIALECT'] = dialect
  spoken = dialect
  app = appSpeaking(dialect)
}

export interface Desk {
  app: ElectronApplication
  /** What the archives speak that it works with. */
  dialect: Dialect
  page: Page
  userData: string
  /**
   * Ends the app (by its menu, or as a power cut would) and starts it again on the same files; 'started' when
   * it has ended already.
   */
  restart: (how: 'quit' | 'kill' | 'started', args?: string[]) => Promise<void>
  /** Answers the next dialogs with these paths. */
  answerDialogs: (paths: string[]) => Promise<void>
  close: () => Promise<void>
}

const launch = async (from: string, userData: string, env: Record<string, string>, args: string[] = []) => {
  const started = await _electron.launch({
    args: [
      from,
      `--user-data-dir=${userData}`,
      ...(hasElectron && process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...args,
    ],
    cwd: root,
    // Playwright would have the page light, whatever the desk says.
    colorScheme: null,
    env: { ...(process.env as Record<string, string>), LANG: 'en_US.UTF-8', ...env },
  })
  // Nobody is there to be asked whether the desk may end with something unsent.
  await started.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
  })
  return started
}

/**
 * Waits for the first frame of a page in which something is so; a locator looks every half second after a
 * while.
 * @param isSo runs in the page, and knows nothing but it
 */
export const seenIn = async (page: Page, isSo: () => boolean): Promise<void> => {
  const frames = `new Promise((seen) => {
    const look = () => ((${String(isSo)})() ? seen() : requestAnimationFrame(look))
    look()
  })`
  for (;;)
    try {
      return void (await page.evaluate(frames))
    } catch (error) {
      // A window begins with an empty page.
      if (!String(error).includes('context was destroyed')) throw error
    }
}

const firstPage = async (app: ElectronApplication) => {
  const page = await app.firstWindow()
  await seenIn(page, () => document.querySelector('h1')?.checkVisibility() === true)
  await watchShifts(app.context(), page)
  return page
}

/** Fills in the form of the sign-in and sends it; whether that is enough, the caller waits to see. */
export const signIn = async ({ page }: Desk, url: string, username: string, password: string) => {
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/**
 * A fresh desk for each test: the built app on user data of its own.
 * @param from the folder of the app
 * @param args of Electron's command line
 */
export const openDesk = async (
  env: Record<string, string> = {},
  from = app,
  args: string[] = [],
): Promise<Desk> => {
  const userData = mkdtempSync(path.join(os.tmpdir(), 'lectern-desk-'))
  const started = await launch(from, userData, env, args)
  const desk: Desk = {
    app: started,
    dialect: spoken,
    userData,
    page: await firstPage(started),
    restart: async (how, restartArgs = []) => {
      const gone =
        how === 'started' ? undefined : new Promise((done) => desk.app.process().once('exit', done))
      if (how === 'quit') await desk.app.close()
      else if (how === 'kill') desk.app.process().kill('SIGKILL')
      await gone
      desk.app = await launch(from, userData, env, [...args, ...restartArgs])
      desk.page = await firstPage(desk.app)
    },
    answerDialogs: async (paths: string[]) =>
      desk.app.evaluate(({ dialog }, filePaths) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths })
        dialog.showSaveDialog = () =>
          Promise.resolve({ canceled: filePaths.length === 0, filePath: filePaths[0] ?? '' })
      }, paths),
    close: async () => {
      await desk.app.close().catch(() => desk.app.process().kill('SIGKILL'))
      rmSync(userData, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
  return desk
}
