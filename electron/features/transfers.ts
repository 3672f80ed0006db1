import path from 'node:path'
import type { Archive } from '../archives/archive.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed, isUnreached } from '../contract/failure.ts'
import type { AgreementField } from '../contract/agreements.ts'
import type {
  Source,
  Transfer,
  TransferGroup,
  TransferRow,
  transfers as promised,
} from '../contract/transfers.ts'
import type { Creations } from '../jobs/kinds/creation/creations.ts'
import {
  arranged,
  destinationOf,
  draftLike,
  lackedBy,
  newDraft,
  reopened,
  untouchedDraft,
} from '../jobs/kinds/transfer/draft.ts'
import { countSource, sum } from '../jobs/kinds/transfer/sources.ts'
import { takeOver } from '../jobs/kinds/transfer/handover.ts'
import { madeElsewhere } from '../jobs/kinds/transfer/made-elsewhere.ts'
import { mountPointOf } from '../jobs/kinds/transfer/ingest-folder.ts'
import { formatOf, readProfileFor } from '../jobs/kinds/transfer/package-draft.ts'
import { historyOf, packageOf } from '../jobs/kinds/transfer/history.ts'
import { generationOf } from '../jobs/kinds/transfer/generation.ts'
import { receiptOf, duplicatesOf } from '../jobs/kinds/transfer/receipt.ts'
import type { Checks } from '../jobs/kinds/check/checks.ts'
import type { Transfers } from '../jobs/kinds/transfer/transfers.ts'
import { makesRepresentations } from '../jobs/kinds/transfer/proposing.ts'
import type { PackagingScripts } from '../packaging/scripts.ts'
import type { Ask } from '../questions/questions.ts'
import type { CacheOf } from '../store/cache/caches.ts'
import { heldAgreements } from '../store/lists/held-agreements.ts'
import type { DeskStore, KeptTransfer } from '../store/desk/desk-store.ts'
import { queuedChoice } from '../contract/queued.ts'
import { needed, type ArchiveClient, type SubmissionPart } from '../dialects/dialect.ts'
import type { HeldRecord } from '../dialects/models.ts'

interface Parts {
  store: DeskStore
  cacheOf: CacheOf
  transfers: Transfers
  creations: Creations
  checks: Pick<Checks, 'need' | 'copy' | 'noteSentOn'>
  /** Asks the person at the window; an empty list when they cancelled. */
  choose: (
    what: 'folder' | 'files' | 'profile' | 'descriptive' | 'hand-over' | 'take-over',
  ) => Promise<string[]>
  packagesFolder: string
  scripts: PackagingScripts
  ask: Ask
  /** Reads a list of description again. */
  refresh: (archive: string, list: 'delivery-types') => Promise<void>
  now: () => Date
}

type Calls = Fulfils<typeof promised, [Archive]>

/** What the window sees of a transfer. */
type Show = (kept: KeptTransfer) => Transfer

const showing =
  ({ transfers: jobs, cacheOf }: Parts): Show =>
  (kept) => ({
    id: kept.id,
    state: kept.state,
    form: kept.form,
    sources: kept.sources,
    counts: kept.counts,
    made: kept.made,
    changed: kept.changed,
    packing: kept.packing,
    profile: kept.state === 'draft' ? jobs.draftProfile(kept) : null,
    descriptive: kept.descriptive,
    sip: kept.sip,
    isPaused: kept.isPaused,
    handedOver: kept.handedOver,
    times: kept.times,
    remote: kept.remote,
    package: kept.package,
    compared: kept.compared,
    archiveWork: jobs.archiveWorkOf(kept),
    refusable: jobs.refusableOf(kept),
    isWaiting: kept.isWaiting,
    attempts: kept.attempts,
    nextAt: kept.nextAt,
    waitsFor: kept.isWaiting ? jobs.waitsFor(kept) : null,
    isOverInterface: jobs.isOverInterface(kept),
    transport: jobs.transportOf(kept),
    leftIn: jobs.leftInOf(kept),
    generation: generationOf(kept, cacheOf(kept.archive)),
    constraints: jobs.constraintsOf(kept),
    failure: kept.failure,
  })

/** What a list shows of a transfer. */
type ToRow = (kept: KeptTransfer) => TransferRow

const listing =
  ({ transfers: jobs, cacheOf }: Parts): ToRow =>
  (kept) => ({
    id: kept.id,
    name: kept.form.name,
    identifier: kept.form.identifier,
    package: kept.package ?? (jobs.isOverInterface(kept) ? kept.remote : null),
    generation: generationOf(kept, cacheOf(kept.archive)),
    state: kept.state,
    handedOver: kept.handedOver,
    bytes: kept.counts.bytes,
    lacks: lackedBy(kept.form, jobs.isOverInterface(kept)),
    changed: kept.changed,
    isPaused: kept.isPaused,
    isWaiting: kept.isWaiting,
    nextAt: kept.nextAt,
    waitsFor: kept.isWaiting ? jobs.waitsFor(kept) : null,
    failure: kept.failure,
  })

