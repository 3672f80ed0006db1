import type { Batch, RowTrouble } from '../../../contract/batch.ts'
import { Failed } from '../../../contract/failure.ts'
import type { DeskStore, KeptBatch, KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { Engine } from '../../engine.ts'
import type { Transfers } from '../transfer/transfers.ts'
import type { Records } from './records.ts'
import { inSlices } from '../../../common/slices.ts'
import { isPacked, type Model, type Rows } from './rows.ts'

interface Parts {
  engine: Engine
  store: Pick<DeskStore, 'batch' | 'transfer' | 'removedTransfer'>
  records: Records
  rows: Rows
  transfers: Transfers
  changed: (archive: string, id: string) => void
}

/**
 * A batch that is being worked through; nothing of that is read or judged anew for every row that is done.
 */
export interface UnderWay {
  /** As it was when that began, with what was counted since. */
  batch: KeptBatch
  /** What its rows were to be like then. */
  model: Model
  /** Null while the rows are judged. */
  troubles: RowTrouble[][] | null
  work: NonNullable<Batch['work']>
}

type WorkRow = (work: UnderWay, index: number, signal: AbortSignal) => Promise<void>

export type Working = ReturnType<typeof openWorking>

/** Packs the drafts of rows. */
const openRowPacking = ({ engine, store, rows, transfers }: Omit<Parts, 'records' | 'changed'>) => {
  /** What a person deleted of a batch is not made again. */
  const isDone = (transfer: string) =>
    store.removedTransfer(transfer) !== undefined || isPacked(store.transfer(transfer)?.state)

  /** Packs the draft of a row. What it lacks is kept with it, and the next row begins. */
  const packDraft = async (draft: KeptTransfer, isSent: boolean): Promise<void> => {
    try {
      if (draft.counts.files === 0) throw new Failed({ kind: 'not-ready', missing: ['contents'] })
      await transfers.packWhole(draft.id, isSent)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      transfers.keep({ ...transfers.need(draft.id), failure: error.failure })
    }
  }

  const packRow = async ({ batch, model }: UnderWay, index: number, send: boolean, signal: AbortSignal) => {
    const id = batch.ids[index] ?? ''
    // One that was being packed when the desk was killed goes on by itself.
    await engine.ended(id)
    if (signal.aborted || isDone(id)) return
    const drawn = await rows.draftOf(batch, index, model)
    // Its source may take long to count: by now the batch may be stopped, or a person see to the row.
    if (signal.aborted || engine.isRunning(id) || isDone(id)) return
    const draft = transfers.keep(drawn)
    if (draft.failure !== null) return
    await packDraft(draft, send && transfers.hasDestination(draft))
    const packed = transfers.need(draft.id)
    if (packed.state === 'prepared' && packed.isWaiting) transfers.send(draft.id)
  }

  return { isDone, packRow }
}

/**
 * Works through the rows of a batch one after the other; a row that fails says so and the next one begins.
 */
export const openWorking = (parts: Parts) => {
  const { engine, store, records, rows, changed } = parts
  const { isDone, packRow } = openRowPacking(parts)
  const underWay = new Map<string, UnderWay>()

  const workThrough = async (
    begun: KeptBatch,
    kind: 'counting' | 'packing',
    isWanted: (index: number) => boolean,
    workRow: WorkRow,
  ) => {
    const { id, archive } = begun
    if (engine.isStopped()) return
    const batch = { ...begun, counted: { ...begun.counted } }
    const model = rows.modelOf(batch)
    const work: UnderWay['work'] = { kind, done: 0, of: 0 }
    // From here on it is being worked at: others wait, and it can be stopped, also while its rows are judged.
    const begin = () => {
      underWay.set(id, { batch, model, troubles: null, work })
      records.keep({ ...begun, state: kind })
    }
    const run = async (signal: AbortSignal) => {
      const troubles = await rows.judged(batch)
      const wanted: number[] = []
      await inSlices(
        [...batch.rows.keys()],
        (index) => {
          if (troubles[index]?.length === 0 && isWanted(index)) wanted.push(index)
        },
        () => signal.aborted,
      )
      const current: UnderWay = { batch, model, troubles, work }
      underWay.set(id, current)
      work.of = wanted.length
      for (const index of wanted) {
        if (signal.aborted) break
        await workRow(current, index, signal)
        work.done += 1
        changed(archive, id)
      }
    }
    const ended = () => {
      underWay.delete(id)
      const kept = store.batch(id)
      if (kept) records.keep({ ...kept, state: 'ready', counted: batch.counted })
    }
    await engine.perform(id, { begin, run, ended })
  }

  return {
    underWay: (id: string): UnderWay | undefined => underWay.get(id),
    /** Counts what every row would pack, and packs nothing. */
    countAll: (batch: KeptBatch): Promise<void> =>
      workThrough(
        batch,
        'counting',
        () => true,
        async ({ batch: { counted }, model }, index) => {
          const { files, folders, bytes, skipped } = await rows.countRow(batch, index, model)
          counted[index] = { files, folders, bytes, skipped: skipped.count }
        },
      ),
    /** Packs the rows that are right and not packed yet; `send` hands over each as it is prepared. */
    packAll: (batch: KeptBatch, send: boolean): Promise<void> =>
      workThrough(
        batch,
        'packing',
        (index) => !isDone(batch.ids[index] ?? ''),
        (worked, index, signal) => packRow(worked, index, send, signal),
      ),
  }
}
