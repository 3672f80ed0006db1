import { background } from '../common/background.ts'
import type { Archive } from '../archives/archive.ts'
import { messageOfCreation, messageOfDip, messageOfTransfer } from './messages.ts'
import type { Message } from '../store/desk/message-ledger.ts'
import { ThreadClosed } from '../common/request-thread.ts'
import { openNotices } from '../sync/notices.ts'
import { openSeen } from '../sync/seen.ts'
import type { Ask } from '../questions/questions.ts'
import type { Events } from './events.ts'
import type { DeskData } from './desk-data.ts'
import type { Platform } from './platform.ts'

interface Parts {
  platform: Platform
  deskData: DeskData
  ask: Ask
  events: Events
}

export type DeskNotices = ReturnType<typeof openDeskNotices>

/**
 * Native notices of what archives told and of what became of the desk's own jobs, and what of them is unread.
 */
export const openDeskNotices = ({ platform, deskData, ask, events }: Parts) => {
  const { now, reportBug, notice, noticeMode, noticeWords } = platform
  const { store } = deskData
  const unread = () => store.archives().reduce((sum, { id }) => sum + store.ledger.unseen(id), 0)
  const unreadChanged = () => events.emit('unread changed', null)
  const saw = (archive: string, key: string) => {
    if (store.ledger.see(archive, key, now().toISOString())) unreadChanged()
  }
  const notices = openNotices({
    unknown: (archive, most, upTo) => ask('unknownAlerts', archive, most, upTo),
    lastRow: (archive) => deskData.cacheOf(archive).lastRow('notifications'),
    store,
    now,
    words: noticeWords,
    mode: noticeMode,
    show: (shown) =>
      notice(shown, () => {
        for (const key of shown.keys) saw(shown.archive, key)
        events.emit('place wanted', { archive: shown.archive, place: shown.place })
      }),
    changed: unreadChanged,
  })
  const markSeen = openSeen({
    opened: (archive, most) => ask('openedAlerts', archive, most),
    capabilities: store.capabilities,
  })
  /** What was not asked any more because the desk ends is asked after the next start. */
  const reportUnlessClosed = (error: unknown) => {
    if (!(error instanceof ThreadClosed)) reportBug(error, 'sync')
  }
  const tellSeen = (archive: Archive) => {
    const client = archive.findClient()
    if (client) markSeen(archive.id, client).catch(reportUnlessClosed)
  }
  const tellMessage = (archive: string, message: Message | undefined) => {
    if (message) background(notices.ofDesk(archive, message), reportUnlessClosed)
  }

  events.on('lists read', ({ archive, complete }) => {
    // At a first look, what was there before would count as new once it is read.
    if (!complete.includes('notifications')) return
    notices.collect(archive.id).catch(reportUnlessClosed)
    tellSeen(archive)
  })
  events.on('alerts seen', ({ archive }) => {
    unreadChanged()
    tellSeen(archive)
  })
  events.on('transfer changed', ({ id }) => {
    const transfer = store.transfer(id)
    if (transfer) tellMessage(transfer.archive, messageOfTransfer(transfer))
  })
  events.on('creation changed', ({ archive, id }) => {
    const creation = store.creation(id)
    if (creation) tellMessage(archive, messageOfCreation(creation))
  })
  events.on('dissemination changed', ({ archive, dissemination }) =>
    tellMessage(archive, messageOfDip(dissemination)),
  )
  return {
    unread,
    ofDesk: notices.ofDesk,
    /** Tells what was held back. */
    showDue: notices.showDue,
  }
}