const mostOfGroup = 50
const mostTwins = 20
const mostQueued = 5_000
const mostLines = 100

type OfList = 'list' | 'facet' | 'uniform' | 'beginning' | 'line'

/** Looking at transfers, and at what speaks for deleting the originals. */
const reading = (
  { store, cacheOf, ask, transfers: jobs, now }: Parts,
  shown: Show,
  toRow: ToRow,
): Pick<Calls, OfList | 'groups' | 'one' | 'obstacles' | 'duplicates' | 'receipt'> => ({
  list: async ({ id }, which) => {
    const of = store.transferCount(id)
    const { ids, lines } = await ask('transferIds', id, which)
    return { rows: store.transfersOfIds(id, ids).map(toRow), lines, of }
  },
  facet: ({ id }, which) => ask('transferFacet', id, which),
  uniform: ({ id }, which) => ask('transferUniform', id, which),
  beginning: async ({ id }, which) => ({ line: await ask('transferBeginning', id, which) }),
  line: async ({ id }, which) => ({ line: await ask('transferLine', id, which) }),
  groups: ({ id }) => {
    const groupOf = (group: TransferGroup) => {
      const { count, first } = store.transfersOf(id, group, mostOfGroup)
      return { count, first: first.map(toRow) }
    }
    return {
      troubled: groupOf('troubled'),
      waiting: groupOf('waiting'),
      working: groupOf('working'),
      drafts: groupOf('drafts'),
    }
  },
  one: (_archive, { id }) => shown(jobs.need(id)),
  obstacles: (_archive, { id }) => jobs.obstaclesOf(id),
  duplicates: (archive, { id }) => {
    const transfer = jobs.need(id)
    const same = store.transfersWithContent(archive.id, transfer.sip?.content ?? '', mostTwins)
    return duplicatesOf(transfer, same, cacheOf(transfer.archive))
  },
  receipt: (archive, { id }) => {
    const transfer = jobs.need(id)
    const [cache, dialect] = [cacheOf(archive.id), archive.dialect()]
    return receiptOf(transfer, { shown: shown(transfer), cache, dialect, now: now() })
  },
})

/** A draft: what it is called, what is in it, how it is to be packed. */
const drafting = (
  { store, cacheOf, transfers: jobs, choose, scripts, now }: Parts,
  shown: Show,
): Pick<Calls, 'create' | 'createLike' | 'save' | 'add' | 'removeSource' | 'recount' | 'arrange'> => {
  /**
   * A draft may be changed; what is packed may not, or the package and its form would say different things.
   */
  const draft = (id: string): KeptTransfer => jobs.checkMay('save', id)
  const withSources = (id: string, sources: Source[]) =>
    shown(jobs.keep({ ...draft(id), sources, counts: sum(sources), failure: null }))
  const begun = (archive: string) => newDraft({ store, cacheOf, now: now() }, archive)
  return {
    create: ({ id }) => shown(untouchedDraft(store, id) ?? jobs.propose(jobs.keep(begun(id)))),
    createLike: (archive, { id }) => shown(jobs.keep(draftLike(jobs.need(id), begun(archive.id)))),
    save: (_archive, { id, form }) => {
      const kept = jobs.need(id)
      const identifier = form.identifier.trim() || id
      if (kept.state === 'draft')
        return shown(jobs.propose(jobs.keep({ ...draft(id), form: { ...form, identifier } })))
      jobs.checkMay('choose delivery', id)
      return shown(jobs.keep({ ...kept, form: { ...kept.form, ...destinationOf(form) } }))
    },
    add: async (_archive, { id, what }) => {
      draft(id)
      const chosen = await choose(what)
      const { packing } = draft(id)
      const added = await Promise.all(chosen.map((file) => countSource(path.resolve(file), packing, scripts)))
      const kept = draft(id).sources.filter(({ path: file }) => !added.some((source) => source.path === file))
      return withSources(id, [...kept, ...added])
    },
    removeSource: (_archive, { id, path: file }) =>
      withSources(
        id,
        draft(id).sources.filter((source) => source.path !== file),
      ),
    recount: async (_archive, { id }) => {
      draft(id)
      return shown(await jobs.recount(id))
    },
    arrange: (_archive, { id, packing }) => {
      const kept = jobs.need(id)
      // While it is packed only its pace may change; the form is what is being made.
      if (kept.state === 'packing') {
        jobs.bePolite(id, packing.isPolite)
        return shown(jobs.keep({ ...kept, packing: { ...kept.packing, isPolite: packing.isPolite } }))
      }
      return shown(jobs.keep({ ...draft(id), packing: arranged(kept.packing, packing) }))
    },
  }
}

