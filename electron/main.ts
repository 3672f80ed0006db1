import { app, dialog, nativeTheme, powerMonitor, shell } from 'electron'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { openDesk } from './compose.ts'
import { scriptsBeside } from './packaging/scripts.ts'
import {
  applicationContract,
  archiveContract,
  type ApplicationContract,
  type ArchiveContract,
} from './contract/index.ts'
import type { Settings, Surroundings } from './contract/settings.ts'
import { settings } from './features/settings.ts'
import { answering, answeringOf } from './ipc/answer.ts'
import { hearDrops } from './ipc/drop.ts'
import { serveCalls } from './ipc/serve.ts'
import { tellWindows, tellWindowsOf } from './ipc/tell.ts'
import { languageOf, wordsIn } from './language/words.ts'
import { openLog } from './log.ts'
import { openSettings } from './settings/settings.ts'
import { openDialogs } from './shell/choose.ts'
import { openProxyResolver } from './shell/proxy.ts'
import { printPaper, printPdf } from './shell/print.ts'
import { guardWindows } from './shell/guard.ts'
import { openOrAsk } from './shell/ask-again.ts'
import { askBeforeQuit } from './shell/leave.ts'
import { forkArchive } from './shell/archive-process.ts'
import { localArchives } from './shell/local-archive.ts'
import { setMenu, setTray } from './shell/menu.ts'
import { showNotice } from './shell/notice.ts'
import { isPage } from './shell/page-files.ts'
import { watchPages, watchProcesses } from './shell/page-health.ts'
import { registerScheme, servePage } from './shell/protocol.ts'
import { linkIn, linkTo, readLink } from './shell/links.ts'
import { electronSafeStorage } from './shell/safe-storage.ts'
import { startsHidden, startWithSystem } from './shell/start-with-system.ts'
import { openMainWindow } from './shell/window.ts'
import type { Notice } from './sync/notices.ts'
import { loadKeychain, openVault } from './vault/vault.ts'

/** The program ends after so long, whatever is still under way. */
const longestStopMs = 6_000
/** A window that is being opened hears nothing yet. */
const untilHeardMs = 1_500

/** Which language a box speaks that is shown before the settings could be read. */
let chosenLanguage: () => Settings['language'] = () => 'system'

