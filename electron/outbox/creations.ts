import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { bodyOf, queuedIn } from '../archive-client/forms.ts'
import { unsure } from '../archive-client/answers.ts'
import { idOf } from '../archive-client/records.ts'
import { requestOf } from '../archive-client/ways.ts'
import type { Reach } from '../archive-client/http.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import type { FormField, FormValues } from '../contract/description.ts'
import { Failed, isRefusal, isSurelyUnsent, isUnreached, type Failure } from '../contract/failure.ts'
import { may } from '../contract/jobs.ts'
import type { ListName } from '../contract/lists.ts'
import type { Creation } from '../contract/outbox.ts'
import type { DeskStore, KeptCreation } from '../store/desk.ts'
import { afterLookup, isSettled, noLookup } from '../jobs/delays.ts'
import type { Engine } from '../jobs/engine.ts'
import { saying, wasMadeSince } from './match.ts'

/** Whether the archive may have it already; one that is said to be sent though nobody sends it now was left by a run that broke. */
const mayBeThere = ({ state, wasRestored }: KeptCreation) =>
  state === 'unanswered' || state === 'sending' || (wasRestored === true && state !== 'undecided')

const titleOf = (list: ListName, values: FormValues): string => {
  const title = ['name', 'label', 'main_type', 'EventDetail', 'repository_code', 'name_native']
    .map((name) => values[name])
    .find((value) => typeof value === 'string' && value !== '')
  return typeof title === 'string' ? title : list
}

/** What else is known of one that is added. */
interface Added {
  /** It may have been sent before, by a desk whose data were lost: the archive is asked first. */
  wasRestored?: boolean
  /** Writes what belongs to it in the same transaction. */
  alongside?: (it: KeptCreation) => void
}

interface Parts {
  engine: Engine
  store: DeskStore
  /** An archive to speak with, where it was reached. */
  reachOf: (archive: string) => Reach | undefined
  /** What the last talk with an archive showed. */
  metAt: (archive: string, failure: Failure | null) => void
  /** What an archive can do, where it was asked. */
  able: (archive: string) => Capabilities | null
  now: () => Date
  changed: (id: string) => void
  /** A record is in the archive: its list is to be read again. */
  delivered: (archive: string, list: ListName) => Promise<void>
}

/**
 * Sends what was created at this desk, in order, each exactly once: what is to be sent and what the archive's list
 * held before is on disk before the request leaves. After an answer that was lost the archive may still be working
 * at it: the list is read and compared, and only what several lookups over minutes did not find is sent again.
 */
