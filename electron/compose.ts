import { setTimeout as pass } from 'node:timers/promises'
import { openArchiveDesk, type ArchiveDesk } from './archives/archive-desk.ts'
import type { Archive } from './archives/archive.ts'
import { openArchives } from './archives/archives.ts'
import { openProxies } from './archives/proxies.ts'
import { openStorage } from './desk/storage.ts'
import { describedBy } from './archive-client/held-lists.ts'
import { reach, type Connect } from './archive-client/http.ts'
import { Failed, failureOf, type Failure } from './contract/failure.ts'
import type { ListName } from './contract/lists.ts'
import { activity } from './features/activity.ts'
import { alerts } from './features/alerts.ts'
import { batch } from './features/batch.ts'
import { replaceFile } from './replace-file.ts'
import type { Surroundings } from './surroundings.ts'
import { capabilities } from './features/capabilities.ts'
import { dips } from './features/dips.ts'
import { files } from './features/files.ts'
import { changes } from './features/changes.ts'
import { connection } from './features/connection.ts'
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
import { storage as storageFeature } from './features/storage.ts'
import { blankDraft, transfers } from './features/transfers.ts'
import { views } from './features/views.ts'
import { openEngine } from './jobs/engine.ts'
import { openBatches } from './outbox/batch.ts'
import { openCreations } from './outbox/creations.ts'
import { openDisseminations } from './outbox/disseminations.ts'
import { openDownloads } from './outbox/downloads.ts'
import { openOrderBook } from './outbox/order-book.ts'
import { messageOfCreation, messageOfDip, messageOfTransfer } from './outbox/messages.ts'
import { countSource } from './outbox/sources.ts'
import { openWork } from './outbox/work.ts'
import { onDisk } from './packaging/disk.ts'
import { openQuestions } from './questions/questions.ts'
import type { Message } from './store/ledger.ts'
import { openNotices } from './sync/notices.ts'
import { openSeen } from './sync/seen.ts'
import { openThread } from './sync/thread.ts'

const betweenBackupsMs = 120_000
/** So long what is under way may take to stop. */
const patienceMs = 3_000

