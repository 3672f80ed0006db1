import { Failed } from '../../../contract/failure.ts'
import { may } from '../../../contract/jobs.ts'
import type { DeskStore, KeptBatch } from '../../../store/desk/desk-store.ts'
import type { Engine } from '../../engine.ts'

interface Parts {
  engine: Pick<Engine, 'stateOf'>
  store: Pick<DeskStore, 'batch' | 'keepBatch'>
  changed: (archive: string, id: string) => void
}

export type Records = ReturnType<typeof openRecords>

/** Batches as this desk keeps them; every change of one is told. */
export const openRecords = ({ engine, store, changed }: Parts) => {
  /** @throws Failed not-found */
  const need = (id: string): KeptBatch => {
    const batch = store.batch(id)
    if (!batch) throw new Failed({ kind: 'not-found', what: id })
    return batch
  }
  const keep = (batch: KeptBatch): KeptBatch => {
    store.keepBatch(batch)
    changed(batch.archive, batch.id)
    return batch
  }
  return {
    need,
    keep,
    /**
     * A batch with which a person takes a step. One that a killed desk left half done is ready again.
     * @throws Failed conflict, with its state, where the step may not be taken
     */
    checkMay: (event: 'map' | 'choose template' | 'count' | 'pack', id: string): KeptBatch => {
      const batch = need(id)
      const state = engine.stateOf('batch', batch)
      if (!may('batch', event, state)) throw new Failed({ kind: 'conflict', detail: state })
      return state === batch.state ? batch : keep({ ...batch, state })
    },
  }
}
