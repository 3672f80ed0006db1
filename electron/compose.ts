import path from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { describedBy } from './archive-client/held-lists.ts'
import { reach, type Connect } from './archive-client/http.ts'
import { listNames, type ListName } from './contract/lists.ts'
import { failureOf } from './contract/failure.ts'
import { activity } from './features/activity.ts'
import { alerts } from './features/alerts.ts'
import { batch } from './features/batch.ts'
import { replaceFile } from './replace-file.ts'
import type { Surroundings } from './surroundings.ts'
import { openBeyond } from './beyond.ts'
import { changes } from './features/changes.ts'
import { checks } from './features/checks.ts'
import { description } from './features/description.ts'
import { outbox } from './features/outbox.ts'
import { network } from './features/network.ts'
import { packages } from './features/packages.ts'
import { search } from './features/search.ts'
import { exports } from './features/exports.ts'
import { find } from './features/find.ts'
import { orders } from './features/orders.ts'
import { searches } from './features/searches.ts'
import { session } from './features/session.ts'
import { storage } from './features/storage.ts'
import { blankDraft, transfers } from './features/transfers.ts'
import { views } from './features/views.ts'
import { openBatches } from './outbox/batch.ts'
import { openCreations } from './outbox/creations.ts'
import { openOrderBook } from './outbox/order-book.ts'
import { messageOfCreation, messageOfDip, messageOfTransfer } from './outbox/own-messages.ts'
import { countSource } from './outbox/sources.ts'
import { openWork } from './outbox/work.ts'
import { onDisk } from './packaging/disk.ts'
import { openQuestions } from './questions/questions.ts'
import { openProxies } from './session/proxies.ts'
import { openSession } from './session/session.ts'
import { isOlderThan } from './store/age.ts'
import { backups } from './store/backups.ts'
import { findCacheFile } from './store/cache-file.ts'
import { openCache } from './store/cache.ts'
import { openDeskStore } from './store/desk.ts'
import { recover } from './store/recover.ts'
import type { Message } from './store/ledger.ts'
import { openPackages } from './store/package-rows.ts'
import { openNotices } from './sync/notices.ts'
import { openListening } from './sync/listening.ts'
import { openRefresh } from './sync/refresh.ts'
import { openSeen } from './sync/seen.ts'
import { openThread } from './sync/thread.ts'

/** Lists of description are read again so often, for searching; a page that shows one reads it at once. */
const describedForMs = 600_000
const searched = [
  'orders',
  'me/searches',
  'agents',
  'structures',
  'structure-units',
  'tags',
  'locations',
] as const
const betweenBackupsMs = 120_000
const betweenSendsMs = 5_000
/** So long what is under way may take to stop. */
const patienceMs = 3_000

