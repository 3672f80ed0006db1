import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { queuedChoice, readForm } from '../archive-client/forms.ts'
import type { HeldRecord } from '../archive-client/records.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed } from '../contract/failure.ts'
import type { Counts, Delivery, Source, Transfer, transfers as promised } from '../contract/transfers.ts'
import type { Creations } from '../outbox/creations.ts'
import type { Work } from '../outbox/work.ts'
import { planBag } from '../packaging/plan.ts'
import type { Session } from '../session/session.ts'
import type { Cache } from '../store/cache.ts'
import type { DeskStore, KeptTransfer } from '../store/desk.ts'

interface Parts {
  store: DeskStore
  cache: Cache
  session: Session
  work: Work
  creations: Creations
  /** Asks the person at the window; an empty list when they thought better of it. */
  choose: (what: 'folder' | 'files') => Promise<string[]>
  /** Reads a list of description again. */
  refresh: (archive: string, list: 'delivery-types') => Promise<void>
  now: () => Date
}

const nothing: Counts = { files: 0, folders: 0, bytes: 0 }

const sum = (sources: Source[]): Counts => sources.reduce((all, { files, folders, bytes }) => ({ files: all.files + files, folders: all.folders + folders, bytes: all.bytes + bytes }), nothing)

const countSource = async (file: string): Promise<Source> => {
  try {
    const { counts, folders } = await planBag([file])
    return { path: file, isFolder: folders.length > 0, ...counts, failure: null }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    return { path: file, isFolder: true, ...nothing, failure: error.failure }
  }
}

export const transfers = ({ store, cache, session, work, creations, choose, refresh, now }: Parts): Fulfils<typeof promised> => {
  const here = () => session.account().archive
  /** What the window sees of a transfer. */
  const shown = (kept: KeptTransfer): Transfer => {
    const { archive: _archive, sending: _sending, ingestFolder: _folder, before: _before, ...it } = kept
    return { ...it, waitsFor: it.isWaiting ? work.waitsFor(kept) : null }
  }
  /** The archive's first delivery type: what a delivery is that is made by its name alone. */
  const deliveryType = async (archive: string): Promise<string | undefined> => {
    const held = () => cache.all<HeldRecord>(archive, 'description/delivery-types')[0]?.id
    if (held() === undefined) await refresh(archive, 'delivery-types')
    return held()
  }
  /** A draft may be changed; what is packed may not, or the bag and its form would say different things. */
  const draft = (id: string): KeptTransfer => {
    const it = work.need(id)
    if (it.stage !== 'draft') throw new Failed({ kind: 'conflict', detail: it.stage })
    return it
  }
  const withSources = (id: string, sources: Source[]) => shown(work.keep({ ...draft(id), sources, counts: sum(sources), failure: null }))

  return {
    list: () => store.transfers(here()).map(shown),
    one: ({ id }) => shown(work.need(id)),
    create: () => {
      const id = randomUUID()
      const moment = now().toISOString()
      const [last] = store.transfers(here())
      const { organization = '', address = '', person = '', email = '' } = last?.form ?? {}
      return shown(
        work.keep({
          ...{ id, archive: here(), stage: 'draft', made: moment, changed: moment, sources: [], counts: nothing, bag: null },
          form: { name: '', delivery: '', description: '', identifier: id, organization, address, person, email },
          times: { prepared: null, sent: null, received: null, preserved: null },
          ...{ remote: null, package: null, failure: null, sending: null, ingestFolder: null, before: [], isWaiting: false, attempts: 0, nextAt: null },
        }),
      )
    },
    save: ({ id, form }) => {
      const it = work.need(id)
      const identifier = form.identifier.trim() === '' ? id : form.identifier
      if (it.stage === 'draft') return shown(work.keep({ ...it, form: { ...form, identifier } }))
      // The delivery is no part of the bag, so it may still be chosen.
      if (it.stage === 'prepared' && it.remote === null) return shown(work.keep({ ...it, form: { ...it.form, delivery: form.delivery } }))
      throw new Failed({ kind: 'conflict', detail: it.stage })
    },
    add: async ({ id, what }) => {
      draft(id)
      const chosen = await choose(what)
      const added = await Promise.all(chosen.map((file) => countSource(path.resolve(file))))
      const kept = draft(id).sources.filter(({ path: file }) => !added.some((source) => source.path === file))
      return withSources(id, [...kept, ...added])
    },
    removeSource: ({ id, path: file }) =>
      withSources(
        id,
        draft(id).sources.filter((source) => source.path !== file),
      ),
    pack: ({ id }) => {
      draft(id)
      return shown(work.pack(id))
    },
    cancel: ({ id }) => shown(work.cancel(id)),
    send: ({ id }) => shown(work.send(id)),
    sendNow: ({ id }) => shown(work.sendNow(id)),
    reopen: async ({ id }) => {
      const it = work.need(id)
      // What the archive may know already goes on from there; a second registration would be a twin.
      const mayReopen = it.stage === 'refused' || (it.stage === 'prepared' && it.remote === null && it.sending === null)
      if (!mayReopen || work.isUnderWay(id)) throw new Failed({ kind: 'conflict', detail: it.stage })
      if (it.bag) await rm(it.bag.path, { recursive: true, force: true })
      return shown(
        work.keep({ ...it, stage: 'draft', bag: null, failure: null, sending: null, isWaiting: false, remote: null, times: { prepared: null, sent: null, received: null, preserved: null } }),
      )
    },
    remove: ({ id }) => {
      if (work.isUnderWay(id)) throw new Failed({ kind: 'conflict', detail: work.need(id).stage })
      work.putAway(id, now().toISOString())
    },
    restore: ({ id }) => {
      work.putAway(id, null)
      return shown(work.need(id))
    },
    deliveries: () => {
      const held = cache.all<Delivery>(here(), 'deliveries')
      const own = creations.list(here()).filter(({ list, remote }) => list === 'deliveries' && (remote === null || !held.some(({ id }) => id === remote)))
      return [...held, ...own.map(({ id, title }) => ({ id: queuedChoice(id), name: title, type: '' }))]
    },
    createDelivery: async ({ name }) => {
      const archive = here()
      const type = await deliveryType(archive)
      const types = type === undefined ? [] : [{ value: type, text: type }]
      const fields = (await readForm('deliveries', undefined, (path) => Promise.resolve(path === 'delivery-types' ? types : []))) ?? []
      const made = await creations.add(archive, 'deliveries', fields, { name, description: '', ...(type === undefined ? {} : { type }) })
      return { id: made.remote ?? queuedChoice(made.id), name, type: '' }
    },
  }
}
