import { app, nativeTheme, powerMonitor, shell } from 'electron'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { Failed } from './contract/failure.ts'
import { contract, type Desk } from './contract/index.ts'
import { listNamed } from './contract/lists.ts'
import type { Surroundings } from './contract/settings.ts'
import { alerts } from './features/alerts.ts'
import { description } from './features/description.ts'
import { outbox } from './features/outbox.ts'
import { packages } from './features/packages.ts'
import { search } from './features/search.ts'
import { session } from './features/session.ts'
import { settings } from './features/settings.ts'
import { storage } from './features/storage.ts'
import { transfers } from './features/transfers.ts'
import { answering } from './ipc/answer.ts'
import { serveCalls } from './ipc/serve.ts'
import { tellWindows } from './ipc/tell.ts'
import { languageOf, wordsIn } from './language/words.ts'
import { openLog } from './log.ts'
import { openCreations } from './outbox/creations.ts'
import { openWork } from './outbox/work.ts'
import { openSession } from './session/session.ts'
import { openSettings } from './settings/settings.ts'
import { choosePaths } from './shell/choose.ts'
import { guardWindows } from './shell/guard.ts'
import { askBeforeQuit } from './shell/leave.ts'
import { localArchives } from './shell/local-archive.ts'
import { setMenu, setTray } from './shell/menu.ts'
import { showNotice } from './shell/notice.ts'
import { home, registerScheme, servePage } from './shell/protocol.ts'
import { electronSafeStorage } from './shell/safe-storage.ts'
import { openMainWindow } from './shell/window.ts'
import { backups, noteDamage, recover, removeDamaged } from './store/backups.ts'
import { openCache } from './store/cache.ts'
import { openDeskStore } from './store/desk.ts'
import { openPackages } from './store/package-rows.ts'
import { openNotices, type Notice } from './sync/notices.ts'
import { openRefresh } from './sync/refresh.ts'
import { openThread } from './sync/thread.ts'
import { loadKeychain, openVault } from './vault/vault.ts'

const betweenGlancesMs = 3_000
const betweenRefreshesMs = 60_000
const betweenBackupsMs = 120_000
const betweenSendsMs = 5_000

