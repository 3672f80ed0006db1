import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Batch, BatchField, BatchRow, RowTrouble } from '../../../contract/batch.ts'
import type { DraftProfile, PackingSettings, Source, TransferForm } from '../../../contract/transfers.ts'
import type { CacheOf } from '../../../store/cache/caches.ts'
import type { DeskStore, KeptBatch, KeptTransfer } from '../../../store/desk/desk-store.ts'
import { inSlices } from '../../../common/slices.ts'
import { chosen, onlyAgreement } from '../transfer/draft.ts'
import { cellOf, sourceOf, tagsOf, troublesOf, unknownValues } from './mapping.ts'

type Fields = DraftProfile['fields']

interface Parts {
  store: Pick<DeskStore, 'transfer' | 'maybeSent'>
  cacheOf: CacheOf
  /** Counts what a source would bring into a package. */
  countSource: (file: string, packing: PackingSettings) => Promise<Source>
  /** A draft with nothing in it, as it is begun for this archive. */
  blank: (archive: string, id: string) => KeptTransfer
  /** What the format or the profile of a draft asks for; null where neither asks for anything. */
  profileOf: (draft: KeptTransfer) => DraftProfile | null
}

/** The lists in which a cell is looked up, by its field. */
const subjects = { delivery: 'deliveries', agreement: 'agreements' } as const

/** So many transfers are asked for at once: that takes a millisecond. */
const atOnce = 500

/** Whether the transfer of a row is packed: what comes after that is no matter of its batch. */
export const isPacked = (state: string | undefined): boolean =>
  state !== undefined && state !== 'draft' && state !== 'packing'

/**
 * How many of all rows can be packed, cannot be yet, and were; those that a person deleted are none of them.
 */
export const countRows = async (
  { statusesOf }: Pick<DeskStore, 'statusesOf'>,
  { ids }: KeptBatch,
  troubles: RowTrouble[][],
): Promise<Batch['counts']> => {
  const counts = { ready: 0, troubled: 0, done: 0 }
  const parts = Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, part) => part * atOnce)
  const countFrom = (first: number) => {
    const part = ids.slice(first, first + atOnce)
    const statuses = statusesOf(part)
    part.forEach((id, index) => {
      const status = statuses.get(id)
      if (status?.isRemoved === true) return
      const isTroubled = (troubles[first + index] ?? []).length > 0 || status?.isTroubled === true
      counts[isPacked(status?.state) ? 'done' : isTroubled ? 'troubled' : 'ready'] += 1
    })
  }
  await inSlices(parts, countFrom, () => false)
  return counts
}

/** What the rows of a batch are like, as far as they do not say it themselves. */
export interface Model {
  /** Whose form stands in for theirs; undefined without one. */
  template: KeptTransfer | undefined
  /** How they are packed. */
  packed: Pick<KeptTransfer, 'packing' | 'profileText'>
  /** What their packages say further of themselves. */
  fields: Fields
}

/** What a row is completed by. */
interface Beside {
  template: KeptTransfer | undefined
  /** What packages say further of themselves. */
  fields: Fields
  /** The id of a delivery or an agreement as it is written in a row. */
  idOf: (field: 'delivery' | 'agreement', written: string) => string | undefined
  /** Where neither the row nor the template names one. */
  agreement: string
}

/**
 * What a row says of its transfer, else the template says. What other transfers say of their senders is
 * nobody's here: an empty cell stays empty.
 */
const formOf = (
  batch: KeptBatch,
  index: number,
  { template, fields, idOf, agreement }: Beside,
): Omit<TransferForm, 'identifier'> => {
  const { rows, mapping } = batch
  const row = rows[index] ?? []
  const said = (field: BatchField) => cellOf(row, mapping[field])
  const orUsual = (field: 'description' | 'organization' | 'address' | 'person' | 'email') =>
    said(field) || (template?.form[field] ?? '')
  const destination = (field: 'delivery' | 'agreement') =>
    (said(field) === '' ? template?.form[field] : idOf(field, said(field))) ?? ''
  return {
    name: said('name') || path.basename(sourceOf(row, batch)),
    tags: { ...template?.form.tags, ...tagsOf(row, mapping, fields) },
    delivery: destination('delivery'),
    agreement: destination('agreement') || agreement,
    description: orUsual('description'),
    organization: orUsual('organization'),
    address: orUsual('address'),
    person: orUsual('person'),
    email: orUsual('email'),
  }
}