/** The desk without its window: everything that it does, put together. It knows nothing of Electron, so that it can be tried without. */
export const openDesk = (parts: Surroundings) => {
  const { folder, version, now, random, bug, warn, vault, language, tell, tellOf } = parts
  const inFolder = (name: string) => path.join(folder, name)
  const recovered = recover(inFolder('desk.sqlite'), now())
  if (recovered) warn('store', 'The desk was damaged or gone', recovered)
  const store = openDeskStore(inFolder('desk.sqlite'), now)
  const { file: cacheFile, inTheWay } = findCacheFile(inFolder('cache.sqlite'), now())
  if (inTheWay) warn('store', 'Something was in the way of the local copy', inTheWay)
  const cache = openCache(cacheFile)
  const held = openPackages(cache)
  const saveBackup = backups(store.database, inFolder('desk.sqlite'))
  const save = () => saveBackup().catch((error: unknown) => warn('store', 'No backup could be made', error))

  const proxies = openProxies({ resolve: parts.resolveProxy, vault })
  const connect: Connect = (url, authorization) => reach(url, authorization, language, proxies.routing)
  const at = openSession({
    ...{ store, vault, now, connect, asOf: cache.asOf, unreadable: cache.unreadable, shrunk: cache.shrunk },
    startLocalArchive: parts.startLocalArchive,
    changed: (status) => {
      tell('session.changed', status)
      listening.follow()
    },
  })
  const here = at.shown
  const book = openOrderBook({ store, cache, packages: held })
  const beyond = openBeyond({
    ...{
      session: at,
      store,
      cache,
      packages: held,
      book,
      now,
      bug,
      tellOf,
      chooseTarget: parts.chooseTarget,
    },
    refresh: () => refresh.wholeAnew(),
    agree: (archive, subject) => thread.agree(archive, subject),
    made: (archive, it) => own(archive, messageOfDip(it, parts.noticeWords())),
  })
  const own = (archive: string, message: Message | undefined) => {
    if (message) void notices.own(archive, message)
  }
  const { abilities } = beyond
  const unread = () => store.archives().reduce((sum, { id }) => sum + store.ledger.unseen(id), 0)
  const unreadChanged = () => {
    tell('notices.unread', { unread: unread() })
    parts.unread(unread())
    for (const { id } of store.archives()) tellOf(id, 'alerts.changed', {})
  }
  const notices = openNotices({
    cache,
    packages: held,
    store,
    now,
    words: parts.noticeWords,
    mode: parts.noticeMode,
    show: parts.notice,
    changed: unreadChanged,
  })
  const seen = openSeen({ cache, ledger: store.ledger, able: abilities.of })

  const work = openWork({
    ...{ store, cache, packages: held, session: at, now, bug, random, version },
    bags: inFolder('bags'),
    scripts: parts.scripts.packaging,
    changed: (id) => {
      const it = store.transfer(id)
      if (!it) return
      tellOf(it.archive, 'transfers.changed', { id })
      own(it.archive, messageOfTransfer(it, parts.noticeWords()))
    },
    progress: (progress) => {
      const archive = store.transfer(progress.id)?.archive
      if (archive !== undefined) tellOf(archive, 'transfers.progress', progress)
    },
  })
  const questions = openQuestions({
    script: parts.scripts.questions,
    file: cacheFile,
    deskFile: inFolder('desk.sqlite'),
  })
  const { ask } = questions
  const thread = openThread({
    script: parts.scripts.reading,
    file: cacheFile,
    version,
    bug: (error) => bug(error, 'sync'),
    indexed: (isAll) => {
      for (const { id } of store.archives()) tellOf(id, 'find.changed', {})
      const archive = here()
      if (isAll && archive !== undefined)
        void stored
          .watch(archive)
          .catch((error: unknown) => warn('searches', 'Stored searches could not be compared', error))
    },
    seen: (lists) => {
      for (const archive of new Set(lists.map((list) => list.archive))) {
        const described = lists
          .filter((list) => list.archive === archive)
          .map(({ subject }) => describedBy(subject))
        for (const list of described) if (list !== undefined) tellOf(archive, 'description.changed', { list })
        if (described.includes(undefined)) tellOf(archive, 'packages.changed', { asOf: now().toISOString() })
      }
    },
  })
  /** What the archive can do is known before its lists are read, the first time; a later change is learnt beside. */
  const able = async (isNew: boolean) => {
    await (isNew ? abilities.askShape() : abilities.askIfOld()).catch((error: unknown) =>
      warn('session', 'The archive did not say what it can do', error),
    )
  }
  const refresh = openRefresh({
    ...{ thread, language, reached: at.reached, met: at.met, routesTo: proxies.routing.to },
    ready: () => able(false),
    hasViews: (archive) => abilities.of(archive)?.hasViews ?? false,
    began: (archive) => at.refreshing(archive, true),
    ended: (archive, failure) => {
      at.refreshing(archive, false)
      at.met(failure, archive)
      tellOf(archive, 'packages.changed', { asOf: now().toISOString() })
      if (here() !== archive) return
      // The archive on this computer lets nobody sign in by hand; what it gave ends after ten hours.
      if (failure?.kind === 'signed-out') void at.revive().catch((error: unknown) => troubled(archive, error))
      if (failure !== null) return
      work.follow(archive)
      void creations.kick(archive)
      void notices.collect(archive)
      const there = at.reached()
      if (there?.account.archive === archive)
        void seen(archive, there.archive).catch((error: unknown) => bug(error, 'sync'))
      void readDescribed(archive)
    },
  })
  const { whole, list, listAnew } = refresh
  /** What is described is searched too, so it is read when nobody looks at it, one list after the other. */
  const readDescribed = async (archive: string, forMs = describedForMs) => {
    const looked = listNames.filter((name) => cache.asOf(archive, `description/${name}`) !== null)
    for (const name of new Set<ListName>([...searched, ...(forMs === 0 ? looked : [])]))
      if (isOlderThan(forMs, cache.asOf(archive, `description/${name}`), now())) await list(archive, name)
  }
  const listening = openListening({
    session: at,
    refresh,
    notices,
    connect,
    routing: proxies.routing,
    isExpecting: work.isExpecting,
    bug: (error) => void bug(error, 'sync'),
  })
  const creations = openCreations({
    ...{ store, session: at, able: abilities.of, now, bug, random },
    delivered: async (archive, name) => {
      await listAnew(archive, name)
      work.follow(archive)
    },
    changed: (id) => {
      const it = store.creation(id)
      if (!it) return
      tellOf(it.archive, 'outbox.changed', { id })
      own(it.archive, messageOfCreation(it, parts.noticeWords()))
      if (it.list === 'orders') tellOf(it.archive, 'orders.changed', {})
    },
  })
  const revive = async () => {
    if (['offline', 'refused'].includes(at.status().connection.state)) await at.revive()
    // Others that answer late hold nobody up.
    void listening.lookAside().catch((error: unknown) => bug(error, 'sync'))
    await whole()
    // Whoever asks wants to see what others did, in every list that was looked at.
    const archive = here()
    if (archive !== undefined && at.reached()) void readDescribed(archive, 0)
  }
  const troubled = (archive: string, error: unknown) => {
    warn('session', 'Could not go on as before', error)
    at.met(failureOf(error, bug), archive)
  }

  const checked = checks({
    ...{
      session: at,
      packages: held,
      now,
      language: () => (language().startsWith('sv') ? 'sv' : 'en'),
      scripts: parts.scripts.packaging,
    },
    ...{ choose: parts.choose, chooseTarget: parts.chooseTarget },
    changed: (id) => tell('checks.changed', { id }),
    dropped: (id) => tell('checks.dropped', { id }),
  })
  const described = description({
    able: abilities.of,
    settled: abilities.settled,
    cache,
    packages: held,
    ask,
    thread,
    creations,
    now,
    refresh: list,
  })
  const batches = openBatches({
    ...{ store, cache, work, now },
    count: (file) => countSource(file, parts.scripts.packaging),
    blank: (archive, id) => blankDraft(store, archive, id, now()),
    changed: (id) => {
      const archive = store.batch(id)?.archive
      if (archive !== undefined) tellOf(archive, 'batch.changed', { id })
    },
  })
  const stored = searches({
    ...{
      store,
      cache,
      creations,
      notices,
      ask,
      now,
      choose: parts.choose,
      chooseTarget: parts.chooseTarget,
    },
    words: () => ({ title: parts.noticeWords().searchTitle, fresh: parts.noticeWords().searchNews }),
    changed: (archive) => tellOf(archive, 'searches.changed', {}),
  })
  const savePdf = async (name: string) => {
    const target = await parts.chooseTarget('receipt', name)
    if (target !== undefined) await onDisk(target, async () => replaceFile(target, await parts.printPdf()))
    return target !== undefined
  }

  const archives = store.archives().map(({ id }) => id)
  work.tidy(archives)
  creations.tidy(archives)

  let stopListening: (() => void) | undefined
  const timers: NodeJS.Timeout[] = []
  return {
    session: at,
    /** The archive that a link calls by its id, or by its address. */
    archiveCalled: (name: string) =>
      store
        .archives()
        .find(
          ({ id, url, isHere, isSignedIn }) =>
            isSignedIn && (id === name || (!isHere && URL.parse(url)?.host === name)),
        )?.id,
    /** A person followed a notice. */
    saw: (archive: string, key: string) => {
      if (store.ledger.see(archive, key, now().toISOString())) unreadChanged()
    },
    /** Tells what was held back. */
    tellNotices: notices.tell,
    recovered,
    revive,
    /** The computer, or its settings, may reach archives by other ways now. */
    networkChanged: () => {
      proxies.askAnew()
      if (here() !== undefined && !['online', 'connecting'].includes(at.status().connection.state))
        void revive()
    },
    /** How much has not reached an archive yet, and is to. */
    unsent: () =>
      store
        .archives()
        .reduce((sum, { id }) => sum + store.undelivered(id).length + store.unsentTransfers(id), 0),
    /** Goes on with the archive that was shown last, and from then on by itself. */
    goOn: async () => {
      await at.resume().catch((error: unknown) => troubled(here() ?? '', error))
      void whole()
      stopListening = listening.start()
      parts.unread(unread())
      void notices.tell()
      timers.push(setInterval(() => void creations.kick(here() ?? ''), betweenSendsMs).unref())
      await save()
      timers.push(setInterval(() => void save(), betweenBackupsMs).unref())
    },
    /** Stops what is under way, and waits for it for some seconds; the readers of the local copy end before the one that writes it. */
    stop: async () => {
      stopListening?.()
      for (const timer of timers) clearInterval(timer)
      checked.stop()
      const ended = Promise.allSettled([creations.stop(), work.stop(), beyond.stop(), questions.close()])
      await Promise.race([ended, pass(patienceMs, undefined, { ref: false })])
      await thread.close()
    },
    /** What was dropped on the window. */
    drop: checked.drop,
    archiveOf: at.of,
    /** What concerns the application as a whole. */
    features: {
      checks: checked.calls,
      session: session({
        session: at,
        routing: proxies.routing,
        refresh: whole,
        revive,
        able: () => able(true),
        journal: store.journal,
        agree: thread.agree,
        troubled,
      }),
      network: network({ session: at, proxies, revive }),
      // News alone.
      notices: {},
    },
    /** What concerns one archive. */
    archiveFeatures: {
      batch: batch({ batches, choose: parts.choose, chooseTarget: parts.chooseTarget }),
      ...beyond.features,
      packages: packages({
        able: abilities.of,
        cache,
        packages: held,
        desk: store,
        ask,
        look: thread.look,
      }),
      search,
      find: find({ store, book, ask }),
      storage: storage({ cache, ask }),
      transfers: transfers({
        ...{ store, cache, work, creations, now },
        packages: held,
        refresh: list,
        choose: parts.choose,
        scripts: parts.scripts.packaging,
        bags: inFolder('bags'),
        savePdf,
      }),
      description: described.calls,
      changes: changes({
        able: abilities.of,
        formOf: described.formOf,
        refresh: listAnew,
        journal: store.journal,
      }),
      outbox: outbox({ creations, now, follow: work.follow }),
      searches: stored.calls,
      orders: orders({
        ...{ able: abilities.of, store, cache, packages: held, creations, book, ask, now },
        ...{
          refresh: list,
          chooseTarget: parts.chooseTarget,
          printPdf: parts.printPdf,
          printPaper: parts.printPaper,
        },
        changed: (archive) => tellOf(archive, 'orders.changed', {}),
      }),
      activity: activity({ store, ask, chooseTarget: parts.chooseTarget }),
      exports: exports({ store, ask, chooseTarget: parts.chooseTarget }),
      views: views({ store }),
      alerts: alerts({
        ...{ cache, packages: held, store, now },
        seen: (archive) => {
          unreadChanged()
          const there = at.reached()
          if (there?.account.archive === archive)
            void seen(archive, there.archive).catch((error: unknown) => bug(error, 'sync'))
        },
      }),
    },
  }
}
