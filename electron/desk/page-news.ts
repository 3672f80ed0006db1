import { describedBy } from '../contract/subjects.ts'
import type { Events } from './events.ts'
import type { DeskData } from './desk-data.ts'
import type { Platform } from './platform.ts'

interface Parts {
  platform: Platform
  deskData: DeskData
  events: Events
}

/** Tells the windows what happened: every news of the contract that does not come from a call. */
export const tellPage = ({ platform, deskData, events }: Parts): void => {
  const { now, sendNews, sendNewsOf } = platform
  const { store } = deskData
  const listsChanged = (archive: string) =>
    sendNewsOf(archive, 'packages.changed', { asOf: now().toISOString() })

  events.on('session changed', (status) => sendNews('session.changed', status))
  events.on('capabilities learnt', ({ archive, capabilities }) =>
    sendNewsOf(archive, 'capabilities.changed', capabilities),
  )
  events.on('lists read', ({ archive }) => listsChanged(archive.id))
  events.on('rows written', ({ archive, subjects }) => {
    const described = subjects.map(describedBy)
    for (const list of described) if (list !== undefined) sendNewsOf(archive, 'description.changed', { list })
    if (described.includes(undefined)) listsChanged(archive)
  })
  events.on('words indexed', ({ archive }) => sendNewsOf(archive, 'find.changed', {}))
  events.on('check changed', ({ id }) => sendNews('checks.changed', { id }))
  events.on('transfer changed', ({ id }) => {
    const archive = store.archiveOfJob(id)
    if (archive !== undefined) sendNewsOf(archive, 'transfers.changed', { id })
  })
  events.on('transfer progressed', (progress) => {
    const archive = store.archiveOfJob(progress.id)
    if (archive !== undefined) sendNewsOf(archive, 'transfers.progress', progress)
  })
  events.on('creation changed', ({ archive, id }) => {
    sendNewsOf(archive, 'outbox.changed', { id })
    if (store.creationOrRemoved(id)?.list === 'orders') sendNewsOf(archive, 'orders.changed', {})
  })
  events.on('dissemination changed', ({ archive, dissemination }) =>
    sendNewsOf(archive, 'dips.changed', dissemination),
  )
  events.on('download progressed', ({ archive, download }) => sendNewsOf(archive, 'files.progress', download))
  events.on('comparison progressed', ({ archive, comparison }) =>
    sendNewsOf(archive, 'comparisons.progress', comparison),
  )
  events.on('batch changed', ({ archive, id }) => sendNewsOf(archive, 'batch.changed', { id }))
  events.on('searches changed', ({ archive }) => sendNewsOf(archive, 'searches.changed', {}))
  events.on('orders changed', ({ archive }) => sendNewsOf(archive, 'orders.changed', {}))
  events.on('unread changed', () => {
    for (const { id } of store.archives())
      sendNewsOf(id, 'alerts.changed', { unread: store.ledger.unseen(id) })
  })
}
