import { app, nativeTheme, powerMonitor, shell } from 'electron'
import path from 'node:path'
import { setImmediate as afterThis, setTimeout as pass } from 'node:timers/promises'
import { background, toProcess } from './common/background.ts'
import { openDesk } from './desk/desk.ts'
import { packagingScripts } from './packaging/scripts.ts'
import { applicationContract, archiveContract, type ArchiveContract } from './contract/index.ts'
import type { Fulfils } from './contract/define.ts'
import type { settings as SettingsMembers } from './contract/settings.ts'
import type { Platform } from './desk/platform.ts'
import { about } from './features/about.ts'
import { settings } from './features/settings.ts'
import { answering, answeringOf } from './ipc/answer.ts'
import { newsToWindowsOf } from './ipc/send-news.ts'
import { languageOf } from './language/words.ts'
import { openBundled } from './shell/bundled.ts'
import { openProxyResolver } from './shell/proxy.ts'
import { printPaper, printPdf } from './shell/print.ts'
import { openOrAsk } from './shell/ask-again.ts'
import { askBeforeQuit } from './shell/leave.ts'
import { forkArchive } from './shell/archive-process.ts'
import { localArchives } from './shell/local-archive.ts'
import { openTray, setMenu } from './shell/menu.ts'
import { showNotice } from './shell/notice.ts'
import { linkIn, linkTo, readLink } from './shell/links.ts'
import { electronSafeStorage } from './shell/safe-storage.ts'
import { startsHidden, startWithSystem } from './shell/start-with-system.ts'
import type { Notice } from './sync/notices.ts'
import { loadKeychain, openVault } from './vault/vault.ts'
import type { Base, Windows } from './windows.ts'

/** The program ends after so long, whatever is still under way. */
const longestStopMs = 6_000

type Desk = ReturnType<typeof openDesk>
type SettingsContract = typeof SettingsMembers

const builtPath = (name: string) => path.join(import.meta.dirname, name)
const scriptOf = (name: string) => new URL(`./${name}`, import.meta.url)
const now = () => new Date()
const versions = () => ({
  version: app.getVersion(),
  electron: process.versions.electron,
  chromium: process.versions.chrome,
  node: process.versions.node,
})

/** Native notices, and why the system shows none of them (empty while it does). */
const openNativeNotices = ({ log }: Base) => {
  let blocked = ''
  return {
    blocked: () => blocked,
    show: (notice: Notice, clicked: () => void) =>
      showNotice({ title: notice.title, body: notice.body, link: linkTo(notice) }, clicked, (why) => {
        if (why !== '' && why !== blocked) log.named('notices').warn(why)
        blocked = why
      }),
  }
}

interface Outside {
  base: Base
  windows: Windows
  notices: ReturnType<typeof openNativeNotices>
  archives: ReturnType<typeof localArchives>
  proxyResolver: ReturnType<typeof openProxyResolver>
}

/** What the desk is given of Electron and of this computer. */
const openPlatform = async (outside: Outside): Promise<Platform> => {
  const { base, windows, notices, archives, proxyResolver } = outside
  const { folder, inFolder, log, reportBug, chosen, words, language } = base
  return {
    folder,
    now,
    reportBug,
    language,
    sendNews: windows.sendNews,
    sendNewsOf: newsToWindowsOf<ArchiveContract>(),
    random: Math.random,
    version: app.getVersion(),
    wantsUpdates: () => chosen.read().updates,
    environment: () => ({
      versions: versions(),
      settings: chosen.read(),
      isBlocked: notices.blocked() !== '',
    }),
    warn: (source, message, detail) => log.named(source).warn(message, detail),
    vault: openVault({
      keychain: await loadKeychain(),
      safe: electronSafeStorage,
      file: inFolder('vault.json'),
    }),
    resolveProxy: proxyResolver.resolve,
    startLocalArchive: (sample) =>
      archives.start(inFolder(sample ? 'practice-archive' : 'local-archive'), sample),
    scripts: {
      packaging: packagingScripts(import.meta.url),
      reading: scriptOf('reading-worker.js'),
      tables: scriptOf('table-worker.js'),
      questions: scriptOf('questions-worker.js'),
    },
    choose: windows.dialogs.choosePaths,
    chooseTarget: windows.dialogs.chooseTarget,
    printPdf: (size) => printPdf(windows.current(), size),
    printPaper: (size) => printPaper(windows.current(), size),
    notice: notices.show,
    noticeMode: () => (!chosen.read().notices ? 'off' : chosen.read().quiet ? 'quiet' : 'on'),
    noticeWords: () => words().notices,
    showPlace: ({ archive, place }) => windows.show(archive, place),
    showLost: (archive) => {
      windows.show()
      windows.inbox.lost(archive)
    },
  }
}