const start = async () => {
  const folder = app.getPath('userData')
  const inFolder = (name: string) => path.join(folder, name)
  const beside = (name: string) => path.join(import.meta.dirname, name)
  const now = () => new Date()

  const log = openLog(inFolder('lectern.log'), now)
  const bug = (error: unknown, room = 'main') => {
    const reference = randomUUID().slice(0, 8)
    log.named(room).error(reference, error)
    noteDamage(inFolder('cache.sqlite'), error)
    return reference
  }
  process.on('unhandledRejection', (error) => bug(error))
  process.on('uncaughtException', (error) => bug(error))

  const chosen = openSettings(inFolder('settings.json'))
  const words = () => wordsIn(chosen.read().language, app.getLocale())
  const tell = tellWindows<Desk>()
  removeDamaged(inFolder('cache.sqlite'))
  const cache = openCache(inFolder('cache.sqlite'))
  const held = openPackages(cache)
  const recovered = recover(inFolder('desk.sqlite'), now())
  if (recovered) log.named('store').error('The desk was damaged or gone', recovered)
  const store = openDeskStore(inFolder('desk.sqlite'))
  const saveBackup = backups(store.database, inFolder('desk.sqlite'))
  const save = () => saveBackup().catch((error: unknown) => log.named('store').error('No backup could be made', error))
  const vault = openVault({ keychain: await loadKeychain(), safe: electronSafeStorage, file: inFolder('vault.json') })

  const here = localArchives({
    script: beside('local-archive.js'),
    log: (line) => log.named('local-archive').warn(line),
    ended: (isSample) => {
      const archive = isSample ? 'practice' : 'here'
      at.met({ kind: 'offline', address: at.status().account?.url ?? '', detail: 'ECONNREFUSED' }, archive)
    },
  })
  const at = openSession({
    ...{ store, vault, now, asOf: cache.asOf, unreadable: cache.unreadable, shrunk: cache.shrunk },
    language: () => languageOf(chosen.read().language, app.getLocale()),
    startLocalArchive: (sample) => here.start(inFolder(sample ? 'practice-archive' : 'local-archive'), sample),
    changed: (status) => tell('session.changed', status),
  })

  const window = openMainWindow({ preload: beside('../preload/preload.cjs'), stateFile: inFolder('window.json'), title: 'Lectern' })
  const show = (place = '') => window.show(place, (wanted) => tell('alerts.opened', { place: wanted }))
  const notice = (it: Notice) =>
    showNotice(
      it,
      () => show(it.place),
      (why) => log.named('notices').warn(why),
    )
  const notices = openNotices({ cache, packages: held, store, words: () => words().notices, show: (it) => chosen.read().notices && notice(it) })

  const work = openWork({
    ...{ store, cache, packages: held, session: at, now, bug, random: Math.random },
    bags: inFolder('bags'),
    worker: new URL('./packing-worker.js', import.meta.url),
    version: app.getVersion(),
    changed: (id) => tell('transfers.changed', { id }),
    progress: (progress) => tell('transfers.progress', progress),
  })
  const thread = openThread({
    script: new URL('./reading-worker.js', import.meta.url),
    file: inFolder('cache.sqlite'),
    bug: (error) => bug(error, 'sync'),
    seen: (lists) => {
      const here = new Set(lists.filter(({ archive }) => archive === at.status().account?.archive).map(({ subject }) => subject))
      for (const subject of here) {
        const list = listNamed(subject.replace(/^description\//, ''))
        if (subject.startsWith('description/') && list) tell('description.changed', { list })
      }
      if ([...here].some((subject) => !subject.startsWith('description/'))) tell('packages.changed', { asOf: now().toISOString() })
    },
  })
  const {
    whole: refresh,
    glance,
    list: refreshRecords,
  } = openRefresh({
    ...{ thread, now, reached: at.reached, met: at.met },
    language: () => languageOf(chosen.read().language, app.getLocale()),
    began: (archive) => at.refreshing(archive, true),
    ended: (archive, failure) => {
      at.refreshing(archive, false)
      at.met(failure, archive)
      if (at.status().account?.archive !== archive) return
      tell('packages.changed', { asOf: now().toISOString() })
      if (failure !== null) return
      work.follow(archive)
      void creations.kick(archive)
      notices(archive)
    },
  })
  const creations = openCreations({
    ...{ store, session: at, now, bug, random: Math.random },
    delivered: async (archive, list) => {
      await refreshRecords(archive, list)
      work.follow(archive)
    },
    changed: (id) => tell('outbox.changed', { id }),
  })
  const revive = async () => {
    if (['offline', 'refused'].includes(at.status().connection.state)) await at.revive()
    await refresh()
  }

  const troubled = (archive: string, error: unknown) => {
    log.named('session').warn('Could not go on as before', error)
    at.met(error instanceof Failed ? error.failure : { kind: 'bug', reference: bug(error) }, archive)
  }

  const surroundings = (): Omit<Surroundings, 'settings'> => ({
    systemLanguage: languageOf('system', app.getLocale()),
    version: app.getVersion(),
    vault: at.status().account?.keptIn ?? '',
    dataFolder: folder,
    recovered,
  })
  const deeds = { open: () => show(), refresh: () => void revive(), showLog: () => shell.showItemInFolder(log.file) }
  const retray = setTray(beside('../../resources/tray.png'), () => words().menu, deeds)
  const apply = () => {
    nativeTheme.themeSource = chosen.read().theme
    setMenu(words().menu, deeds)
    retray()
  }

  const features = {
    session: session({ session: at, refresh, revive, agree: thread.agree, troubled }),
    packages: packages({ session: at, cache, packages: held, desk: store, look: thread.look }),
    search: search({ session: at }),
    storage: storage({ session: at, cache, packages: held }),
    transfers: transfers({ ...{ store, cache, session: at, work, creations, now }, refresh: refreshRecords, choose: (what) => choosePaths(window.current(), what, words().dialog) }),
    description: description({ session: at, cache, packages: held, thread, creations, now, refresh: refreshRecords }),
    outbox: outbox({ session: at, creations, now, follow: work.follow }),
    alerts: alerts({ session: at, cache, packages: held }),
    settings: settings({
      ...{ read: chosen.read, change: chosen.change, surroundings },
      applied: (all) => {
        apply()
        tell('settings.changed', all)
      },
      testNotice: () => notice({ title: 'Lectern', body: words().notices.test, place: 'settings' }),
      showFolder: () => shell.showItemInFolder(log.file),
      report: (message) => log.named('page').error(message),
    }),
  }

  serveCalls(answering(contract, features, bug), home)
  servePage(beside('../renderer'))
  guardWindows()
  apply()
  await work.tidy(store.archives().map(({ id }) => id))
  creations.tidy(store.archives().map(({ id }) => id))
  show()
  app.on('activate', () => show())
  app.on('second-instance', () => show())
  // The desk goes on without a window: it listens for the archive, and the icon by the clock opens it again.
  app.on('window-all-closed', () => undefined)
  askBeforeQuit({
    window: window.current,
    words: () => words().leave,
    unsent: () => store.archives().reduce((sum, { id }) => sum + store.undelivered(id).length + store.transfers(id).filter(({ isWaiting, stage }) => isWaiting || stage === 'sending').length, 0),
  })
  app.on('will-quit', () => {
    work.stop()
    void here.stop()
    void thread.close()
  })

  await at.resume().catch((error: unknown) => troubled(at.status().account?.archive ?? '', error))
  void refresh()
  setInterval(() => void (work.isExpecting() ? refresh() : glance()), betweenGlancesMs).unref()
  setInterval(() => void refresh(), betweenRefreshesMs).unref()
  setInterval(() => void creations.kick(at.reached()?.account.archive ?? ''), betweenSendsMs).unref()
  await save()
  setInterval(() => void save(), betweenBackupsMs).unref()
  powerMonitor.on('resume', () => void revive())
}

app.enableSandbox()
registerScheme()
if (app.requestSingleInstanceLock())
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      console.error(error)
      app.exit(1)
    })
else app.quit()