/** What a person chooses for a draft in the system's dialogs: its profile, and what describes it. */
const choosing = (
  { transfers: jobs, choose }: Parts,
  shown: Show,
): Pick<Calls, 'chooseProfile' | 'dropProfile' | 'chooseDescriptive' | 'dropDescriptive'> => {
  const draft = (id: string): KeptTransfer => jobs.checkMay('save', id)
  return {
    chooseProfile: async (_archive, { id }) => {
      const [file] = await choose('profile')
      if (file === undefined) return shown(draft(id))
      const profileText = await readProfileFor(draft(id), file)
      return shown(jobs.keep({ ...draft(id), profileText }))
    },
    dropProfile: (_archive, { id }) => shown(jobs.keep({ ...draft(id), profileText: null })),
    chooseDescriptive: async (_archive, { id }) => {
      const [file] = await choose('descriptive')
      if (file === undefined) return shown(draft(id))
      // What could not be packed is said while a person looks.
      await formatOf(draft(id)).readDescriptive?.(file)
      return shown(jobs.keep({ ...draft(id), descriptive: file }))
    },
    dropDescriptive: (_archive, { id }) => shown(jobs.keep({ ...draft(id), descriptive: null })),
  }
}

/** Packing and sending: begun, held, stopped. */
const sending = (
  { transfers: jobs }: Parts,
  shown: Show,
): Pick<
  Calls,
  'pack' | 'pause' | 'goOn' | 'cancel' | 'send' | 'sendNow' | 'sendAgain' | 'lookAgain' | 'sendIntoFolder'
> => ({
  pack: (_archive, { id }) => {
    jobs.checkMay('save', id)
    return shown(jobs.pack(id))
  },
  pause: (_archive, { id }) => shown(jobs.setPaused(id, true)),
  goOn: (_archive, { id }) => shown(jobs.setPaused(id, false)),
  cancel: (_archive, { id }) => shown(jobs.cancel(id)),
  send: (_archive, { id }) => shown(jobs.send(id)),
  sendNow: (_archive, { id }) => shown(jobs.sendNow(id)),
  sendAgain: (_archive, { id }) => shown(jobs.sendAgain(id)),
  lookAgain: (_archive, { id }) => shown(jobs.lookAgain(id)),
  sendIntoFolder: async (_archive, { id }) => {
    const transfer = jobs.need(id)
    const { failure } = transfer
    if (failure?.kind === 'network-folder')
      jobs.keep({ ...transfer, ingestFolder: failure.path, failure: null })
    else if (failure?.kind === 'not-mounted')
      jobs.keep({
        ...transfer,
        ingestFolder: failure.path,
        mountPoint: await mountPointOf(failure.path),
        failure: null,
      })
    else throw new Failed({ kind: 'conflict', detail: transfer.state })
    return shown(jobs.send(id))
  },
})

/**
 * Making a draft of one again, taking it off the list, carrying it to another desk, and sending on a package
 * that was made elsewhere.
 */
const moving = (
  { store, cacheOf, transfers: jobs, checks, choose, scripts, packagesFolder, now }: Parts,
  shown: Show,
): Pick<Calls, 'reopen' | 'remove' | 'restore' | 'handOver' | 'takeOver' | 'sendOn'> => ({
  reopen: async (_archive, { id }) => {
    const kept = jobs.checkMay('reopen', id)
    await jobs.removeSip(kept)
    return shown(jobs.keep(reopened(kept, jobs.isOverInterface(kept))))
  },
  remove: (_archive, { id }) => {
    jobs.checkMay('remove', id)
    jobs.putAway(id, now().toISOString())
  },
  restore: (_archive, { id }) => {
    if (store.removedTransfer(id)) jobs.putAway(id, null)
    return shown(jobs.need(id))
  },
  handOver: async (_archive, { id }) => {
    jobs.checkMay('hand over', id)
    const [into] = await choose('hand-over')
    return shown(into === undefined ? jobs.need(id) : await jobs.handOver(id, into))
  },
  takeOver: async ({ id: archive }) => {
    await jobs.swept()
    const [folder] = await choose('take-over')
    if (folder === undefined) return null
    const { signal } = new AbortController()
    const taken = await takeOver(folder, { archive, packagesFolder, scripts, signal, store, now: now() })
    const removed = store.removedTransfer(taken.id)
    const former = store.transfer(taken.id) ?? removed
    store.transaction(() => {
      if (removed) jobs.putAway(taken.id, null)
      jobs.keep(taken)
    })
    if (former?.sip && former.sip.path !== taken.sip?.path) await jobs.removeSip(former)
    return shown(taken)
  },
  sendOn: async ({ id }, { check }) => {
    const blank = newDraft({ store, cacheOf, now: now() }, id)
    const found = { ...checks.need(check), copy: (to: string) => checks.copy(check, to) }
    const isOverInterface = jobs.isOverInterface(blank)
    const made = await madeElsewhere(blank, packagesFolder, found, { isOverInterface, now })
    if (!made) return null
    const kept = jobs.keep(made)
    checks.noteSentOn(check, kept.id)
    return shown(kept)
  },
})