/** The feature of the settings, and the menu and the icon by the clock, which follow them. */
const openSettingsFeature = ({ base, windows, notices, proxyResolver }: Outside, desk: Desk) => {
  const { folder, log, chosen, words } = base
  const menuActions = {
    open: () => windows.show(),
    refresh: () => background(desk.renewAll(), toProcess),
    showLog: () => shell.showItemInFolder(log.file),
    showGuide: (page: string) => windows.show('', `help/${page}`),
  }
  const tray = openTray(
    builtPath('../../resources/tray.png'),
    () => ({ words: words().menu, unread: desk.unread(), isQuiet: chosen.read().quiet }),
    menuActions.open,
  )
  const showMenus = () => {
    nativeTheme.themeSource = chosen.read().theme
    setMenu(words().menu, menuActions)
    tray.show()
  }
  let wantedUpdates = chosen.read().updates
  const feature = settings({
    read: chosen.read,
    change: chosen.change,
    startWithSystem,
    programState: () => ({
      systemLanguage: languageOf('system', app.getLocale()),
      version: app.getVersion(),
      vault: desk.archives.last()?.account().keptIn ?? '',
      dataFolder: folder,
      recovered: desk.recovered,
      noticesBlocked: notices.blocked(),
    }),
    applied: (all) => {
      showMenus()
      if (wantedUpdates !== all.settings.updates) desk.updatesChosen()
      wantedUpdates = all.settings.updates
      if (proxyResolver.follow(all.settings)) desk.networkChanged()
      windows.sendNews('settings.changed', all)
      background(desk.showDueNotices(), toProcess)
    },
    testNotice: () => {
      const test = { title: 'Lectern', body: words().notices.test, place: 'settings', archive: '', keys: [] }
      return notices.show(test, () => windows.show('', test.place))
    },
    showFolder: () => shell.showItemInFolder(log.file),
    report: (message) => log.named('page').error(message),
  })
  tray.onHoldBack((quiet) => background(Promise.resolve(feature.change({ quiet })), toProcess))
  desk.onUnread(tray.show)
  showMenus()
  return feature
}

export type Answers = ReturnType<typeof answersOf>

/** What the page is answered, and what is done with what it is given. */
const answersOf = ({ base, windows }: Outside, desk: Desk, settingsFeature: Fulfils<SettingsContract>) => {
  const features = {
    ...desk.features,
    settings: settingsFeature,
    notices: { ready: windows.ready },
    viewer: {},
    about: about({
      versions: versions(),
      ...openBundled(builtPath('../..')),
    }),
  }
  return {
    application: answering(applicationContract, features, base.reportBug),
    archive: answeringOf(archiveContract, desk.archiveFeatures, desk.archiveOf, base.reportBug),
    content: desk.answerContent,
    drop: desk.drop,
  }
}

/** Opens the window wherever a link or a second start wants it; also at the start, unless it is there. */
const openWhereWanted = ({ chosen }: Base, windows: Windows, desk: Desk, startArguments: string[]) => {
  const open = (argv: string[]) => {
    const link = linkIn(argv)
    const wanted = link === undefined ? undefined : readLink(link)
    if (wanted) desk.goTo(wanted)
    else if (!startsHidden(argv)) windows.show()
  }
  if (app.isPackaged) app.setAsDefaultProtocolClient('lectern')
  else app.setAsDefaultProtocolClient('lectern', process.execPath, [app.getAppPath()])
  if (linkIn(startArguments) !== undefined || !windows.current()) open(startArguments)
  app.on('activate', () => windows.show())
  app.on('second-instance', (_event, argv) => open(argv))
  app.on('open-url', (_event, url) => open([url]))
  // The desk goes on without a window: it listens for the archive, and the icon by the clock opens it again.
  app.on('window-all-closed', () => {
    if (!chosen.read().closeToTray) app.quit()
  })
  // A computer that wakes, or whose screen is unlocked, has missed what happened meanwhile.
  powerMonitor.on('resume', desk.catchUpAll)
  powerMonitor.on('unlock-screen', desk.catchUpAll)
}

/**
 * Packages and files that are being written are left as they can be gone on with, and the local copy is
 * closed.
 */
const endInOrder = ({ windows, base, archives }: Outside, desk: Desk) => {
  askBeforeQuit({ window: windows.current, words: () => base.words().leave, unsent: desk.unsent })
  let hasStopped = false
  app.on('will-quit', (event) => {
    if (hasStopped) return
    event.preventDefault()
    const stopped = Promise.allSettled([desk.stop(), archives.stop()])
    background(
      Promise.race([stopped, pass(longestStopMs)])
        // Electron learns that this end is held up after whatever can be done at once, and hears of no other
        // before: where nothing had to be stopped it would go on for ever (electron/electron#33643).
        .then(() => afterThis())
        .then(() => {
          hasStopped = true
          app.quit()
        }),
      toProcess,
    )
  })
}

/**
 * Opens everything behind the window, from what needs nothing to what needs all, and answers its page; then
 * goes on with what waits.
 * @param startArguments the command line that it is to be opened by
 * @param answer hears what the page is answered
 */
export const openServices = async (
  base: Base,
  windows: Windows,
  startArguments: () => string[],
  answer: (answers: Answers) => void,
): Promise<void> => {
  const proxyResolver = openProxyResolver()
  proxyResolver.follow(base.chosen.read())
  const archives = localArchives({
    script: builtPath('local-archive.js'),
    fork: forkArchive,
    log: (line) => base.log.named('local-archive').warn(line),
  })
  const outside: Outside = { base, windows, notices: openNativeNotices(base), archives, proxyResolver }
  const platform = await openPlatform(outside)
  const desk = await openOrAsk(
    () => openDesk(platform),
    () => base.words().start,
    (failure) => base.log.named('store').warn('The desk could not be opened', failure),
  )
  archives.onEnded(desk.localEnded)
  await desk.prepare()
  answer(answersOf(outside, desk, openSettingsFeature(outside, desk)))
  windows.onUse(desk.used)
  openWhereWanted(base, windows, desk, startArguments())
  endInOrder(outside, desk)
  await desk.goOn(windows.drawn())
}