const start = async () => {
  const folder = app.getPath('userData')
  const inFolder = (name: string) => path.join(folder, name)
  const scriptOf = (name: string) => new URL(`./${name}`, import.meta.url)
  const beside = (name: string) => path.join(import.meta.dirname, name)
  const now = () => new Date()

  const log = openLog(inFolder('lectern.log'), now)
  const bug = (error: unknown, room = 'main') => {
    const reference = randomUUID().slice(0, 8)
    log.named(room).error(reference, error)
    return reference
  }
  process.on('unhandledRejection', (error) => bug(error))
  process.on('uncaughtException', (error) => bug(error))

  watchProcesses(log.named('processes'))

  const chosen = openSettings(inFolder('settings.json'))
  const words = () => wordsIn(chosen.read().language, app.getLocale())
  chosenLanguage = () => chosen.read().language
  const language = () => languageOf(chosen.read().language, app.getLocale())
  const tell = tellWindows<ApplicationContract>()
  const window = openMainWindow({
    preload: beside('../preload/preload.cjs'),
    stateFile: inFolder('window.json'),
    icon: beside('../../resources/icon.png'),
    title: 'Lectern',
    opened: watchPages({ log: log.named('window'), logFile: log.file, words: () => words().page, now }),
  })
  const dialogs = openDialogs({
    window: window.current,
    words: () => words().dialog,
    stateFile: inFolder('dialogs.json'),
  })
  const show = (place = '', archive = '') =>
    window.show(place, (wanted) => tell('notices.opened', { archive, place: wanted }))
  /** Goes to a place in an archive, whichever is shown now. */
  const goTo = ({ archive, place }: { archive: string; place: string }) => {
    const known = archive === '' ? '' : desk.archiveCalled(archive)
    if (known === undefined) {
      show()
      setTimeout(() => tell('notices.lost', { archive }), untilHeardMs)
      return
    }
    // A window that is opened now begins with the archive that was shown last.
    if (known !== '') desk.archives.show(known)
    show(place, known)
  }
  let blocked = ''
  const notice = (it: Notice) =>
    showNotice(
      { ...it, link: linkTo(it) },
      () => {
        for (const key of it.keys) desk.saw(it.archive, key)
        goTo(it)
      },
      (why) => {
        if (why !== '' && why !== blocked) log.named('notices').warn(why)
        blocked = why
      },
    )
  const here = localArchives({
    script: beside('local-archive.js'),
    fork: forkArchive,
    log: (line) => log.named('local-archive').warn(line),
    ended: (isSample) => desk.localEnded(isSample),
  })

  const proxyResolver = openProxyResolver()
  proxyResolver.follow(chosen.read())
  const parts: Parameters<typeof openDesk>[0] = {
    folder,
    now,
    bug,
    language,
    tell,
    tellOf: tellWindowsOf<ArchiveContract>(),
    random: Math.random,
    version: app.getVersion(),
    warn: (room, what, detail) => log.named(room).warn(what, detail),
    vault: openVault({
      keychain: await loadKeychain(),
      safe: electronSafeStorage,
      file: inFolder('vault.json'),
    }),
    resolveProxy: proxyResolver.resolve,
    startLocalArchive: (sample) =>
      here.start(inFolder(sample ? 'practice-archive' : 'local-archive'), sample),
    scripts: {
      packaging: scriptsBeside(import.meta.url),
      reading: scriptOf('reading-worker.js'),
      questions: scriptOf('questions-worker.js'),
    },
    choose: dialogs.choosePaths,
    chooseTarget: dialogs.chooseTarget,
    printPdf: (size) => printPdf(window.current(), size),
    printPaper: (size) => printPaper(window.current(), size),
    notice,
    noticeMode: () => (!chosen.read().notices ? 'off' : chosen.read().quiet ? 'quiet' : 'on'),
    noticeWords: () => words().notices,
    unread: (count) => {
      unread = count
      retray()
    },
  }
  const desk = await openOrAsk(
    () => openDesk(parts),
    () => words().start,
    (failure) => log.named('store').warn('The desk could not be opened', failure),
  )

  const surroundings = (): Omit<Surroundings, 'settings'> => ({
    systemLanguage: languageOf('system', app.getLocale()),
    version: app.getVersion(),
    vault: desk.archives.last()?.account().keptIn ?? '',
    dataFolder: folder,
    recovered: desk.recovered,
    noticesBlocked: blocked,
  })
  const deeds = {
    open: () => show(),
    refresh: () => void desk.renewAll(),
    showLog: () => shell.showItemInFolder(log.file),
  }
  let unread = 0
  const retray = setTray(
    beside('../../resources/tray.png'),
    () => ({ words: words().menu, unread, isQuiet: chosen.read().quiet }),
    {
      open: () => show(),
      holdBack: (quiet) => void features.settings.change({ quiet }),
    },
  )
  const apply = () => {
    nativeTheme.themeSource = chosen.read().theme
    setMenu(words().menu, deeds)
    retray()
  }
  const features = {
    ...desk.features,
    settings: settings({
      read: chosen.read,
      change: chosen.change,
      surroundings,
      applied: (all) => {
        apply()
        startWithSystem(all.settings.startWithSystem)
        if (proxyResolver.follow(all.settings)) desk.networkChanged()
        tell('settings.changed', all)
        void desk.tellNotices()
      },
      testNotice: () =>
        notice({ title: 'Lectern', body: words().notices.test, place: 'settings', archive: '', keys: [] }),
      showFolder: () => shell.showItemInFolder(log.file),
      report: (message) => log.named('page').error(message),
    }),
  }

  serveCalls(
    {
      application: answering(applicationContract, features, bug),
      archive: answeringOf(archiveContract, desk.archiveFeatures, desk.archiveOf, bug),
    },
    isPage,
  )
  hearDrops(desk.drop, isPage)
  servePage(beside('../renderer'))
  guardWindows()
  apply()
  const open = (argv: string[]) => {
    const link = linkIn(argv)
    const wanted = link === undefined ? undefined : readLink(link)
    if (wanted) goTo(wanted)
    else if (!startsHidden(argv)) show()
  }
  if (app.isPackaged) app.setAsDefaultProtocolClient('lectern')
  else app.setAsDefaultProtocolClient('lectern', process.execPath, [app.getAppPath()])
  open(linked === undefined ? process.argv : [linked])
  app.on('activate', () => show())
  app.on('second-instance', (_event, argv) => open(argv))
  app.on('open-url', (_event, url) => open([url]))
  // The desk goes on without a window: it listens for the archive, and the icon by the clock opens it again.
  app.on('window-all-closed', () => {
    if (!chosen.read().closeToTray) app.quit()
  })
  askBeforeQuit({ window: window.current, words: () => words().leave, unsent: desk.unsent })
  // Bags and files that are being written are left as they can be gone on with, and the local copy is closed.
  let hasStopped = false
  app.on('will-quit', (event) => {
    if (hasStopped) return
    event.preventDefault()
    const stopped = Promise.allSettled([desk.stop(), here.stop()])
    void Promise.race([stopped, pass(longestStopMs)]).then(() => {
      hasStopped = true
      app.quit()
    })
  })
  // A computer that wakes, or whose screen is unlocked, has missed what happened meanwhile.
  powerMonitor.on('resume', () => void desk.renewAll())
  powerMonitor.on('unlock-screen', () => void desk.renewAll())
  await desk.goOn()
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
/** macOS gives a link before the program is ready. */
let linked: string | undefined
const keepLink = (event: { preventDefault: () => void }, url: string) => {
  event.preventDefault()
  linked = url
}
app.once('open-url', keepLink)
if (app.requestSingleInstanceLock()) app.whenReady().then(start).catch(failStart)
else app.quit()
