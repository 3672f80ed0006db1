import type { Alert } from '../contract/alerts.ts'
import { alertOf, unknownAlerts } from '../store/alerts.ts'
import type { CacheOf } from '../store/caches.ts'
import type { DeskStore } from '../store/desk.ts'
import type { DueMessage, Message } from '../store/ledger.ts'

/** A native notice: what it says, and the place that a click leads to. */
export interface Notice {
  title: string
  body: string
  /** "packages/ID", in the archive it is of; of several archives, the place is the same in all. */
  place: string
  archive: string
  /** What it told, by its keys in the ledger. */
  keys: string[]
}

export interface NoticeWords {
  preserved: string
  failed: string
  news: string
  several: (count: number, failures: number) => string
  /** Of messages of which nobody knows whether they were shown before the desk ended. */
  missed: (count: number) => string
}

/** "quiet" holds what comes back, and tells it in one digest afterwards; "off" tells nothing natively. */
export type NoticeMode = 'on' | 'quiet' | 'off'

const mostAtOnce = 3
/** Stands in the ledger for the first look at an archive: what was there then is not told. */
const firstLook = 'n-1'

const isFailure = ({ level }: Alert) => level === 'error' || level === 'critical'

interface Parts {
  cacheOf: CacheOf
  store: DeskStore
  words: () => NoticeWords
  mode: () => NoticeMode
  now: () => Date
  /** Asks the system to show a notice. Whether it did. */
  show: (notice: Notice) => Promise<boolean>
  /** What is unseen has changed. */
  changed: () => void
}

/**
 * Tells every message natively once, or counts it in one digest. It is in the ledger before the system is asked to show it, and again
 * after it did; where the desk ended in between, it is counted in a digest that says so. What could not be shown stays due.
 */
export const openNotices = ({ cacheOf, store, words, mode, now, show, changed }: Parts) => {
  const { ledger, journal } = store
  let telling = Promise.resolve()
  let isBegun = false

  const messageOf = (alert: Alert): Message & { isSeen: boolean } => ({
    key: `n${alert.id}`,
    title: isFailure(alert) ? words().failed : alert.package ? words().preserved : words().news,
    body: alert.package && /preserved|bevarad/i.test(alert.message) ? alert.package.label : alert.text,
    place: alert.package ? `packages/${alert.package.id}` : 'desk',
    isFailure: isFailure(alert),
    isSeen: alert.seen,
  })

  const showAs = async (messages: DueMessage[], notice: Notice, act: 'notice.shown' | 'notice.digest') => {
    ledger.mark(messages, 'showing')
    const isShown = await show(notice).catch(() => false)
    ledger.mark(messages, isShown ? 'told' : 'due')
    if (isShown)
      journal.write({
        archive: notice.archive,
        act,
        name: `${notice.title}: ${notice.body}`,
        place: notice.place,
        detail: messages
          .map(({ key }) => key)
          .join(' ')
          .slice(0, 2_000),
      })
    return isShown
  }
  const digest = (messages: DueMessage[], body: string) => {
    const [first] = messages
    const archive = first && messages.every((it) => it.archive === first.archive) ? first.archive : ''
    return showAs(
      messages,
      {
        title: messages.some((it) => it.isFailure) ? words().failed : words().news,
        body,
        place: 'desk',
        archive,
        keys: [],
      },
      'notice.digest',
    )
  }

  const tellDue = async () => {
    if (!isBegun) {
      isBegun = true
      const half = ledger.halfTold()
      if (half.length > 0) {
        ledger.mark(half, 'due')
        if (mode() === 'on') await digest(half, words().missed(half.length))
      }
    }
    const due = ledger.due()
    if (due.length === 0 || mode() === 'quiet') return
    if (mode() === 'off') return ledger.mark(due, 'told')
    if (due.length > mostAtOnce) {
      await digest(due, words().several(due.length, due.filter((it) => it.isFailure).length))
      return
    }
    for (const { archive, key, title, body, place, isFailure: failed } of due)
      if (
        !(await showAs(
          [{ archive, key, title, body, place, isFailure: failed }],
          { title, body, place, archive, keys: [key] },
          'notice.shown',
        ))
      )
        return
  }

  const tell = (): Promise<void> => {
    telling = telling.then(tellDue, tellDue)
    return telling
  }

  return {
    /** Takes over what the archive told; what is new is told natively. */
    collect: (archive: string): Promise<void> => {
      const at = now().toISOString()
      const cache = cacheOf(archive)
      const alerts = unknownAlerts(cache, (key) => ledger.knows(archive, key)).map((it) =>
        messageOf(alertOf(cache.packages, it)),
      )
      const isFirst =
        ledger.enter(
          archive,
          [{ key: firstLook, title: '', body: '', place: '', isFailure: false }],
          'before',
          at,
        ) === 1
      const fresh = alerts.filter(({ isSeen }) => !isSeen)
      // What was seen elsewhere is known, and not told.
      const entered =
        ledger.enter(archive, isFirst ? alerts : alerts.filter(({ isSeen }) => isSeen), 'before', at) +
        (isFirst ? 0 : ledger.enter(archive, fresh, 'due', at))
      if (entered > 0) changed()
      return tell()
    },
    /** A message of the desk itself, told once for its key. */
    own: (archive: string, message: Message): Promise<void> => {
      if (ledger.enter(archive, [message], 'due', now().toISOString()) > 0) changed()
      return tell()
    },
    /** Tells what is due, for instance when quiet is over. */
    tell,
  }
}

export type Notices = ReturnType<typeof openNotices>