/** The desk without its window: everything that it does, put together. It knows nothing of Electron, so that it can be tried without. */
export const openDesk = (parts: Surroundings) => {
  const { folder, version, now, random, bug, warn, vault, language, tell, tellOf } = parts
  const storage = openStorage({ folder, now, warn })
  const { store, cacheOf, fileOf, bags, save, recovered } = storage

  const proxies = openProxies({ resolve: parts.resolveProxy, vault })
  const connect: Connect = (url, authorization) => reach(url, authorization, language, proxies.routing)
  const desks = new Map<string, ArchiveDesk>()
  /** @throws Failed signed-out where nobody is signed in to such an archive */
  const deskOf = (id: string): ArchiveDesk => {
    const desk = desks.get(id)
    if (!desk) throw new Failed({ kind: 'signed-out' })
    return desk
  }
  let isRunning = false
  const capabilitiesOf = (id: string) => store.capabilities(id)
  const reachOf = (id: string) => desks.get(id)?.archive.reached()
  const metAt = (id: string, failure: Failure | null) => desks.get(id)?.archive.met(failure)
  const book = openOrderBook({ store, cacheOf })
  const archiveOf = (id: string) => deskOf(id).archive.reach()
  const engine = openEngine({ isPaused: store.isPaused, now, random, bug })
  const downloads = openDownloads({
    engine,
    store,
    archive: archiveOf,
    now,
    bug,
    progress: (archive, it) => tellOf(archive, 'files.progress', it),
  })
  const disseminations = openDisseminations({
    engine,
    store,
    archive: archiveOf,
    now,
    bug,
    wait: async (ms, signal) => void (await pass(ms, undefined, { signal })),
    changed: (archive, it) => {
      tellOf(archive, 'dips.changed', it)
      own(archive, messageOfDip(it, parts.noticeWords()))
    },
  })
  const own = (archive: string, message: Message | undefined) => {
    if (message) void notices.own(archive, message)
  }
  const unread = () => store.archives().reduce((sum, { id }) => sum + store.ledger.unseen(id), 0)
  const unreadChanged = () => {
    parts.unread(unread())
    tell('notices.unread', { unread: unread() })
    for (const { id } of store.archives()) tellOf(id, 'alerts.changed', {})
  }
  const notices = openNotices({
    cacheOf,
    store,
    now,
    words: parts.noticeWords,
    mode: parts.noticeMode,
    show: parts.notice,
    changed: unreadChanged,
  })
  const seen = openSeen({ cacheOf, ledger: store.ledger, able: capabilitiesOf })

  const work = openWork({
    engine,
    store,
    cacheOf,
    reachOf,
    metAt,
    now,
    bug,
    version,
    bags,
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
  const { ask, close: closeQuestions } = openQuestions({
    script: parts.scripts.questions,
    fileOf,
    deskFile: storage.deskFile,
  })
  const thread = openThread({
    script: parts.scripts.reading,
    fileOf,
    version,
    bug: (error) => bug(error, 'sync'),
    indexed: (archive, isAll) => {
      if (!desks.has(archive)) return
      tellOf(archive, 'find.changed', {})
      if (isAll)
        void stored
          .watch(archive)
          .catch((error: unknown) => warn('searches', 'Stored searches could not be compared', error))
    },
    seen: (archive, subjects) => {
      const described = subjects.map(describedBy)
      for (const list of described) if (list !== undefined) tellOf(archive, 'description.changed', { list })
      if (described.includes(undefined)) tellOf(archive, 'packages.changed', { asOf: now().toISOString() })
    },
  })
  const creations = openCreations({
    engine,
    store,
    reachOf,
    metAt,
    able: capabilitiesOf,
    now,
    delivered: async (archive, name) => {
      await desks.get(archive)?.refresh.listAnew(name)
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
  const refreshed = (archive: Archive, failure: Failure | null) => {
    const { id } = archive
    tellOf(id, 'packages.changed', { asOf: now().toISOString() })
    if (failure !== null) return
    work.follow(id)
    void creations.kick(id)
    void notices.collect(id)
    tellSeen(archive)
  }
  const tellSeen = (archive: Archive) => {
    const there = archive.reached()
    if (there) void seen(archive.id, there).catch((error: unknown) => bug(error, 'sync'))
  }
  /** Where there is no local copy, whatever asks for a list of the archive says why. */
  const heldOf = (archive: string) => {
    try {
      const cache = cacheOf(archive)
      return { asOf: cache.asOf(), unreadable: cache.unreadable(), shrunk: cache.shrunk() }
    } catch (error) {
      if (!(error instanceof Failed)) bug(error, 'store')
      return { asOf: null, unreadable: [], shrunk: [] }
    }
  }
  const archives = openArchives({
    store,
    vault,
    startLocalArchive: parts.startLocalArchive,
    connect,
    now,
    held: heldOf,
    failureOf: (error) => failureOf(error, (unexpected) => bug(unexpected, 'archives')),
    entered: (archive) => {
      const desk = openArchiveDesk({
        archive,
        store,
        cacheOf,
        thread,
        routing: proxies.routing,
        language,
        now,
        warn,
        isExpecting: work.isExpecting,
        send: (id) => void creations.kick(id),
        learnt: (id, it) => tellOf(id, 'capabilities.changed', it),
        refreshed,
      })
      desks.set(archive.id, desk)
      if (isRunning) desk.start()
    },
    left: (id) => {
      desks.get(id)?.stop()
      desks.delete(id)
    },
    changed: (status) => {
      tell('session.changed', status)
      for (const desk of desks.values()) desk.follow()
    },
  })
  const refreshList = async (id: string, name: ListName) => desks.get(id)?.refresh.list(name)
  const refreshListAnew = async (id: string, name: ListName) => desks.get(id)?.refresh.listAnew(name)
  /** Reads every archive anew; one that answers late holds no other up. */
  const renewAll = async () => {
    await Promise.all([...desks.values()].map((desk) => desk.renew()))
  }

  const checked = checks({
    engine,
    cacheOf,
    now,
    language: () => (language().startsWith('sv') ? 'sv' : 'en'),
    scripts: parts.scripts.packaging,
    choose: parts.choose,
    chooseTarget: parts.chooseTarget,
    changed: (id) => tell('checks.changed', { id }),
    dropped: (id) => tell('checks.dropped', { id }),
  })
  const described = description({
    able: capabilitiesOf,
    settled: async (id) => desks.get(id)?.capabilities.settled(),
    cacheOf,
    ask,
    thread,
    creations,
    now,
    refresh: refreshList,
  })
  const batches = openBatches({
    engine,
    store,
    cacheOf,
    work,
    now,
    count: (file) => countSource(file, parts.scripts.packaging),
    blank: (archive, id) => blankDraft(store, archive, id, now()),
    changed: (id) => {
      const archive = store.batch(id)?.archive
      if (archive !== undefined) tellOf(archive, 'batch.changed', { id })
    },
  })
  const stored = searches({
    store,
    cacheOf,
    creations,
    notices,
    ask,
    now,
    choose: parts.choose,
    chooseTarget: parts.chooseTarget,
    words: () => ({ title: parts.noticeWords().searchTitle, fresh: parts.noticeWords().searchNews }),
    changed: (archive) => tellOf(archive, 'searches.changed', {}),
  })
  const savePdf = async (name: string) => {
    const target = await parts.chooseTarget('receipt', name)
    if (target !== undefined) await onDisk(target, async () => replaceFile(target, await parts.printPdf()))
    return target !== undefined
  }

  for (const { tidy } of [work, creations]) tidy(store.archives().map(({ id }) => id))

  const timers: NodeJS.Timeout[] = []
  return {
    archives,
    deskOf,
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
    /** The process of an archive on this computer ended by itself. */
    localEnded: (isSample: boolean) => {
      const archive = desks.get(isSample ? 'practice' : 'here')?.archive
      archive?.met({ kind: 'offline', address: archive.account().url, detail: 'ECONNREFUSED' })
    },
    /** Tells what was held back. */
    tellNotices: notices.tell,
    recovered,
    renewAll,
    /** The computer, or its settings, may reach archives by other ways now. */
    networkChanged: () => {
      proxies.askAnew()
      for (const desk of desks.values())
        if (!['online', 'connecting'].includes(desk.archive.connection().state)) void desk.renew()
    },
    /** How much has not reached an archive yet, and is to. */
    unsent: () =>
      store
        .archives()
        .reduce((sum, { id }) => sum + store.undelivered(id).length + store.unsentTransfers(id), 0),
    /** Goes on with every archive that somebody is signed in to, and from then on by itself. */
    goOn: async () => {
      isRunning = true
      const last = archives.last()
      // An archive on this computer is started when somebody shows it, or has something to send there.
      const isWanted = ({ id, account }: Archive) =>
        id === last?.id || !account().isHere || work.isExpecting(id) || store.undelivered(id).length > 0
      const wanted = [...desks.values()].filter(({ archive }) => isWanted(archive))
      parts.unread(unread())
      void notices.tell()
      timers.push(setInterval(() => void save(), betweenBackupsMs).unref())
      /** One that connects late holds no other up. */
      const begin = async (desk: ArchiveDesk) => {
        const isToConnect = wanted.includes(desk)
        if (isToConnect) await desk.archive.connect()
        desk.start()
        if (isToConnect) void desk.refresh.whole()
      }
      await Promise.all([save(), ...[...desks.values()].map(begin)])
    },
    /** Stops what is under way, and waits for it for some seconds; the readers of the local copy end before the one that writes it. */
    stop: async () => {
      for (const desk of desks.values()) desk.stop()
      for (const timer of timers) clearInterval(timer)
      const ended = Promise.allSettled([engine.stop(), closeQuestions()])
      await Promise.race([ended, pass(patienceMs, undefined, { ref: false })])
      await thread.close()
    },
    /** What was dropped on the window. */
    drop: checked.drop,
    archiveOf: (id: string) => deskOf(id).archive,
    /** What concerns the application as a whole. */
    features: {
      checks: checked.calls,
      session: session({ archives, routing: proxies.routing, journal: store.journal, deskOf }),
      network: network({
        addressOf: (id) => archives.of(id).account().url,
        proxies,
        renew: () => {
          for (const desk of desks.values())
            if (desk.archive.connection().state !== 'online') void desk.renew()
        },
      }),
      // News alone.
      notices: {},
    },
    /** What concerns one archive. */
    archiveFeatures: {
      connection: connection({ deskOf, agree: thread.agree }),
      batch: batch({ batches, choose: parts.choose, chooseTarget: parts.chooseTarget }),
      capabilities: capabilities({ deskOf, agree: thread.agree }),
      files: files({ downloads, chooseTarget: parts.chooseTarget }),
      dips: dips({ cacheOf, book, work: disseminations }),
      packages: packages({
        able: capabilitiesOf,
        cacheOf,
        desk: store,
        ask,
        look: thread.look,
      }),
      search,
      find: find({ store, book, ask }),
      storage: storageFeature({ cacheOf, ask }),
      transfers: transfers({
        store,
        cacheOf,
        work,
        creations,
        now,
        refresh: refreshList,
        choose: parts.choose,
        scripts: parts.scripts.packaging,
        bags,
        savePdf,
      }),
      description: described.calls,
      changes: changes({
        able: capabilitiesOf,
        formOf: described.formOf,
        refresh: refreshListAnew,
        journal: store.journal,
      }),
      outbox: outbox({ creations, now, follow: work.follow }),
      searches: stored.calls,
      orders: orders({
        able: capabilitiesOf,
        store,
        cacheOf,
        creations,
        book,
        ask,
        now,
        refresh: refreshList,
        chooseTarget: parts.chooseTarget,
        printPdf: parts.printPdf,
        printPaper: parts.printPaper,
        changed: (archive) => tellOf(archive, 'orders.changed', {}),
      }),
      activity: activity({ store, ask, chooseTarget: parts.chooseTarget }),
      exports: exports({ store, ask, chooseTarget: parts.chooseTarget }),
      views: views({ store }),
      alerts: alerts({
        cacheOf,
        store,
        now,
        seen: (archive) => {
          unreadChanged()
          tellSeen(archive)
        },
      }),
    },
  }
}
