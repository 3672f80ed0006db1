import type { Alert, MessageContent } from '../contract/alerts.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'
import type { DueMessage, Message } from '../store/desk/message-ledger.ts'
import { toColumns } from '../store/desk/message-columns.ts'

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

/** What a message says, in the language that is spoken now. */
export interface NoticeWords {
  title: (content: MessageContent) => string
  text: (content: MessageContent) => string
}

/** "quiet" holds what comes back, and tells it in one digest afterwards; "off" tells nothing natively. */
export type NoticeMode = 'on' | 'quiet' | 'off'

const mostAtOnce = 3
/** So many are entered in one transaction at most. */
const mostEntered = 500
/** Stands in the ledger for the first look at an archive: what was there then is not told. */
const firstLook = 'n-1'

const isFailure = ({ tells }: Alert) => tells === 'failure'

/**
 * A failure that an archive told of no package: a task that fails fails those after it, and each of them is
 * told.
 */
const isNameless = ({ key, isFailure, place }: DueMessage) =>
  isFailure && place === 'desk' && key.startsWith('n')

interface Parts {
  /**
   * Some of what an archive told that the ledger does not know, the newest first.
   * @param upTo leaves out what came into the local copy after this row; null leaves nothing out
   */
  unknown: (archive: string, most: number, upTo: number | null) => Promise<Alert[]>
  /** The row of the local copy that the last notification has. */
  lastRow: (archive: string) => number
  store: DeskStore
  words: () => NoticeWords
  mode: () => NoticeMode
  now: () => Date
  /** Asks the system to show a notice. Whether it did. */
  show: (notice: Notice) => Promise<boolean>
  /** What is unseen has changed. */
  changed: () => void
}

const contentOf = (alert: Alert): MessageContent => {
  if (isFailure(alert)) return { says: 'failure', name: alert.text }
  if (alert.tells !== 'preserved') return { says: 'news', name: alert.text }
  return { says: 'preserved', name: alert.package?.label ?? alert.text }
}

/** The moment that a time stands for; null of one without a zone, which is another with the computer's. */
const momentOf = (time: string) => (/(Z|[+-]\d\d:?\d\d)$/i.test(time) ? Date.parse(time) || null : null)

/** What is told of an alert. */
const messageOf = (alert: Alert): Message => ({
  key: `n${alert.id}`,
  content: contentOf(alert),
  place: alert.package ? `packages/${alert.package.id}` : 'desk',
  isFailure: isFailure(alert),
  toldMs: momentOf(alert.time),
})

/**
 * Shows messages natively: they are in the ledger before the system is asked to show them, and again after it
 * did. Each gives whether they were shown.
 */
const openShowing = ({
  store: { ledger, journal },
  words,
  show,
}: Pick<Parts, 'store' | 'words' | 'show'>) => {
  const showAs = async (
    messages: DueMessage[],
    { content, archive, place, keys }: Pick<Notice, 'archive' | 'place' | 'keys'> & Pick<Message, 'content'>,
  ) => {
    ledger.mark(messages, 'showing')
    const notice = { title: words().title(content), body: words().text(content), place, archive, keys }
    const isShown = await show(notice).catch(() => false)
    ledger.mark(messages, isShown ? 'told' : 'due')
    const { code, name } = toColumns(content)
    if (isShown)
      journal.write({
        archive,
        act: content.says === 'several' || content.says === 'missed' ? 'notice.digest' : 'notice.shown',
        name,
        place,
        detail: [code, ...messages.map(({ key }) => key)].join(' ').slice(0, 2_000),
      })
    return isShown
  }
  return {
    one: (message: DueMessage) => showAs([message], { ...message, keys: [message.key] }),
    digest: (messages: DueMessage[], says: 'several' | 'missed') => {
      const [first] = messages
      const archive =
        first && messages.every((message) => message.archive === first.archive) ? first.archive : ''
      const failures = messages.filter((message) => message.isFailure).length
      const content = { says, count: messages.length, failures }
      return showAs(messages, { content, place: 'desk', archive, keys: [] })
    },
  }
}

