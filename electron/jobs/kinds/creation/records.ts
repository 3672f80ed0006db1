import { isDeepStrictEqual } from 'node:util'
import { Failed } from '../../../contract/failure.ts'
import { may } from '../../../contract/jobs.ts'
import type { DeskStore, KeptCreation } from '../../../store/desk/desk-store.ts'

interface Parts {
  store: Pick<DeskStore, 'creation' | 'keepCreation' | 'changeCreation'>
  /** Something of an archive's outbox is another; an empty id is the outbox itself, stopped or going on. */
  changed: (archive: string, id: string) => void
}

export type Records = ReturnType<typeof openRecords>

/** Creations as this desk keeps them; every change of one is told. */
export const openRecords = ({ store, changed }: Parts) => {
  const announce = (kept: KeptCreation | undefined) => {
    if (kept) changed(kept.archive, kept.id)
    return kept
  }
  return {
    /** @throws Failed not-found */
    need: (id: string): KeptCreation => {
      const creation = store.creation(id)
      if (!creation) throw new Failed({ kind: 'not-found', what: id })
      return creation
    },
    keep: (creation: KeptCreation): KeptCreation => {
      store.keepCreation(creation)
      changed(creation.archive, creation.id)
      return creation
    },
    /** Keeps what came of one, unless somebody corrected, held or deleted it since it was read. */
    keepUnchanged: (read: KeptCreation, next: KeptCreation): KeptCreation | undefined =>
      announce(store.changeCreation(read.id, (now) => (isDeepStrictEqual(now, read) ? next : undefined))),
    /**
     * Changes one as it is on disk now: it may have been delivered since it was read.
     * @throws Failed not-found, and what `change` throws
     */
    alter: (id: string, change: (creation: KeptCreation) => KeptCreation): KeptCreation => {
      const kept = announce(store.changeCreation(id, change))
      if (!kept) throw new Failed({ kind: 'not-found', what: id })
      return kept
    },
  }
}

/**
 * What is being sent, or may have been, stays as it is until that is known; what the archive has is changed
 * there.
 * @throws Failed conflict, with the state that does not allow it
 */
export const checkMay = (
  event: 'correct' | 'hold' | 'release' | 'remove' | 'decide',
  creation: KeptCreation,
): KeptCreation => {
  const isRestored = creation.wasRestored === true
  if (may('creation', event, creation.state, isRestored ? ['restored'] : [])) return creation
  throw new Failed({ kind: 'conflict', detail: isRestored ? 'unanswered' : creation.state })
}
