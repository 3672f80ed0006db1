import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describedBy } from './archive-client/held-lists.ts'
import { Failed } from './contract/failure.ts'
import type { Desk } from './contract/index.ts'
import { alerts } from './features/alerts.ts'
import { batch } from './features/batch.ts'
import { checks } from './features/checks.ts'
import { description } from './features/description.ts'
import { outbox } from './features/outbox.ts'
import { packages } from './features/packages.ts'
import { search } from './features/search.ts'
import { session } from './features/session.ts'
import { storage } from './features/storage.ts'
import { blankDraft, transfers } from './features/transfers.ts'
import type { Tell } from './ipc/tell.ts'
import { openBatches } from './outbox/batch.ts'
import { openCreations } from './outbox/creations.ts'
import { countSource } from './outbox/sources.ts'
import { openWork } from './outbox/work.ts'
import { onDisk } from './packaging/disk.ts'
import type { PackagingScripts } from './packaging/scripts.ts'
import { openSession, type StartLocalArchive } from './session/session.ts'
import { backups, recover, removeDamaged } from './store/backups.ts'
import { openCache } from './store/cache.ts'
import { openDeskStore } from './store/desk.ts'
import { openPackages } from './store/package-rows.ts'
import { openNotices, type Notice, type NoticeWords } from './sync/notices.ts'
import { openRefresh } from './sync/refresh.ts'
import { openThread } from './sync/thread.ts'
import type { Vault } from './vault/vault.ts'

const betweenGlancesMs = 3_000
const betweenRefreshesMs = 60_000
const betweenBackupsMs = 120_000
const betweenSendsMs = 5_000

/** What a person may be asked for by the system's own dialog. */
export type Chosen = 'folder' | 'files' | 'profile' | 'check-folder' | 'check-files' | 'hand-over' | 'take-over' | 'table' | 'batch-folder'

interface Parts {
  /** Where everything of this desk lies. */
  folder: string
  version: string
  now: () => Date
  random: () => number
  /** Keeps what went wrong, and gives the reference that a person can name. */
  bug: (error: unknown, room?: string) => string
  warn: (room: string, what: string, detail: unknown) => void
  vault: Vault
  startLocalArchive: StartLocalArchive
  language: () => string
  /** The scripts of the threads that pack and that read. */
  scripts: { packaging: PackagingScripts; reading: URL }
  /** Asks the person for folders or files; an empty list when they thought better of it. */
  choose: (what: Chosen) => Promise<string[]>
  /** Asks where something is to be saved. */
  chooseTarget: (what: 'findings' | 'receipt' | 'report', name: string) => Promise<string | undefined>
  /** What the window shows, as PDF. */
  printPdf: () => Promise<Uint8Array>
  notice: (it: Notice) => void
  noticeWords: () => NoticeWords
  tell: Tell<Desk>
}

