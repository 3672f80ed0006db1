import { app, dialog, nativeTheme } from 'electron'
import path from 'node:path'
import { setImmediate as afterThis } from 'node:timers/promises'
import type * as Services from './services.ts'
import type { Settings } from './contract/settings.ts'
import { hearDrops } from './ipc/drop.ts'
import { serveCalls } from './ipc/serve.ts'
import { wordsIn } from './language/words.ts'
import { openLog } from './log.ts'
import { guardWindows } from './shell/guard.ts'
import { linkIn } from './shell/links.ts'
import { isPage } from './shell/page-files.ts'
import { registerScheme, servePage } from './shell/protocol.ts'
import { followStart } from './shell/start-arguments.ts'
import { startsHidden } from './shell/start-with-system.ts'
import { openBase, openWindows, type Windows } from './windows.ts'

/** Which language a box speaks that is shown before the settings could be read. */
let chosenLanguage: () => Settings['language'] = () => 'system'

const builtPath = (name: string) => path.join(import.meta.dirname, name)

/** Serves the page, and answers it and nobody else, as soon as there are answers. */
const serve = (answers: Promise<Services.Answers>, windows: Windows) => {
  serveCalls(
    {
      application: async (name, input) => (await answers).application(name, input),
      archive: async (archive, name, input) => (await answers).archive(archive, name, input),
    },
    isPage,
  )
  hearDrops(async (...dropped) => (await answers).drop(...dropped), isPage)
  servePage(
    { desk: builtPath('../renderer'), viewer: builtPath('../viewer') },
    async (request) => (await answers).content(request),
    windows.frameAsked,
  )
  guardWindows()
}

/**
 * Opens the window, whose page is loaded in a process of its own, and beside that everything behind it. A
 * link waits for that: it says where the window begins.
 */
const start = async (services: Promise<typeof Services>) => {
  const answers = Promise.withResolvers<Services.Answers>()
  const base = openBase()
  chosenLanguage = () => base.chosen.read().language
  const windows = openWindows(base, answers.promise)
  serve(answers.promise, windows)
  nativeTheme.themeSource = base.chosen.read().theme
  if (linkIn(startArguments()) === undefined && !startsHidden(startArguments())) windows.show()
  const { openServices } = await services
  await openServices(base, windows, startArguments, answers.resolve)
}

/** A start that fails must not leave a person without a word. */
const failStart = (error: unknown) => {
  const log = openLog(path.join(app.getPath('userData'), 'lectern.log'), () => new Date())
  log.named('main').error('The start failed', error)
  const { failed, detail } = wordsIn(chosenLanguage(), app.getLocale()).startFailed
  dialog.showErrorBox(failed, detail(error instanceof Error ? error.message : String(error), log.file))
  app.exit(1)
}

// Root has no sandbox, nor has a kernel without user namespaces: enableSandbox() would take their switch
// back, and no page would ever be shown.
if (!app.commandLine.hasSwitch('no-sandbox') && !process.env['ELECTRON_DISABLE_SANDBOX']) app.enableSandbox()
// The appId of electron-builder.yml: Windows shows notices of no other program.
if (process.platform === 'win32') app.setAppUserModelId('org.lectern.desk')
registerScheme()
const startArguments = followStart(app, process.argv, startsHidden)
if (app.requestSingleInstanceLock()) {
  // Read while Chromium starts, which this script must not hold up. Where that fails, the start says so.
  const services = afterThis().then(() => import('./services.ts'))
  services.catch(() => undefined)
  app
    .whenReady()
    .then(() => start(services))
    .catch(failStart)
} else app.quit()
