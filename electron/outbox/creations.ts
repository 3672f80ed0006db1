import { randomUUID } from 'node:crypto'
import { bodyOf, queuedIn } from '../archive-client/forms.ts'
import { idOf } from '../archive-client/records.ts'
import { requestOf } from '../archive-client/ways.ts'
import type { Reach } from '../archive-client/http.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import type { FormField, FormValues } from '../contract/description.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import type { ListName } from '../contract/lists.ts'
import type { Creation } from '../contract/outbox.ts'
import type { Session } from '../session/session.ts'
import type { DeskStore, KeptCreation } from '../store/desk.ts'
import { isDueAt, nextAttempt } from './delays.ts'
import { saying } from './match.ts'

/** Failures of which it is sure that nothing reached the archive. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  '',
])
const isSurelyUnsent = (failure: Failure) =>
  (failure.kind === 'offline' && (neverSent.has(failure.detail) || /CERT|TLS|SSL/.test(failure.detail))) ||
  failure.kind === 'signed-out'
const isRefusal = (failure: Failure) =>
  failure.kind === 'refused' ||
  failure.kind === 'not-allowed' ||
  failure.kind === 'not-found' ||
  failure.kind === 'conflict'

const titleOf = (list: ListName, values: FormValues): string => {
  const title = ['name', 'label', 'main_type', 'EventDetail', 'repository_code', 'name_native']
    .map((name) => values[name])
    .find((value) => typeof value === 'string' && value !== '')
  return typeof title === 'string' ? title : list
}

interface Parts {
  store: DeskStore
  session: Session
  /** What an archive can do, where it was asked. */
  able: (archive: string) => Capabilities | null
  now: () => Date
  /** From 0 to 1: how much a wait is lengthened, so that desks do not all come at once. */
  random: () => number
  bug: (error: unknown) => string
  changed: (id: string) => void
  /** A record is in the archive: its list is to be read again. */
  delivered: (archive: string, list: ListName) => Promise<void>
}

/**
 * Sends what was created at this desk, in order, each exactly once: what is to be sent and what the archive's list held before is
 * on disk before the request leaves; after an answer that was lost, the list is read and compared before anything is sent again.
 */