/** What an archive says of its agreements; what is known here where it cannot be asked now. */
const askedOf = async <T>(
  archive: Archive,
  ask: (submission: SubmissionPart, client: ArchiveClient) => Promise<T>,
  known: () => T,
): Promise<T> => {
  const client = archive.findClient()
  if (!client) return known()
  try {
    return await ask(needed(archive.dialect().submission), client)
  } catch (error) {
    if (error instanceof Failed && isUnreached(error.failure)) return known()
    throw error
  }
}

/** The deliveries that a transfer may belong to, and the agreements that it may be sent under. */
const delivering = ({
  cacheOf,
  ask,
  creations,
  refresh,
}: Parts): Pick<
  Calls,
  'deliveries' | 'createDelivery' | 'agreements' | 'agreementFields' | 'agreementMakesRepresentations'
> => {
  /** The archive's first delivery type: what a delivery is that is made by its name alone. */
  const deliveryType = async (archive: string): Promise<string | undefined> => {
    const held = () => cacheOf(archive).some<HeldRecord>('description/delivery-types', 1)[0]?.id
    if (held() === undefined) await refresh(archive, 'delivery-types')
    return held()
  }
  return {
    deliveries: async (archive) => {
      const held = await ask('deliveries', archive.id)
      const known = new Set(held.map(({ id }) => id))
      const queued = creations
        .of(archive.id, 'deliveries', mostQueued)
        .filter(({ remote }) => remote === null || !known.has(remote))
      return [...held, ...queued.map(({ id, title }) => ({ id: queuedChoice(id), name: title, type: '' }))]
    },
    agreements: (archive) =>
      askedOf(
        archive,
        (submission, client) => submission.agreements(client),
        () => heldAgreements(cacheOf(archive.id)),
      ),
    agreementFields: (archive, { agreement, from }) => {
      if (from === 'archive')
        return askedOf<AgreementField[] | null>(
          archive,
          (submission, client) => submission.fieldsOf(client, agreement),
          () => null,
        )
      const cache = cacheOf(archive.id)
      return needed(archive.dialect().submission).fieldsIn(
        (list, id) => cache.raw(`description/${list}`, id),
        agreement,
      )
    },
    agreementMakesRepresentations: (archive, { agreement }) =>
      askedOf(
        archive,
        (submission, client) => makesRepresentations(submission, client, agreement),
        () => false,
      ),
    createDelivery: async ({ id: archive, dialect }, { name }) => {
      const type = await deliveryType(archive)
      const types = type === undefined ? [] : [{ value: type, text: type }]
      const fields =
        (await needed(dialect().creating).form(
          'deliveries',
          undefined,
          (path) => Promise.resolve(path === 'delivery-types' ? types : []),
          null,
        )) ?? []
      const values = { name, description: '', ...(type === undefined ? {} : { type }) }
      const made = await creations.add({ archive, list: 'deliveries', fields, values })
      return { id: made.remote ?? queuedChoice(made.id), name, type: '' }
    },
  }
}

/** Transfers of this desk: from a draft to what the archive preserved. */
export const transfers = (parts: Parts): Calls => {
  const shown = showing(parts)
  return {
    ...reading(parts, shown, listing(parts)),
    history: async ({ id: archive }, { id }) => {
      const { ask, cacheOf, transfers: jobs } = parts
      const transfer = jobs.need(id)
      const journal = await ask('journalOf', archive, `transfers/${id}`, mostLines)
      const became = packageOf(transfer, cacheOf(archive))
      return historyOf(transfer, journal, became ? await ask('toldOf', archive, became.id, became) : [])
    },
    ...drafting(parts, shown),
    ...choosing(parts, shown),
    ...sending(parts, shown),
    ...moving(parts, shown),
    ...delivering(parts),
  }
}
