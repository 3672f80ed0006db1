import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Archive } from '../archives/archive.ts'
import { queuedChoice, readForm } from '../archive-client/forms.ts'
import type { HeldRecord } from '../archive-client/records.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed } from '../contract/failure.ts'
import type { Delivery, Source, Transfer, transfers as promised } from '../contract/transfers.ts'
import type { Creations } from '../outbox/creations.ts'
import { countSource, nothing, sum } from '../outbox/sources.ts'
import { takeOver } from '../outbox/handover.ts'
import { mountPointOf } from '../outbox/ingest-folder.ts'
import { receiptOf, twinsOf } from '../outbox/receipt.ts'
import type { Work } from '../outbox/work.ts'
import { readProfile } from '../packaging/bagit/profile.ts'
import type { PackagingScripts } from '../packaging/scripts.ts'
import type { CacheOf } from '../store/caches.ts'
import type { DeskStore, KeptTransfer } from '../store/desk.ts'

interface Parts {
  store: DeskStore
  cacheOf: CacheOf
  work: Work
  creations: Creations
  /** Asks the person at the window; an empty list when they thought better of it. */
  choose: (what: 'folder' | 'files' | 'profile' | 'hand-over' | 'take-over') => Promise<string[]>
  /** Where bags lie. */
  bags: string
  /** Saves what the window shows as PDF, where the person wants it; says whether it did. */
  savePdf: (name: string) => Promise<boolean>
  scripts: PackagingScripts
  /** Reads a list of description again. */
  refresh: (archive: string, list: 'delivery-types') => Promise<void>
  now: () => Date
}

/** A draft with nothing in it, with what the last one said of the sender and how it was packed. */
export const blankDraft = (store: DeskStore, archive: string, id: string, now: Date): KeptTransfer => {
  const moment = now.toISOString()
  const last = store.latestTransfer(archive)
  const { organization = '', address = '', person = '', email = '' } = last?.form ?? {}
  return {
    id,
    archive,
    stage: 'draft',
    made: moment,
    changed: moment,
    sources: [],
    counts: nothing,
    bag: null,
    form: {
      name: '',
      delivery: '',
      description: '',
      identifier: id,
      organization,
      address,
      person,
      email,
      tags: {},
    },
    packing: last?.packing ?? { form: 'folder', algorithm: 'sha256', isPolite: false },
    profileText: last?.profileText ?? null,
    isPaused: false,
    handedOver: null,
    times: { prepared: null, sent: null, received: null, preserved: null },
    remote: null,
    package: null,
    failure: null,
    sending: null,
    ingestFolder: null,
    before: [],
    isWaiting: false,
    attempts: 0,
    nextAt: null,
  }
}