export const openCreations = ({ store, session, able, now, random, bug, changed, delivered }: Parts) => {
  const underWay = new Map<string, Promise<void>>()

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

  const later = (it: KeptCreation, state: 'waiting' | 'unanswered', failure: Failure) => {
    keep({
      ...it,
      state,
      failure,
      attempts: it.attempts + 1,
      nextAt: nextAttempt(it.attempts, failure, now(), random()),
    })
    session.met(failure.kind === 'signed-out' || failure.kind === 'offline' ? failure : null, it.archive)
  }
  const arrived = async (it: KeptCreation, remote: string, wasFound = false) => {
    keep({ ...it, wasFound, state: 'delivered', remote, failure: null, nextAt: null })
    session.met(null, it.archive)
    await delivered(it.archive, it.list)
  }

  /** What became of one whose answer was lost: the records that are new since, and say the same. */
  const lookFor = async (archive: Reach, it: KeptCreation) => {
    const there = await saying(archive, it.list, it.body ?? {})
    return [...there].filter(([key]) => !it.before?.includes(key)).map(([, record]) => record)
  }

  const post = async (archive: Reach, it: KeptCreation) => {
    // Written before it is sent: a desk that ends now knows afterwards that it may have been.
    const intent = keep({ ...it, state: 'sending', failure: null, nextAt: null })
    try {
      const made = await archive.post(it.path ?? `${it.list}/`, it.body)
      const remote = idOf(made)
      // Some archives say no id; then their list does.
      await arrived(intent, remote === '' ? idOf((await lookFor(archive, intent)).at(-1)) : remote)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      const { failure } = error
      if (isRefusal(failure)) keep({ ...intent, state: 'refused', failure })
      else later(intent, isSurelyUnsent(failure) ? 'waiting' : 'unanswered', failure)
    }
  }

  const sendOne = async (archive: Reach, it: KeptCreation) => {
    try {
      if (it.state === 'unanswered') {
        const found = await lookFor(archive, it)
        if (found.length === 1) return await arrived(it, idOf(found[0]), true)
        if (found.length > 1) {
          keep({ ...it, state: 'undecided', candidates: found.map(idOf), failure: null, nextAt: null })
          return
        }
        await post(archive, it)
        return
      }
      const { path, body } = requestOf(it.list, bodyOf(it.fields, it.values, remoteOf), able(it.archive))
      const before = [...(await saying(archive, it.list, body)).keys()]
      await post(archive, { ...it, before, path, body })
    } catch (error) {
      // The list could not be read: nothing was sent.
      if (!(error instanceof Failed)) throw error
      if (isRefusal(error.failure))
        keep({ ...it, state: it.state === 'unanswered' ? 'undecided' : 'refused', failure: error.failure })
      else later(it, it.state === 'unanswered' ? 'unanswered' : 'waiting', error.failure)
    }
  }

  const isDue = (it: KeptCreation) =>
    (it.state === 'waiting' || it.state === 'unanswered') && isDueAt(it.nextAt, now())

  /** Sends what is due, one after the other. One that is refused or waits does not hold the others back. */
  const run = async (archive: string, only?: string) => {
    const tried = new Set<string>()
    for (;;) {
      const there = session.reached()
      if (there?.account.archive !== archive) return
      if (only === undefined && store.isPaused(archive)) return
      const next = store
        .undelivered(archive)
        .find(
          (it) =>
            !tried.has(it.id) &&
            (only === undefined
              ? isDue(it)
              : it.id === only && ['waiting', 'unanswered', 'refused'].includes(it.state)) &&
            waitsFor(it).length === 0,
        )
      if (!next) return
      tried.add(next.id)
      await sendOne(there.archive, next)
    }
  }
  const kick = (archive: string, only?: string): Promise<void> => {
    const before = underWay.get(archive) ?? Promise.resolve()
    const running = before.then(() => run(archive, only)).catch((error: unknown) => void bug(error))
    underWay.set(archive, running)
    return running
  }

  const toCreation = (it: KeptCreation): Creation => ({
    ...{
      id: it.id,
      list: it.list,
      title: it.title,
      state: it.state,
      made: it.made,
      nextAt: it.nextAt,
      attempts: it.attempts,
      failure: it.failure,
      remote: it.remote,
    },
    wasFound: it.wasFound === true,
    waitsFor: waitsFor(it).map((id) => store.creation(id)?.title ?? id),
  })
  /** What is being sent, or may have been, stays as it is until that is known. */
  const mayChange = (it: KeptCreation) => {
    if (it.state === 'sending' || it.state === 'unanswered' || it.state === 'undecided')
      throw new Failed({ kind: 'conflict', detail: it.state })
    return it
  }

  return {
    list: (archive: string): Creation[] => store.creations(archive).map(toCreation),
    /** Puts a filled form into the outbox and tries to send it at once; the answer is how it stands after that. */
    add: async (
      archive: string,
      list: ListName,
      fields: FormField[],
      values: FormValues,
    ): Promise<KeptCreation> => {
      const it = keep({
        ...{
          id: randomUUID(),
          archive,
          list,
          fields,
          values,
          title: titleOf(list, values),
          made: now().toISOString(),
        },
        ...{
          state: 'waiting',
          before: null,
          body: null,
          attempts: 0,
          nextAt: null,
          failure: null,
          remote: null,
        },
      })
      if (!store.isPaused(archive)) await kick(archive)
      return need(it.id)
    },
    /** Corrects one that is not on its way, and tries it again. */
    change: async (id: string, fields: FormField[], values: FormValues): Promise<KeptCreation> => {
      const it = mayChange(need(id))
      keep({
        ...it,
        fields,
        values,
        title: titleOf(it.list, values),
        state: 'waiting',
        before: null,
        body: null,
        nextAt: null,
        failure: null,
      })
      if (!store.isPaused(it.archive)) await kick(it.archive)
      return need(id)
    },
    values: (id: string) => need(id).values,
    /** Sends what is due. */
    kick,
    hold: (id: string) => keep({ ...mayChange(need(id)), state: 'held', nextAt: null }),
    release: (id: string) => {
      const it = keep({ ...mayChange(need(id)), state: 'waiting', nextAt: null })
      void kick(it.archive)
    },
    sendNow: (id: string) => {
      const it = need(id)
      if (it.state === 'held') keep({ ...it, state: 'waiting', nextAt: null })
      void kick(it.archive, id)
    },
    move: (id: string, by: -1 | 1) => {
      store.moveCreation(id, by)
      changed(id)
    },
    remove: (id: string, at: string | null) => {
      if (at !== null) mayChange(need(id))
      store.removeCreation(id, at)
      changed(id)
    },
    decide: (id: string, isThere: boolean) => {
      const it = need(id)
      if (it.state !== 'undecided') throw new Failed({ kind: 'conflict', detail: it.state })
      // Of several that say the same, the last one is as good as any to refer to.
      keep(
        isThere
          ? { ...it, state: 'delivered', remote: it.candidates?.at(-1) ?? null, failure: null }
          : { ...it, state: 'waiting', nextAt: null, before: null },
      )
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
        if (it.state === 'sending') store.keepCreation({ ...it, state: 'unanswered', nextAt: null })
    },
  }
}

export type Creations = ReturnType<typeof openCreations>
