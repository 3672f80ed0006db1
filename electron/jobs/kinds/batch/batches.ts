import { randomUUID } from 'node:crypto'
import path from 'node:path'
import {
  batchPage,
  type Batch,
  type BatchRow,
  type BatchSummary,
  type Mapping,
} from '../../../contract/batch.ts'
import { Failed } from '../../../contract/failure.ts'
import type { DraftProfile, PackingSettings, Source } from '../../../contract/transfers.ts'
import type { CacheOf } from '../../../store/cache/caches.ts'
import type { DeskStore, KeptBatch, KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { Engine } from '../../engine.ts'
import type { Transfers } from '../transfer/transfers.ts'
import { inSlices } from '../../../common/slices.ts'
import { openRecords } from './records.ts'
import { countRows, openRows, type Rows } from './rows.ts'
import { guess, withTags } from './mapping.ts'
import { readFolder, readTable } from './read-table.ts'
import { openWorking, type Working } from './working.ts'

interface Parts {
  engine: Engine
  store: DeskStore
  cacheOf: CacheOf
  transfers: Transfers
  now: () => Date
  /** That of the thread that reads tables. */
  tableScript: URL
  /** Counts what a source would bring into a package. */
  countSource: (file: string, packing: PackingSettings) => Promise<Source>
  /** A draft with nothing in it, as it is begun for this archive. */
  blank: (archive: string, id: string) => KeptTransfer
  /** What the format or the profile of a draft asks for; null where neither asks for anything. */
  profileOf: (draft: KeptTransfer) => DraftProfile | null
  changed: (archive: string, id: string) => void
}

const previewRows = 8

/** A batch of what was read; each row has the id of the transfer that it will be. */
const newBatch = (
  read: Pick<KeptBatch, 'archive' | 'kind' | 'columns' | 'rows' | 'places' | 'tablePath'>,
  now: Date,
): KeptBatch => ({
  ...read,
  id: randomUUID(),
  state: 'ready',
  made: now.toISOString(),
  ids: read.rows.map(() => randomUUID()),
  mapping: guess(read.columns),
  template: null,
  counted: {},
})

/** Rows without those that are empty, and how many rows came before each. */
const filledOf = (read: string[][]): Pick<KeptBatch, 'rows'> & { places: number[] } => {
  const filled = [...read.entries()].filter(([, row]) => row.some((cell) => cell !== ''))
  return { rows: filled.map(([, row]) => row), places: filled.map(([place]) => place) }
}

/** Whether a table has every column that a mapping names. */
const isWithin = ({ tags, ...fields }: Mapping, columns: string[]): boolean =>
  [...Object.values(fields), ...Object.values(tags)].every(
    (column) => column === null || column < columns.length,
  )

/** A batch with columns proposed for what packages of its format say further of themselves. */
const withTagColumns = (batch: KeptBatch, { modelOf }: Pick<Rows, 'modelOf'>): KeptBatch => ({
  ...batch,
  mapping: withTags(batch.mapping, batch.columns, modelOf(batch).fields),
})

/** What a page shows of a batch. */
const openShown =
  (
    store: Pick<DeskStore, 'transfer' | 'statusesOf'>,
    need: (id: string) => KeptBatch,
    rows: Rows,
    working: Working,
  ) =>
  /** @param offset the row that the page of rows begins with */
  async (id: string, offset = 0): Promise<Batch> => {
    const busy = working.underWay(id)
    const batch = busy?.batch ?? need(id)
    const troubles = busy?.troubles ?? (await rows.judged(batch))
    const { template, packed, fields } = busy?.model ?? rows.modelOf(batch)
    return {
      id,
      path: batch.tablePath,
      kind: batch.kind,
      made: batch.made,
      columns: batch.columns,
      mapping: batch.mapping,
      total: batch.rows.length,
      template: template ? { id: template.id, name: template.form.name } : null,
      packing: packed.packing,
      tagFields: fields,
      preview: batch.rows.slice(0, previewRows),
      offset,
      rows: batch.rows
        .slice(offset, offset + batchPage)
        .map((_, index) => rows.shown(batch, offset + index, troubles[offset + index] ?? [], fields)),
      counts: await countRows(store, batch, troubles),
      work: busy?.work ?? null,
    }
  }

export type Batches = ReturnType<typeof openBatches>

/**
 * Many transfers out of one table. A row's transfer has its id from the beginning, so a batch that was killed
 * goes on without duplicates.
 */
export const openBatches = (parts: Parts) => {
  const { engine, store, cacheOf, transfers, now, countSource, blank, profileOf, changed } = parts
  const records = openRecords({ engine, store, changed })
  const { need, keep, checkMay } = records
  const rows = openRows({ store, cacheOf, countSource, blank, profileOf })
  const working = openWorking({ engine, store, records, rows, transfers, changed })
  const shown = openShown(store, need, rows, working)
  const keepAndShow = (batch: KeptBatch) => shown(keep(batch).id)
  const withProposals = (batch: KeptBatch) => withTagColumns(batch, rows)

  return {
    list: (archive: string): BatchSummary[] =>
      store.batches(archive).map(({ id, path: from, made, total }) => ({
        id,
        path: from,
        made,
        total,
        work: working.underWay(id)?.work ?? null,
      })),
    one: shown,
    /** The table or folder that it was read from. */
    pathOf: (id: string): string => need(id).tablePath,
    /** @throws Failed bad-table with what is wrong and where */
    open: async (archive: string, kind: 'table' | 'folder', file: string): Promise<Batch> => {
      const { columns, rows: read } = await (kind === 'table'
        ? readTable(file, parts.tableScript)
        : readFolder(file))
      const tablePath = path.resolve(file)
      const table = { archive, kind, columns, ...filledOf(read), tablePath }
      return keepAndShow(withProposals(newBatch(table, now())))
    },
    map: (id: string, mapping: Mapping): Promise<Batch> => {
      const batch = checkMay('map', id)
      if (!isWithin(mapping, batch.columns)) throw new Failed({ kind: 'not-found', what: 'column' })
      return keepAndShow({ ...batch, mapping, counted: {} })
    },
    template: (id: string, transfer: string | null): Promise<Batch> => {
      const batch = checkMay('choose template', id)
      const like = transfer === null ? null : transfers.need(transfer)
      if (like && like.archive !== batch.archive) throw new Failed({ kind: 'not-found', what: like.id })
      return keepAndShow(withProposals({ ...batch, template: like?.id ?? null }))
    },
    count: async (id: string): Promise<Batch> => {
      await working.countAll(checkMay('count', id))
      return shown(id)
    },
    run: async (id: string, send: boolean): Promise<Batch> => {
      await working.packAll(checkMay('pack', id), send)
      return shown(id)
    },
    stop: (id: string): Promise<Batch> => {
      engine.abort(id)
      const busy = need(id).ids.find(
        (transfer) => transfers.isUnderWay(transfer) && store.transfer(transfer)?.state === 'packing',
      )
      if (busy !== undefined) transfers.cancel(busy)
      return shown(id)
    },
    /** What its rows became stays. */
    remove: (id: string) => {
      const { archive } = need(id)
      engine.abort(id)
      store.removeBatch(id)
      changed(archive, id)
    },
    /** Every row with what became of it. */
    report: async (id: string): Promise<BatchRow[]> => {
      const batch = need(id)
      const troubles = await rows.judged(batch)
      const { fields } = rows.modelOf(batch)
      const all: BatchRow[] = []
      await inSlices(
        [...batch.rows.keys()],
        (index) => all.push(rows.shown(batch, index, troubles[index] ?? [], fields)),
        engine.isStopped,
      )
      return all
    },
  }
}