/** The desk without its window: everything that it does, put together. It knows nothing of Electron, so that it can be tried without. */
export const openDesk = (parts: Parts) => {
  const { folder, version, now, random, bug, warn, vault, language, tell } = parts
  const inFolder = (name: string) => path.join(folder, name)
  removeDamaged(inFolder('cache.sqlite'))
  const cache = openCache(inFolder('cache.sqlite'))
  const held = openPackages(cache)
  const recovered = recover(inFolder('desk.sqlite'), now())
  if (recovered) warn('store', 'The desk was damaged or gone', recovered)
  const store = openDeskStore(inFolder('desk.sqlite'))
  const saveBackup = backups(store.database, inFolder('desk.sqlite'))
  const save = () => saveBackup().catch((error: unknown) => warn('store', 'No backup could be made', error))

  const at = openSession({
    ...{ store, vault, now, language, asOf: cache.asOf, unreadable: cache.unreadable, shrunk: cache.shrunk },
    startLocalArchive: parts.startLocalArchive,
    changed: (status) => tell('session.changed', status),
  })
  const here = at.shown
  const notices = openNotices({ cache, packages: held, store, words: parts.noticeWords, show: parts.notice })

  const work = openWork({
    ...{ store, cache, packages: held, session: at, now, bug, random, version },
    bags: inFolder('bags'),
    scripts: parts.scripts.packaging,
    changed: (id) => tell('transfers.changed', { id }),
    progress: (progress) => tell('transfers.progress', progress),
  })
  const thread = openThread({
    script: parts.scripts.reading,
    file: inFolder('cache.sqlite'),
    version,
    bug: (error) => bug(error, 'sync'),
    seen: (lists) => {
      const described = lists.filter(({ archive }) => archive === here()).map(({ subject }) => describedBy(subject))
      for (const list of described) if (list !== undefined) tell('description.changed', { list })
      if (described.includes(undefined)) tell('packages.changed', { asOf: now().toISOString() })
    },
  })
  const { whole, glance, list } = openRefresh({
    ...{ thread, now, language, reached: at.reached, met: at.met },
    began: (archive) => at.refreshing(archive, true),
    ended: (archive, failure) => {
      at.refreshing(archive, false)
      at.met(failure, archive)
      if (here() !== archive) return
      tell('packages.changed', { asOf: now().toISOString() })
      if (failure !== null) return
      work.follow(archive)
      void creations.kick(archive)
      notices(archive)
    },
  })
  const creations = openCreations({
    ...{ store, session: at, now, bug, random },
    delivered: async (archive, name) => {
      await list(archive, name)
      work.follow(archive)
    },
    changed: (id) => tell('outbox.changed', { id }),
  })
  const revive = async () => {
    if (['offline', 'refused'].includes(at.status().connection.state)) await at.revive()
    await whole()
  }
  const troubled = (archive: string, error: unknown) => {
    warn('session', 'Could not go on as before', error)
    at.met(error instanceof Failed ? error.failure : { kind: 'bug', reference: bug(error) }, archive)
  }

  const checked = checks({
    ...{ session: at, packages: held, now, language: () => (language().startsWith('sv') ? 'sv' : 'en'), scripts: parts.scripts.packaging },
    ...{ choose: parts.choose, chooseTarget: parts.chooseTarget },
    changed: (id) => tell('checks.changed', { id }),
    dropped: (id) => tell('checks.dropped', { id }),
  })
  const batches = openBatches({
    ...{ store, cache, work, now },
    count: (file) => countSource(file, parts.scripts.packaging),
    blank: (archive, id) => blankDraft(store, archive, id, now()),
    changed: (id) => tell('batch.changed', { id }),
  })
  const savePdf = async (name: string) => {
    const target = await parts.chooseTarget('receipt', name)
    if (target !== undefined) await onDisk(target, async () => writeFile(target, await parts.printPdf()))
    return target !== undefined
  }

  const archives = store.archives().map(({ id }) => id)
  work.tidy(archives)
  creations.tidy(archives)

  return {
    session: at,
    recovered,
    revive,
    /** How much has not reached an archive yet, and is to. */
    unsent: () => store.archives().reduce((sum, { id }) => sum + store.undelivered(id).length + store.transfers(id).filter(({ isWaiting, stage }) => isWaiting || stage === 'sending').length, 0),
    /** Goes on with the archive that was shown last, and from then on by itself. */
    goOn: async () => {
      await at.resume().catch((error: unknown) => troubled(here() ?? '', error))
      void whole()
      setInterval(() => void (work.isExpecting() ? whole() : glance()), betweenGlancesMs).unref()
      setInterval(() => void whole(), betweenRefreshesMs).unref()
      setInterval(() => void creations.kick(here() ?? ''), betweenSendsMs).unref()
      await save()
      setInterval(() => void save(), betweenBackupsMs).unref()
    },
    stop: () => {
      work.stop()
      checked.stop()
      void thread.close()
    },
    /** What was dropped on the window. */
    drop: checked.drop,
    features: {
      checks: checked.calls,
      batch: batch({ session: at, batches, choose: parts.choose, chooseTarget: parts.chooseTarget }),
      session: session({ session: at, refresh: whole, revive, agree: thread.agree, troubled }),
      packages: packages({ session: at, cache, packages: held, desk: store, look: thread.look }),
      search: search({ session: at }),
      storage: storage({ session: at, cache, packages: held }),
      transfers: transfers({
        ...{ store, cache, session: at, work, creations, now },
        packages: held,
        refresh: list,
        choose: parts.choose,
        scripts: parts.scripts.packaging,
        bags: inFolder('bags'),
        savePdf,
      }),
      description: description({ session: at, cache, packages: held, thread, creations, now, refresh: list }),
      outbox: outbox({ session: at, creations, now, follow: work.follow }),
      alerts: alerts({ session: at, cache, packages: held }),
    },
  }
}
