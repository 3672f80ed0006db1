import { describedBy } from '../contract/subjects.ts'
import type { DeskNotices } from './notices.ts'
import type { Events } from './events.ts'
import type { Storage } from './storage.ts'
import type { Surroundings } from './surroundings.ts'

interface Parts {
  surroundings: Surroundings
  storage: Storage
  notices: DeskNotices
  events: Events
}

/** Tells the windows what happened: every news of the contract that does not come from a call. */
export const tellPage = ({ surroundings, storage, notices, events }: Parts): void => {
  const { now, tell, tellOf } = surroundings
  const { store } = storage
  const listsChanged = (archive: string) => tellOf(archive, 'packages.changed', { asOf: now().toISOString() })

  events.on('session changed', (status) => tell('session.changed', status))
  events.on('capabilities learnt', ({ archive, capabilities }) =>
    tellOf(archive, 'capabilities.changed', capabilities),
  )
  events.on('lists read', ({ archive }) => listsChanged(archive.id))
  events.on('rows written', ({ archive, subjects }) => {
    const described = subjects.map(describedBy)
    for (const list of described) if (list !== undefined) tellOf(archive, 'description.changed', { list })
    if (described.includes(undefined)) listsChanged(archive)
  })
  events.on('words indexed', ({ archive }) => tellOf(archive, 'find.changed', {}))
  events.on('check changed', ({ id }) => tell('checks.changed', { id }))
  events.on('transfer changed', ({ id }) => {
    const archive = store.archiveOfJob(id)
    if (archive !== undefined) tellOf(archive, 'transfers.changed', { id })
  })
  events.on('transfer progressed', (progress) => {
    const archive = store.archiveOfJob(progress.id)
    if (archive !== undefined) tellOf(archive, 'transfers.progress', progress)
  })
  events.on('creation changed', ({ archive, id }) => {
    tellOf(archive, 'outbox.changed', { id })
    if (store.creationOrRemoved(id)?.list === 'orders') tellOf(archive, 'orders.changed', {})
  })
  events.on('dissemination changed', ({ archive, task }) => tellOf(archive, 'dips.changed', task))
  events.on('download progressed', ({ archive, download }) => tellOf(archive, 'files.progress', download))
  events.on('batch changed', ({ archive, id }) => tellOf(archive, 'batch.changed', { id }))
  events.on('searches changed', ({ archive }) => tellOf(archive, 'searches.changed', {}))
  events.on('orders changed', ({ archive }) => tellOf(archive, 'orders.changed', {}))
  events.on('unread changed', () => {
    const unread = notices.unread()
    tell('notices.unread', { unread })
    for (const { id } of store.archives()) tellOf(id, 'alerts.changed', {})
  })
}
