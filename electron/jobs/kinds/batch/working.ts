import type { Batch, RowTrouble } from '../../../contract/batch.ts'
import type { DeskStore, KeptBatch } from '../../../store/desk-store.ts'
import type { Engine } from '../../engine.ts'
import type { Transfers } from '../transfer/transfers.ts'
import type { Records } from './records.ts'
import { inSlices } from '../../slices.ts'
import { isPacked, type Rows } from './rows.ts'

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
  troubles: RowTrouble[][]
  work: NonNullable<Batch['work']>
}

type WorkRow = (batch: KeptBatch, index: number) => Promise<void>

export type Working = ReturnType<typeof openWorking>

/**
 * Works through the rows of a batch one after the other; a row that fails says so and the next one begins.
 */
export const openWorking = ({ engine, store, records, rows, transfers, changed }: Parts) => {
  const underWay = new Map<string, UnderWay>()

  /** What a person deleted of a batch is not made again. */
  const isDone = (transfer: string) =>
    store.removedTransfer(transfer) !== undefined || isPacked(store.transfer(transfer)?.state)

  const workThrough = async (
    begun: KeptBatch,
    kind: 'counting' | 'packing',
    isWanted: (index: number) => boolean,
    workRow: WorkRow,
  ) => {
    const { id, archive } = begun
    const batch = { ...begun, counted: { ...begun.counted } }
    const troubles = await rows.judged(batch)
    const wanted: number[] = []
    await inSlices(
      [...batch.rows.keys()],
      (index) => {
        if (troubles[index]?.length === 0 && isWanted(index)) wanted.push(index)
      },
      engine.isStopped,
    )
    const work = { kind, done: 0, of: wanted.length }
    const run = async (signal: AbortSignal) => {
      for (const index of wanted) {
        if (signal.aborted) break
        await workRow(batch, index)
        work.done += 1
        changed(archive, id)
      }
    }
    const ended = () => {
      underWay.delete(id)
      const kept = store.batch(id)
      if (kept) records.keep({ ...kept, state: 'ready', counted: batch.counted })
    }
    // Another may have begun while the rows were judged.
    records.checkMay(kind === 'counting' ? 'count' : 'pack', id)
    underWay.set(id, { batch, troubles, work })
    await engine.perform(id, { begin: () => void records.keep({ ...begun, state: kind }), run, ended })
  }

  const packRow = async (batch: KeptBatch, index: number, send: boolean) => {
    const drawn = await rows.draftOf(batch, index)
    if (isDone(drawn.id)) return
    const draft = transfers.keep(drawn)
    if (draft.failure !== null) return
    await transfers.packWhole(draft.id)
    const packed = transfers.need(draft.id)
    if (send && packed.state === 'prepared' && packed.form.delivery !== '') transfers.send(draft.id)
  }

  return {
    underWay: (id: string): UnderWay | undefined => underWay.get(id),
    /** Counts what every row would pack, and packs nothing. */
    countAll: (batch: KeptBatch): Promise<void> =>
      workThrough(
        batch,
        'counting',
        () => true,
        async ({ counted }, index) => {
          const { files, folders, bytes, skipped } = await rows.countRow(batch, index)
          counted[index] = { files, folders, bytes, skipped: skipped.count }
        },
      ),
    /** Packs the rows that are right and not packed yet; `send` hands over each as it is prepared. */
    packAll: (batch: KeptBatch, send: boolean): Promise<void> =>
      workThrough(
        batch,
        'packing',
        (index) => !isDone(batch.ids[index] ?? ''),
        (worked, index) => packRow(worked, index, send),
      ),
  }
}