export const openCreations = ({ engine, store, reachOf, metAt, able, now, changed, delivered }: Parts) => {
  const keep = (it: KeptCreation) => {
    store.keepCreation(it)
    changed(it.id)
    return it
  }
  const need = (id: string): KeptCreation => {
    const found = store.creation(id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    return found
  }
  /** Whether what refers to it can be sent: its id in the archive is known. */
  const isInArchive = (it: KeptCreation | undefined) => it?.state === 'delivered' && it.remote !== null
  /** Those it refers to that are not in the archive yet. */
  const waitsFor = ({ fields, values }: KeptCreation) =>
    queuedIn(fields, values).filter((id) => !isInArchive(store.creation(id)))
  const remoteOf = (queued: string) => store.creation(queued)?.remote ?? ''

  /** Keeps what came of one, unless somebody corrected, held or deleted it since it was read. */
  const keepUnchanged = (read: KeptCreation, next: KeptCreation): KeptCreation | undefined => {
    const kept = store.changeCreation(read.id, (now) => (isDeepStrictEqual(now, read) ? next : undefined))
    if (kept) changed(kept.id)
    return kept
  }

  const later = (
    read: KeptCreation,
    state: KeptCreation['state'],
    failure: Failure | null,
    change: Pick<Partial<KeptCreation>, 'doubt'> = {},
  ) => {
    return keepUnchanged(read, {
      ...read,
      ...change,
      state,
      failure,
      ...engine.afterAttempt(read, failure),
    })
  }
  /** The same after the archive did not answer, or answered with a failure. */
  const failed = (read: KeptCreation, state: KeptCreation['state'], failure: Failure) => {
    later(read, state, failure)
    metAt(read.archive, failure.kind === 'signed-out' || isUnreached(failure) ? failure : null)
  }
  const arrived = async (it: KeptCreation, remote: string | null, wasFound = false) => {
    keep({ ...it, wasFound, wasRestored: false, state: 'delivered', remote, failure: null, nextAt: null })
    metAt(it.archive, null)
    await delivered(it.archive, it.list)
  }

  /** What became of one whose answer was lost: the records that are new since, and say the same or may do so. */
  const lookFor = async (archive: Reach, it: KeptCreation) => {
    const { found, isSure } = await saying(archive, it.list, it.body ?? {})
    if (!isSure) throw unsure(`${archive.url}/api/${it.list}/`)
    // A record that another creation of this desk is known to have made is not this one's, though it says the same.
    const claimed = new Set(
      store
        .creations(it.archive)
        .filter(({ id, list }) => id !== it.id && list === it.list)
        .flatMap(({ remote }) => remote ?? []),
    )
    const fresh = [...found]
      .filter(([key, { record }]) => !it.before?.includes(key) && !claimed.has(idOf(record)))
      .map(([, one]) => one)
    const like = (wanted: 'same' | 'similar') =>
      fresh.filter(({ likeness }) => likeness === wanted).map(({ record }) => record)
    return { same: like('same'), similar: like('similar') }
  }

  /** Looks up the id of one that the archive took without saying it. */
  const arrivedNameless = async (archive: Reach, it: KeptCreation) => {
    let found: unknown[] = []
    try {
      found = (await lookFor(archive, it)).same
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      if (!isRefusal(error.failure)) return failed(it, 'unanswered', error.failure)
    }
    // Of several that say the same, the last one is as good as any to refer to.
    await arrived(it, found.length === 0 ? null : idOf(found.at(-1)))
  }

  /** Sends one as `next` has it; nothing is sent of one that is not as it was read. */
  const post = async (archive: Reach, read: KeptCreation, next: KeptCreation) => {
    // Written before it is sent: a desk that ends now knows afterwards that it may have been.
    const intent = keepUnchanged(read, {
      ...next,
      state: 'sending',
      failure: null,
      triedAt: now().toISOString(),
      nextAt: null,
      doubt: noLookup,
    })
    if (!intent) return
    let made: unknown
    try {
      made = await archive.post(intent.path ?? `${intent.list}/`, intent.body)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      const { failure } = error
      if (isRefusal(failure)) keep({ ...intent, state: 'refused', failure })
      else failed(intent, isSurelyUnsent(failure) ? 'waiting' : 'unanswered', failure)
      return
    }
    const remote = idOf(made)
    if (remote !== '') await arrived(intent, remote)
    else await arrivedNameless(archive, keep({ ...intent, wasTaken: true }))
  }

  /** Asks the archive for one that it may have, and sends it where it surely has not. */
  const lookUp = async (archive: Reach, it: KeptCreation) => {
    const asked = it.body === null ? { ...it, ...requestFor(it) } : it
    if (it.wasTaken === true) return arrivedNameless(archive, it)
    const { same, similar } = await lookFor(archive, asked)
    // Where nobody knows what was there before, one that is older or does not say its age may be another's.
    const proven = it.before === null ? same.filter((record) => wasMadeSince(record, it.made)) : same
    if (proven.length === 1) return arrived(asked, idOf(proven[0]), true)
    const candidates = [...similar, ...same].map(idOf)
    if (candidates.length > 0)
      return void keepUnchanged(it, { ...asked, state: 'undecided', candidates, failure: null, nextAt: null })
    const doubt = afterLookup(it.doubt, it, now())
    if (!isSettled(doubt)) {
      later(it, it.state === 'sending' ? 'unanswered' : it.state, it.failure, { doubt })
      return metAt(it.archive, null)
    }
    if (it.state === 'held' || it.state === 'refused')
      keepUnchanged(it, { ...it, wasRestored: false, attempts: 0, nextAt: null, doubt: noLookup })
    else await post(archive, it, { ...asked, before: it.before ?? [], wasRestored: false })
  }
  const requestFor = (it: KeptCreation) =>
    requestOf(it.list, bodyOf(it.fields, it.values, remoteOf), able(it.archive))

  const sendOne = async (archive: Reach, it: KeptCreation) => {
    try {
      if (mayBeThere(it)) return await lookUp(archive, it)
      const { path, body } = requestFor(it)
      const before = [...(await saying(archive, it.list, body)).found.keys()]
      await post(archive, it, { ...it, before, path, body })
    } catch (error) {
      // The list could not be read: nothing was sent.
      if (!(error instanceof Failed)) throw error
      const isSent = it.state === 'sending' || it.state === 'unanswered'
      if (isRefusal(error.failure))
        keepUnchanged(it, { ...it, state: mayBeThere(it) ? 'undecided' : 'refused', failure: error.failure })
      else failed(it, isSent ? 'unanswered' : it.state, error.failure)
    }
  }

  /** Those that the clock sends; of those that a backup brought back it asks whether they are there. */
  const isSent = (it: KeptCreation) => it.state === 'waiting' || mayBeThere(it)

  /** Sends what is due, one after the other. One that is refused or waits does not hold the others back. */
  const run = async (archive: string, only?: string) => {
    const tried = new Set<string>()
    for (;;) {
      const there = reachOf(archive)
      if (!there || !engine.mayGo(archive, only !== undefined)) return
      const next = store
        .undelivered(archive)
        .find(
          (it) =>
            !tried.has(it.id) &&
            (only === undefined
              ? isSent(it) && engine.isDue(it)
              : it.id === only && (isSent(it) || it.state === 'refused')) &&
            waitsFor(it).length === 0,
        )
      if (!next) return
      tried.add(next.id)
      await sendOne(there, next)
    }
  }
  const kick = (archive: string, only?: string): Promise<void> =>
    engine.inTurn(`creation ${archive}`, () => run(archive, only))

  const toCreation = (it: KeptCreation): Creation => ({
    id: it.id,
    list: it.list,
    title: it.title,
    state: it.wasRestored === true && it.state !== 'undecided' ? 'unanswered' : it.state,
    made: it.made,
    nextAt: it.nextAt,
    attempts: it.attempts,
    failure: it.failure,
    remote: it.remote,
    wasFound: it.wasFound === true,
    waitsFor: waitsFor(it).map((id) => store.creation(id)?.title ?? id),
  })
  /**
   * What is being sent, or may have been, stays as it is until that is known; what the archive has is changed there.
   * @throws Failed conflict, with the state that does not allow it
   */
  const checkMay = (event: 'correct' | 'hold' | 'release' | 'remove' | 'decide', creation: KeptCreation) => {
    const isRestored = creation.wasRestored === true
    if (may('creation', event, creation.state, isRestored ? ['restored'] : [])) return creation
    throw new Failed({ kind: 'conflict', detail: isRestored ? 'unanswered' : creation.state })
  }
  /** Changes one as it is on disk now: it may have been delivered since it was looked at. */
  const alter = (id: string, change: (it: KeptCreation) => KeptCreation) => {
    const kept = store.changeCreation(id, change)
    if (!kept) throw new Failed({ kind: 'not-found', what: id })
    changed(id)
    return kept
  }

  return {
    list: (archive: string): Creation[] => store.creations(archive).map(toCreation),
    /** Puts a filled form into the outbox and tries to send it at once; the answer is how it stands after that. */
    add: async (
      archive: string,
      list: ListName,
      fields: FormField[],
      values: FormValues,
      { wasRestored = false, alongside = () => undefined }: Added = {},
    ): Promise<KeptCreation> => {
      const it: KeptCreation = {
        id: randomUUID(),
        archive,
        list,
        fields,
        values,
        title: titleOf(list, values),
        made: now().toISOString(),
        state: 'waiting',
        before: null,
        body: null,
        attempts: 0,
        nextAt: null,
        failure: null,
        remote: null,
        wasRestored,
      }
      store.transaction(() => {
        store.keepCreation(it)
        alongside(it)
      })
      changed(it.id)
      if (!store.isPaused(archive)) await kick(archive)
      return need(it.id)
    },
    /** Corrects one that is not on its way, and tries it again. */
    change: async (id: string, fields: FormField[], values: FormValues): Promise<KeptCreation> => {
      const { archive } = alter(id, (it) => ({
        ...checkMay('correct', it),
        fields,
        values,
        title: titleOf(it.list, values),
        state: 'waiting',
        before: null,
        body: null,
        nextAt: null,
        failure: null,
      }))
      if (!store.isPaused(archive)) await kick(archive)
      return need(id)
    },
    values: (id: string) => need(id).values,
    /** Sends what is due. */
    kick,
    hold: (id: string) => void alter(id, (it) => ({ ...checkMay('hold', it), state: 'held', nextAt: null })),
    release: (id: string) => {
      const { archive } = alter(id, (it) => ({ ...checkMay('release', it), state: 'waiting', nextAt: null }))
      void kick(archive)
    },
    sendNow: (id: string) => {
      const { archive } = alter(id, (it) =>
        it.state === 'held' && it.wasRestored !== true ? { ...it, state: 'waiting', nextAt: null } : it,
      )
      void kick(archive, id)
    },
    move: (id: string, by: -1 | 1) => {
      store.moveCreation(id, by)
      changed(id)
    },
    remove: (id: string, at: string | null) => {
      store.transaction(() => {
        const it = need(id)
        if (at !== null) checkMay('remove', it)
        store.removeCreation(id, at)
      })
      changed(id)
    },
    decide: (id: string, isThere: boolean) => {
      const it = alter(id, (kept) => {
        checkMay('decide', kept)
        // Of several that say the same, the last one is as good as any to refer to.
        return isThere
          ? {
              ...kept,
              state: 'delivered',
              remote: kept.candidates?.at(-1) ?? null,
              failure: null,
              wasRestored: false,
            }
          : { ...kept, state: 'waiting', nextAt: null, before: null, wasRestored: false }
      })
      if (isThere) void delivered(it.archive, it.list)
      void kick(it.archive)
    },
    pause: (archive: string, isPaused: boolean) => {
      store.pause(archive, isPaused)
      changed('')
      if (!isPaused) void kick(archive)
    },
    isPaused: (archive: string) => store.isPaused(archive),
    /** At the start: a request that was under way when the desk ended may have arrived. */
    tidy: (archives: string[]) => {
      for (const it of archives.flatMap((archive) => store.undelivered(archive)))
        if (it.state === 'sending')
          store.keepCreation({
            ...it,
            state: 'unanswered',
            ...engine.afterAttempt(it, null),
            attempts: it.attempts,
          })
    },
  }
}

export type Creations = ReturnType<typeof openCreations>