const openGround = ({ store, blank, profileOf }: Pick<Parts, 'store' | 'blank' | 'profileOf'>) => {
  /** A new draft with the id that a row's transfer has. */
  const begunFor = (batch: KeptBatch, index: number): KeptTransfer => ({
    ...blank(batch.archive, batch.ids[index] ?? randomUUID()),
    wasRestored: batch.wasRestored === true,
  })
  return {
    begunFor,
    modelOf: (batch: KeptBatch): Model => {
      const template = batch.template === null ? undefined : store.transfer(batch.template)
      const packed = template ?? begunFor(batch, 0)
      return { template, packed, fields: profileOf(packed)?.fields ?? [] }
    },
  }
}

export type Rows = ReturnType<typeof openRows>

/** What each row of a batch says, what is wrong with it, and the draft that it becomes. */
export const openRows = ({ store, cacheOf, countSource, blank, profileOf }: Parts) => {
  const sourceIn = (batch: KeptBatch, index: number) => sourceOf(batch.rows[index] ?? [], batch)
  const { begunFor, modelOf } = openGround({ store, blank, profileOf })
  const countRow = (batch: KeptBatch, index: number, { packed }: Model) =>
    countSource(sourceIn(batch, index), packed.packing)
  return {
    countRow,
    /** As it is now: whatever works through the rows of a batch asks once, so that all are alike. */
    modelOf,
    /** What is wrong with each row. */
    judged: (batch: KeptBatch): Promise<RowTrouble[][]> => {
      // Many rows name few deliveries and agreements.
      const known = { delivery: new Map<string, boolean>(), agreement: new Map<string, boolean>() }
      return troublesOf(batch, modelOf(batch).fields, (field, written) => {
        const isKnown =
          known[field].get(written) ?? cacheOf(batch.archive).named(subjects[field], written) !== undefined
        known[field].set(written, isKnown)
        return isKnown
      })
    },
    /** A row as the page shows it, with what became of its transfer. */
    shown: (batch: KeptBatch, index: number, troubles: RowTrouble[], fields: Fields): BatchRow => {
      const transfer = store.transfer(batch.ids[index] ?? '')
      const source = sourceIn(batch, index)
      return {
        line: (batch.places?.[index] ?? index) + (batch.kind === 'table' ? 2 : 1),
        source,
        name: cellOf(batch.rows[index] ?? [], batch.mapping.name) || path.basename(source),
        troubles,
        unknownValues: troubles.includes('not-in-vocabulary')
          ? unknownValues(batch.rows[index] ?? [], batch.mapping, fields)
          : [],
        transfer: transfer?.id ?? null,
        state: transfer?.state ?? null,
        counted: batch.counted[index] ?? null,
        failure: transfer?.failure ?? null,
      }
    },
    /**
     * The draft that a row becomes. One that a person has changed since it was drawn up stays as it is.
     */
    draftOf: async (batch: KeptBatch, index: number, model: Model): Promise<KeptTransfer> => {
      const { template, packed, fields } = model
      const begun = begunFor(batch, index)
      const source = await countRow(batch, index, model)
      const contents = {
        sources: [source],
        counts: { files: source.files, folders: source.folders, bytes: source.bytes },
        failure: source.failure,
      }
      const existing = store.transfer(begun.id)
      if (store.maybeSent.has(batch.id)) store.maybeSent.add(begun.id)
      if (existing && !isDeepStrictEqual(existing.form, existing.drawnForm))
        return { ...existing, ...contents }
      const form = {
        ...formOf(batch, index, {
          template,
          fields,
          idOf: (field, written) => cacheOf(batch.archive).named(subjects[field], written)?.id,
          agreement: onlyAgreement(cacheOf(batch.archive).some('agreements', 2)),
        }),
        identifier: cellOf(batch.rows[index] ?? [], batch.mapping.identifier) || begun.id,
      }
      return {
        ...begun,
        ...contents,
        // All rows are packed as their batch says it.
        packing: chosen(packed.packing),
        profileText: packed.profileText,
        form,
        drawnForm: form,
      }
    },
  }
}
