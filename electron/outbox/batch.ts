import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Batch, BatchRow, Mapping, RowTrouble } from '../contract/batch.ts'
import { Failed } from '../contract/failure.ts'
import type { Source } from '../contract/transfers.ts'
import type { Engine } from '../jobs/engine.ts'
import type { CacheOf } from '../store/caches.ts'
import type { DeskStore, KeptBatch, KeptTransfer } from '../store/desk.ts'
import { cellOf, guess, readFolder, readTable, sourceOf, troublesOf } from './batch-table.ts'
import type { Work } from './work.ts'

interface Parts {
  engine: Engine
  store: DeskStore
  cacheOf: CacheOf
  work: Work
  now: () => Date
  count: (file: string) => Promise<Source>
  /** A draft with nothing in it, as it is begun for this archive. */
  blank: (archive: string, id: string) => KeptTransfer
  changed: (id: string) => void
}

const previewRows = 8
const mostShown = 2_000

/** Many transfers out of one table. A row's transfer has its id from the beginning, so a batch that was killed goes on without twins. */
export const openBatches = ({ engine, store, cacheOf, work, now, count, blank, changed }: Parts) => {
  /** What is being worked through, with what was found of its rows before it began and since: neither is looked up anew for every row that is done. */
  const underWay = new Map<
    string,
    {
      work: NonNullable<Batch['work']>
      troubles: RowTrouble[][]
      counted: KeptBatch['counted']
    }
  >()

  const need = (id: string): KeptBatch => {
    const it = store.batch(id)
    if (!it) throw new Failed({ kind: 'not-found', what: id })
    return it
  }
  const keep = (it: KeptBatch) => {
    store.keepBatch(it)
    changed(it.id)
    return it
  }
  const judged = (it: KeptBatch) => {
    // Many rows name few deliveries.
    const known = new Map<string, boolean>()
    return troublesOf(it.rows, it.mapping, it.tablePath, (written) => {
      const isKnown = known.get(written) ?? cacheOf(it.archive).delivery(written) !== undefined
      known.set(written, isKnown)
      return isKnown
    })
  }

  const rowOf = (it: KeptBatch, index: number, troubles: RowTrouble[]): BatchRow => {
    const row = it.rows[index] ?? []
    const transfer = store.transfer(it.ids[index] ?? '')
    const source = sourceOf(row, it.mapping, it.tablePath)
    return {
      line: index + (it.kind === 'table' ? 2 : 1),
      source,
      name: cellOf(row, it.mapping.name) || path.basename(source),
      troubles,
      transfer: transfer?.id ?? null,
      stage: transfer?.stage ?? null,
      counted: it.counted[index] ?? null,
      failure: transfer?.failure ?? null,
    }
  }

  const shown = async (it: KeptBatch): Promise<Batch> => {
    const busy = underWay.get(it.id)
    const troubles = busy?.troubles ?? (await judged(it))
    const counted = busy?.counted ?? it.counted
    const template = it.template === null ? undefined : store.transfer(it.template)
    return {
      id: it.id,
      path: it.tablePath,
      kind: it.kind,
      made: it.made,
      columns: it.columns,
      mapping: it.mapping,
      total: it.rows.length,
      template: template ? { id: template.id, name: template.form.name } : null,
      preview: it.rows.slice(0, previewRows),
      rows: it.rows
        .slice(0, mostShown)
        .map((_, index) => rowOf({ ...it, counted }, index, troubles[index] ?? [])),
      work: busy?.work ?? null,
    }
  }

  /** The draft that a row becomes: what the row says, else the template, else what a new draft begins with. */
  const draftOf = async (it: KeptBatch, index: number): Promise<KeptTransfer> => {
    const row = it.rows[index] ?? []
    const template = it.template === null ? undefined : store.transfer(it.template)
    const begun = {
      ...blank(it.archive, it.ids[index] ?? randomUUID()),
      wasRestored: it.wasRestored === true,
    }
    const source = await count(sourceOf(row, it.mapping, it.tablePath))
    const said = (field: keyof Mapping) => cellOf(row, it.mapping[field])
    const own = (field: 'description' | 'organization' | 'address' | 'person' | 'email') =>
      said(field) || (template?.form[field] ?? begun.form[field])
    return {
      ...begun,
      ...(template ? { packing: template.packing, profileText: template.profileText } : {}),
      sources: [source],
      counts: { files: source.files, folders: source.folders, bytes: source.bytes },
      failure: source.failure,
      form: {
        name: said('name') || path.basename(source.path),
        identifier: said('identifier') || begun.id,
        tags: template?.form.tags ?? {},
        delivery:
          (said('delivery') === ''
            ? template?.form.delivery
            : cacheOf(it.archive).delivery(said('delivery'))?.id) ?? '',
        description: own('description'),
        organization: own('organization'),
        address: own('address'),
        person: own('person'),
        email: own('email'),
      },
    }
  }

  const isDone = (id: string) => {
    const stage = store.transfer(id)?.stage
    return stage !== undefined && stage !== 'draft' && stage !== 'packing'
  }

  /** Works through rows one after the other; a row that fails says so and the next one begins. */
  const through = async (
    it: KeptBatch,
    kind: 'counting' | 'packing',
    troubles: RowTrouble[][],
    isWanted: (index: number) => boolean,
    deed: (index: number, counted: KeptBatch['counted']) => Promise<void>,
  ) => {
    if (underWay.has(it.id)) throw new Failed({ kind: 'conflict', detail: kind })
    const rows = it.rows.flatMap((_, index) =>
      troubles[index]?.length === 0 && isWanted(index) ? [index] : [],
    )
    const progress = { kind, done: 0, of: rows.length }
    const counted = { ...it.counted }
    underWay.set(it.id, { work: progress, troubles, counted })
    changed(it.id)
    const run = async (signal: AbortSignal) => {
      for (const index of rows) {
        if (signal.aborted) break
        await deed(index, counted)
        progress.done += 1
        changed(it.id)
      }
    }
    const ended = () => {
      underWay.delete(it.id)
      const kept = store.batch(it.id)
      if (kept && kind === 'counting') store.keepBatch({ ...kept, counted })
      changed(it.id)
    }
    await engine.perform(it.id, { run, ended })
  }

  const packRow = async (it: KeptBatch, index: number, send: boolean) => {
    const id = it.ids[index] ?? ''
    work.keep(await draftOf(it, index))
    const { failure } = work.need(id)
    if (failure !== null) return
    await work.packWhole(id)
    const packed = work.need(id)
    if (send && packed.stage === 'prepared' && packed.form.delivery !== '') work.send(id)
  }

  return {
    list: (archive: string) =>
      store
        .batches(archive)
        .map(({ id, tablePath, made, rows }) => ({ id, path: tablePath, made, total: rows.length })),
    one: (id: string) => shown(need(id)),
    open: async (archive: string, kind: 'table' | 'folder', file: string) => {
      const { columns, rows: read } = await (kind === 'table' ? readTable(file) : readFolder(file))
      const rows = read.filter((row) => row.some((cell) => cell !== ''))
      const it = {
        id: randomUUID(),
        archive,
        kind,
        tablePath: path.resolve(file),
        made: now().toISOString(),
        columns,
        rows,
        mapping: guess(columns),
        template: null,
      }
      return shown(keep({ ...it, ids: rows.map(() => randomUUID()), counted: {} }))
    },
    map: (id: string, mapping: Mapping) => {
      const it = need(id)
      if (Object.values(mapping).some((column) => column !== null && column >= it.columns.length))
        throw new Failed({ kind: 'not-found', what: 'column' })
      return shown(keep({ ...it, mapping, counted: {} }))
    },
    template: (id: string, transfer: string | null) =>
      shown(keep({ ...need(id), template: transfer === null ? null : work.need(transfer).id })),
    dryRun: async (id: string) => {
      const it = need(id)
      await through(
        it,
        'counting',
        await judged(it),
        () => true,
        async (index, counted) => {
          const { files, folders, bytes, skipped } = await count(
            sourceOf(it.rows[index] ?? [], it.mapping, it.tablePath),
          )
          counted[index] = { files, folders, bytes, skipped: skipped.count }
        },
      )
      return shown(need(id))
    },
    run: async (id: string, send: boolean) => {
      const it = need(id)
      await through(
        it,
        'packing',
        await judged(it),
        (index) => !isDone(it.ids[index] ?? ''),
        (index) => packRow(it, index, send),
      )
      return shown(need(id))
    },
    stop: (id: string) => {
      engine.abort(id)
      const busy = need(id).ids.find(
        (transfer) => work.isUnderWay(transfer) && store.transfer(transfer)?.stage === 'packing',
      )
      if (busy !== undefined) work.cancel(busy)
      return shown(need(id))
    },
    remove: (id: string) => {
      engine.abort(id)
      store.removeBatch(id)
      changed(id)
    },
    /** Every row with what became of it. */
    report: async (id: string): Promise<BatchRow[]> => {
      const it = need(id)
      const troubles = await judged(it)
      return it.rows.map((_, index) => rowOf(it, index, troubles[index] ?? []))
    },
  }
}
