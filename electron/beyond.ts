import type { ChosenTarget } from './surroundings.ts'
import { capabilities } from './features/capabilities.ts'
import { dips } from './features/dips.ts'
import { files } from './features/files.ts'
import type { DipTask } from './contract/dips.ts'
import type { ArchiveContract } from './contract/index.ts'
import type { TellOf } from './ipc/tell.ts'
import { openDipWork } from './outbox/dip-work.ts'
import { openDownloads } from './outbox/downloads.ts'
import type { OrderBook } from './outbox/order-book.ts'
import { openAbilities } from './session/abilities.ts'
import type { Session } from './session/session.ts'
import type { Cache } from './store/cache.ts'
import type { DeskStore } from './store/desk.ts'
import type { Packages } from './store/package-rows.ts'
import { setTimeout as pass } from 'node:timers/promises'
import { Failed } from './contract/failure.ts'

interface Parts {
  session: Session
  store: DeskStore
  cache: Cache
  packages: Packages
  book: OrderBook
  now: () => Date
  bug: (error: unknown) => string
  chooseTarget: (what: ChosenTarget, name: string) => Promise<string | undefined>
  /** Reads everything anew. */
  refresh: () => Promise<void>
  agree: (archive: string, subject: string) => void
  /** How a dissemination package stands, which a person may want to be told. */
  made: (archive: string, it: DipTask) => void
  tellOf: TellOf<ArchiveContract>
}

/** What archives offer beyond the specification, and how the desk learns whether they do. */
export const openBeyond = ({
  session,
  store,
  cache,
  packages,
  book,
  now,
  bug,
  chooseTarget,
  refresh,
  agree,
  made,
  tellOf,
}: Parts) => {
  const abilities = openAbilities({
    session,
    store,
    now,
    changed: (archive, it) => tellOf(archive, 'capabilities.changed', it),
  })
  /** Work of one archive never goes on in another that happens to be shown. */
  const archive = (id: string) => {
    const there = session.reached()
    if (there?.account.archive !== id) throw new Failed({ kind: 'offline', address: '', detail: '' })
    return there.archive
  }
  const downloads = openDownloads({
    store,
    archive,
    now,
    bug,
    progress: (of, it) => tellOf(of, 'files.progress', it),
  })
  const work = openDipWork({
    store,
    archive,
    now,
    bug,
    wait: async (ms, signal) => void (await pass(ms, undefined, { signal })),
    changed: (of, it) => {
      tellOf(of, 'dips.changed', it)
      made(of, it)
    },
  })
  return {
    abilities,
    stop: () => Promise.all([downloads.close(), work.close()]),
    features: {
      capabilities: capabilities({ abilities, shrunk: cache.shrunk, refresh, agree }),
      files: files({ downloads, chooseTarget }),
      dips: dips({ cache, packages, book, work }),
    },
  }
}