export const transfers = ({
  store,
  cacheOf,
  work,
  creations,
  choose,
  scripts,
  bags,
  savePdf,
  refresh,
  now,
}: Parts): Fulfils<typeof promised, [Archive]> => {
  /** What the window sees of a transfer. */
  const shown = (kept: KeptTransfer): Transfer => {
    const {
      archive: _archive,
      sending: _sending,
      ingestFolder: _folder,
      before: _before,
      mountPoint: _mountPoint,
      doubt: _doubt,
      profileText: _profile,
      ...it
    } = kept
    return {
      ...it,
      profile: it.stage === 'draft' ? work.draftProfile(kept) : null,
      waitsFor: it.isWaiting ? work.waitsFor(kept) : null,
      constraints: work.constraintsOf(kept),
    }
  }
  /** The archive's first delivery type: what a delivery is that is made by its name alone. */
  const deliveryType = async (archive: string): Promise<string | undefined> => {
    const held = () => cacheOf(archive).all<HeldRecord>('description/delivery-types')[0]?.id
    if (held() === undefined) await refresh(archive, 'delivery-types')
    return held()
  }
  /** A draft may be changed; what is packed may not, or the bag and its form would say different things. */
  const draft = (id: string): KeptTransfer => work.checkMay('save', id)
  const withSources = (id: string, sources: Source[]) =>
    shown(work.keep({ ...draft(id), sources, counts: sum(sources), failure: null }))

  return {
    list: (archive) => store.transfers(archive.id).map(shown),
    one: (_archive, { id }) => shown(work.need(id)),
    create: (archive) => shown(work.keep(blankDraft(store, archive.id, randomUUID(), now()))),
    createLike: (archive, { id }) => {
      const { form, packing, profileText } = work.need(id)
      const begun = blankDraft(store, archive.id, randomUUID(), now())
      return shown(
        work.keep({ ...begun, packing, profileText, form: { ...form, name: '', identifier: begun.id } }),
      )
    },
    save: (_archive, { id, form }) => {
      const it = work.need(id)
      const identifier = form.identifier.trim() === '' ? id : form.identifier
      if (it.stage === 'draft') return shown(work.keep({ ...it, form: { ...form, identifier } }))
      work.checkMay('choose delivery', id)
      return shown(work.keep({ ...it, form: { ...it.form, delivery: form.delivery } }))
    },
    add: async (_archive, { id, what }) => {
      draft(id)
      const chosen = await choose(what)
      const added = await Promise.all(chosen.map((file) => countSource(path.resolve(file), scripts)))
      const kept = draft(id).sources.filter(({ path: file }) => !added.some((source) => source.path === file))
      return withSources(id, [...kept, ...added])
    },
    removeSource: (_archive, { id, path: file }) =>
      withSources(
        id,
        draft(id).sources.filter((source) => source.path !== file),
      ),
    pack: (_archive, { id }) => {
      draft(id)
      return shown(work.pack(id))
    },
    arrange: (_archive, { id, packing }) => {
      const it = work.need(id)
      // While it is packed only its pace may change; the form is what is being made.
      if (it.stage === 'packing') {
        work.bePolite(id, packing.isPolite)
        return shown(work.keep({ ...it, packing: { ...it.packing, isPolite: packing.isPolite } }))
      }
      return shown(work.keep({ ...draft(id), packing }))
    },
    chooseProfile: async (_archive, { id }) => {
      const [file] = await choose('profile')
      if (file === undefined) return shown(draft(id))
      const text = await readFile(file, 'utf8')
      const read = readProfile(text)
      if ('wrong' in read) throw new Failed({ kind: 'bad-profile', path: file, detail: read.wrong })
      return shown(work.keep({ ...draft(id), profileText: text }))
    },
    dropProfile: (_archive, { id }) => shown(work.keep({ ...draft(id), profileText: null })),
    pause: (_archive, { id }) => shown(work.pause(id, true)),
    goOn: (_archive, { id }) => shown(work.pause(id, false)),
    cancel: (_archive, { id }) => shown(work.cancel(id)),
    send: (_archive, { id }) => shown(work.send(id)),
    sendNow: (_archive, { id }) => shown(work.sendNow(id)),
    sendAgain: (_archive, { id }) => shown(work.sendAgain(id)),
    sendIntoFolder: async (_archive, { id }) => {
      const transfer = work.need(id)
      const { failure } = transfer
      if (failure?.kind === 'network-folder')
        work.keep({ ...transfer, ingestFolder: failure.path, failure: null })
      else if (failure?.kind === 'not-mounted')
        work.keep({
          ...transfer,
          ingestFolder: failure.path,
          mountPoint: await mountPointOf(failure.path),
          failure: null,
        })
      else throw new Failed({ kind: 'conflict', detail: transfer.stage })
      return shown(work.send(id))
    },
    reopen: async (_archive, { id }) => {
      const it = work.checkMay('reopen', id)
      await work.removeBag(it)
      return shown(
        work.keep({
          ...it,
          stage: 'draft',
          bag: null,
          failure: null,
          sending: null,
          isWaiting: false,
          remote: null,
          times: { prepared: null, sent: null, received: null, preserved: null },
        }),
      )
    },
    remove: (_archive, { id }) => {
      work.checkMay('remove', id)
      work.putAway(id, now().toISOString())
    },
    restore: (_archive, { id }) => {
      work.putAway(id, null)
      return shown(work.need(id))
    },
    twins: (archive, { id }) =>
      twinsOf(work.need(id), store.transfers(archive.id), cacheOf(work.need(id).archive)),
    receipt: (_archive, { id }) =>
      receiptOf(work.need(id), shown(work.need(id)), cacheOf(work.need(id).archive), now()),
    saveReceipt: (_archive, { id }) => savePdf(`${work.need(id).form.name || id}.pdf`),
    handOver: async (_archive, { id }) => {
      work.checkMay('hand over', id)
      const [into] = await choose('hand-over')
      return shown(into === undefined ? work.need(id) : await work.handOver(id, into))
    },
    takeOver: async (archive) => {
      const [folder] = await choose('take-over')
      if (folder === undefined) return null
      return shown(
        work.keep(
          await takeOver(folder, bags, archive.id, now(), {
            scripts,
            signal: new AbortController().signal,
            known: store.transfer,
          }),
        ),
      )
    },
    deliveries: (archive) => {
      const held = cacheOf(archive.id).all<Delivery>('deliveries')
      const own = creations
        .list(archive.id)
        .filter(
          ({ list, remote }) =>
            list === 'deliveries' && (remote === null || !held.some(({ id }) => id === remote)),
        )
      return [...held, ...own.map(({ id, title }) => ({ id: queuedChoice(id), name: title, type: '' }))]
    },
    createDelivery: async ({ id: archive }, { name }) => {
      const type = await deliveryType(archive)
      const types = type === undefined ? [] : [{ value: type, text: type }]
      const fields =
        (await readForm('deliveries', undefined, (path) =>
          Promise.resolve(path === 'delivery-types' ? types : []),
        )) ?? []
      const made = await creations.add(archive, 'deliveries', fields, {
        name,
        description: '',
        ...(type === undefined ? {} : { type }),
      })
      return { id: made.remote ?? queuedChoice(made.id), name, type: '' }
    },
  }
}
