import { randomUUID } from 'node:crypto'
import { background, toProcess } from '../../../common/background.ts'
import type { FormField, FormValues } from '../../../contract/description.ts'
import type { ListName } from '../../../contract/lists.ts'
import type { DeskStore, KeptCreation } from '../../../store/desk/desk-store.ts'
import type { CreatingAt } from './creating.ts'
import { checkMay, type Records } from './records.ts'

/** A form as a person filled it in. */
interface FilledForm {
  archive: string
  list: ListName
  fields: FormField[]
  values: FormValues
}

/** What else is known of one that is added. */
interface Added {
  /** It may have been sent before, by a desk whose data were lost: the archive is asked first. */
  wasRestored?: boolean
  /** The same, by a later state of this desk's own file, where nothing says that there is one. */
  isMaybeSent?: boolean
  /** What it said then, where that was another thing. */
  former?: NonNullable<KeptCreation['former']>
  /** Writes what belongs to it in the same transaction. */
  alongside?: (creation: KeptCreation) => void
}

interface Parts {
  store: DeskStore
  creatingAt: CreatingAt
  records: Records
  now: () => Date
  changed: (archive: string, id: string) => void
  delivered: (archive: string, list: ListName) => Promise<void>
  /** Sends what is due of an archive; with an id, that one alone, though it was to wait. */
  sendDue: (archive: string, only?: string) => Promise<void>
}

/** Forms that a person fills in, and corrects as long as they are on no way. */
export const openForms = ({ store, creatingAt, records: { need, alter }, now, changed, sendDue }: Parts) => {
  const titleOf = (archive: string, list: ListName, values: FormValues) =>
    creatingAt(archive).titleOf(values) ?? list
  return {
    /**
     * Puts a filled form into the outbox and tries to send it at once; the answer is how it stands after
     * that.
     */
    add: async (
      { archive, list, fields, values }: FilledForm,
      { wasRestored = false, isMaybeSent = false, former = [], alongside = () => undefined }: Added = {},
    ): Promise<KeptCreation> => {
      const creation: KeptCreation = {
        id: randomUUID(),
        archive,
        list,
        fields,
        values,
        title: titleOf(archive, list, values),
        made: now().toISOString(),
        state: 'waiting',
        before: null,
        body: null,
        attempts: 0,
        nextAt: null,
        failure: null,
        remote: null,
        wasRestored,
        ...(former.length === 0 ? {} : { former }),
      }
      store.transaction(() => {
        store.keepCreation(creation)
        alongside(creation)
      })
      if (isMaybeSent) store.maybeSent.add(creation.id)
      changed(archive, creation.id)
      if (!store.isPaused(archive)) await sendDue(archive)
      // Somebody may have deleted it meanwhile.
      return store.creationOrRemoved(creation.id) ?? creation
    },
    /** Corrects one that is not on its way, and tries it again. */
    change: async (id: string, fields: FormField[], values: FormValues): Promise<KeptCreation> => {
      const corrected = alter(id, (creation) => ({
        ...checkMay('correct', creation),
        ...(store.maybeSent.has(id)
          ? { former: [...(creation.former ?? []), { fields: creation.fields, values: creation.values }] }
          : {}),
        fields,
        values,
        title: titleOf(creation.archive, creation.list, values),
        state: 'waiting',
        before: null,
        body: null,
        nextAt: null,
        failure: null,
      }))
      if (!store.isPaused(corrected.archive)) await sendDue(corrected.archive)
      return store.creationOrRemoved(id) ?? corrected
    },
    values: (id: string): FormValues => need(id).values,
  }
}

/**
 * What a person does with what waits: its order, whether it goes, and what became of it where only they can
 * tell.
 */
export const openCommands = ({ store, records: { need, alter }, changed, delivered, sendDue }: Parts) => ({
  hold: (id: string): void =>
    void alter(id, (creation) => ({ ...checkMay('hold', creation), state: 'held', nextAt: null })),
  release: (id: string): void => {
    const { archive } = alter(id, (creation) => ({
      ...checkMay('release', creation),
      state: 'waiting',
      nextAt: null,
    }))
    background(sendDue(archive), toProcess)
  },
  sendNow: (id: string): void => {
    const { archive } = alter(id, (creation) =>
      creation.state === 'held' && creation.wasRestored !== true
        ? { ...creation, state: 'waiting', nextAt: null }
        : creation,
    )
    background(sendDue(archive, id), toProcess)
  },
  move: (id: string, by: -1 | 1): void => {
    const { archive } = need(id)
    store.moveCreation(id, by)
    changed(archive, id)
  },
  /** Takes one off the list (with a time) or puts it back (with none). */
  remove: (id: string, moment: string | null): void => {
    const { archive } = store.transaction(() => {
      if (moment !== null) checkMay('remove', need(id))
      const removed = moment === null ? undefined : need(id)
      store.removeCreation(id, moment)
      return removed ?? need(id)
    })
    changed(archive, id)
  },
  /** A person says whether one that may be in the archive is there. */
  decide: (id: string, isThere: boolean): void => {
    const { archive, list } = alter(id, (creation) => {
      checkMay('decide', creation)
      // Of several that say the same, the last one is as good as any to refer to.
      const remote = creation.candidates?.at(-1) ?? null
      return isThere
        ? { ...creation, state: 'delivered', remote, failure: null, wasRestored: false }
        : { ...creation, state: 'waiting', nextAt: null, before: null, former: [], wasRestored: false }
    })
    if (isThere) background(delivered(archive, list), toProcess)
    background(sendDue(archive), toProcess)
  },
  setPaused: (archive: string, isPaused: boolean): void => {
    store.setPaused(archive, isPaused)
    changed(archive, '')
    if (!isPaused) background(sendDue(archive), toProcess)
  },
  isPaused: (archive: string): boolean => store.isPaused(archive),
})