/**
 * Enters what an archive told and the ledger does not know, part by part: it may be a hundred thousand
 * things. At the first look at an archive all of it is old.
 * @returns how many were entered
 */
const openEntering =
  ({ unknown, store: { ledger }, now }: Pick<Parts, 'unknown' | 'store' | 'now'>) =>
  async (archive: string, upTo: number | null): Promise<number> => {
    const time = now().toISOString()
    const looked: Message = {
      key: firstLook,
      content: { says: 'text', title: '', text: '' },
      place: '',
      isFailure: false,
    }
    const isFirst = upTo !== null && !ledger.knows(archive, firstLook)
    const enter = (some: Alert[], state: 'before' | 'due') =>
      ledger.enter(archive, some.map(messageOf), state, time)
    let entered = 0
    for (;;) {
      const alerts = await unknown(archive, mostEntered, isFirst ? upTo : null)
      // What was seen elsewhere is known, and not told.
      const isOld = ({ seen }: Alert) => isFirst || seen
      const count =
        enter(alerts.filter(isOld), 'before') +
        enter(
          alerts.filter((alert) => !isOld(alert)),
          'due',
        )
      entered += count
      if (count === 0 || alerts.length < mostEntered) break
    }
    // Noted last: what a desk that ended in between did not enter is not told after the next start.
    if (isFirst) entered += ledger.enter(archive, [looked], 'before', time)
    return entered
  }

/**
 * Tells every message natively once, or counts it in one digest. It is in the ledger before the system is
 * asked to show it, and again after it did; where the desk ended in between, it is counted in a digest that
 * says so. What could not be shown stays due.
 */
export const openNotices = (parts: Parts) => {
  const { store, mode, now, changed } = parts
  const { ledger } = store
  const showing = openShowing(parts)
  let shown = Promise.resolve()
  let isBegun = false

  const begin = async () => {
    isBegun = true
    const half = ledger.halfTold()
    if (half.length === 0) return
    ledger.mark(half, 'due')
    if (mode() === 'on') await showing.digest(half, 'missed')
  }
  const showAll = async () => {
    if (!isBegun) await begin()
    const due = ledger.due()
    if (due.length === 0 || mode() === 'quiet') return
    if (mode() === 'off') return ledger.mark(due, 'told')
    const nameless = due.filter(isNameless)
    const burst = nameless.length > 1 ? nameless : []
    const others = due.filter((message) => !burst.includes(message))
    if (others.length > mostAtOnce) {
      await showing.digest(due, 'several')
      return
    }
    const isShown = burst.length === 0 || (await showing.digest(burst, 'several'))
    if (isShown) for (const message of others) if (!(await showing.one(message))) return
  }
  const showDue = (): Promise<void> => {
    shown = shown.then(showAll, showAll)
    return shown
  }
  const enter = openEntering(parts)
  const collect = async (archive: string, upTo: number | null): Promise<void> => {
    let entered = await enter(archive, upTo)
    // What came while the first look was noted is new.
    if (upTo !== null) entered += await enter(archive, null)
    if (entered > 0) changed()
    await showDue()
  }
  let collecting = Promise.resolve()

  return {
    /** Takes over what the archive told; what is new is told natively. */
    collect: (archive: string): Promise<void> => {
      const upTo = ledger.knows(archive, firstLook) ? null : parts.lastRow(archive)
      const collected = collecting.then(() => collect(archive, upTo))
      collecting = collected.catch(() => undefined)
      return collected
    },
    /** A message of the desk itself, told once for its key. */
    ofDesk: (archive: string, message: Message): Promise<void> => {
      if (ledger.enter(archive, [message], 'due', now().toISOString()) > 0) changed()
      return showDue()
    },
    /** Shows what is due, for instance when quiet is over. */
    showDue,
  }
}

export type Notices = ReturnType<typeof openNotices>
