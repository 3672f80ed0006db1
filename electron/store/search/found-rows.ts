import type { DatabaseSync } from 'node:sqlite'
import type { RecordLink } from '../../contract/description.ts'
import type { Found, FoundGroup, FoundPackage, QueryTerm } from '../../contract/find.ts'
import type { PremisEvent } from '../../contract/packages.ts'
import type { MarkedText } from '../../contract/search.ts'
import { describedBy, type Subject } from '../../contract/subjects.ts'
import type { HeldRecord, Notification, StorageMedium, StorageObject } from '../../dialects/models.ts'
import { recordText } from '../cache/bundles.ts'
import { recordPaths } from '../cache/record-paths.ts'
import { markTerms } from './query-text.ts'
import { groupOf } from '../cache/word-index.ts'
import { prepare } from '../../common/statements.ts'
import { heldModel } from '../cache/held-model.ts'
import { generationNumber } from '../cache/generation-number.ts'

/** A row that is held, as it is found. */
export interface HeldRow {
  number: number
  subject: Subject
  id: string
  model: string
}

/** What a person reads of a row. */
interface Shown {
  title: string
  note: string
  generation: number | null
  state: string
  at: string | null
  facts: FoundPackage | null
}

type Texts = Pick<Shown, 'title' | 'note'> & Partial<Pick<Shown, 'state' | 'at'>>

interface PackageTexts {
  label: string
  identifier: string
  state: string
  generation: number | null
  creator: string
  bytes: number
  copies: number
  since: string
}

/** The words around the first place that matched. */
const excerptOf = (raw: string | null, terms: QueryTerm[]): MarkedText => {
  const texts: string[] = []
  const walk = (value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }
  if (raw !== null) walk(JSON.parse(raw))
  for (const text of texts) {
    const parts = markTerms(text.slice(0, 2_000), terms)
    const first = parts.findIndex(({ isMatch }) => isMatch)
    if (first < 0) continue
    const before = parts[first - 1]?.text ?? ''
    const after = parts[first + 1]?.text ?? ''
    return [
      { text: before.length > 40 ? `… ${before.slice(-40)}` : before, isMatch: false },
      parts[first] ?? { text: '', isMatch: true },
      { text: after.length > 80 ? `${after.slice(0, 80)} …` : after, isMatch: false },
    ]
  }
  return []
}

/** Where a row leads to: the record, or the package that a copy is of; null where nothing opens. */
const linkOf = (subject: Subject, id: string, copy: StorageObject | undefined): RecordLink | null => {
  const list = describedBy(subject)
  if (list !== undefined) return { list, id }
  if (subject === 'packages') return { list: 'information-packages', id }
  if (copy) return { list: 'information-packages', id: copy.package }
  if (subject === 'media') return { list: 'storage-mediums', id }
  return subject === 'deliveries' ||
    subject === 'transfers' ||
    subject === 'events' ||
    subject === 'notifications'
    ? { list: subject, id }
    : null
}

const mediumTexts = ({ name, location, locationStatus }: StorageMedium) => ({
  title: name,
  note: location,
  state: locationStatus,
})

const eventTexts = ({ detail, type, note, time }: PremisEvent) => ({ title: detail || type, note, at: time })

const messageTexts = ({ message, time }: Notification) => ({ title: message, note: '', at: time })

const recordTexts = (
  { title, name, message, note }: Partial<HeldRecord> & { name?: string; message?: string },
  id: string,
) => ({ title: title ?? name ?? message ?? id, note: note ?? '' })

/** What a record stands below: of many the title says no more than “Volume 1”. */
const readWithin = (database: DatabaseSync) => {
  const { pathTo } = recordPaths(database)
  return (subject: Subject, id: string): string[] => {
    const list = describedBy(subject)
    return list === undefined ? [] : pathTo({ list, id }).map(({ title }) => title)
  }
}

export type FoundRows = ReturnType<typeof foundRows>

/** Rows as they are shown among what was found. */
export const foundRows = (database: DatabaseSync) => {
  const byNumber = prepare<HeldRow>(database, 'select number, subject, id, model from held where number = ?')
  const byId = prepare<HeldRow>(
    database,
    'select number, subject, id, model from held where subject = ? and id = ?',
  )
  // It may lie in a bundle, and few that are shown need it.
  const text = prepare<{ raw: string | null }>(database, `select ${recordText} from held where number = ?`)
  const labelOf = prepare<{ label: string }>(database, 'select label from package where id = ?')
  const packageOf = prepare<PackageTexts>(
    database,
    `select id, label, identifier, state, ${generationNumber('package')} as generation, type, creator, bytes,
       copies, since from package where number = ?`,
  )

  const withinOf = readWithin(database)
  const shownPackage = ({ number, id }: HeldRow): Shown => {
    const found = packageOf.get(number)
    return {
      title: found?.label || found?.identifier || id,
      note: found?.identifier ?? '',
      generation: found?.generation ?? null,
      state: found?.state ?? '',
      at: null,
      facts: found
        ? {
            creator: found.creator,
            bytes: found.bytes,
            copies: found.copies,
            since: found.since,
            generations: 1,
          }
        : null,
    }
  }
  const copyTexts = ({ package: id, mediumId, path }: StorageObject) => ({
    title: labelOf.get(id)?.label ?? id,
    note: `${mediumId} · ${path}`,
  })
  const textsOf = ({ subject, id, model }: HeldRow): Texts => {
    if (subject === 'media') return mediumTexts(heldModel(model))
    if (subject === 'events') return eventTexts(heldModel(model))
    if (subject === 'notifications') return messageTexts(heldModel(model))
    return recordTexts(heldModel(model), id)
  }
  const shownOf = (row: HeldRow, copy: StorageObject | undefined): Shown =>
    row.subject === 'packages'
      ? shownPackage(row)
      : { state: '', generation: null, at: null, facts: null, ...(copy ? copyTexts(copy) : textsOf(row)) }

  return {
    byNumber: (number: number) => byNumber.get(number),
    byId: (subject: string, id: string) => byId.get(subject, id),
    /** A row with its words marked; with an excerpt, where its title and note have none of them. */
    show: (row: HeldRow, terms: QueryTerm[], group: FoundGroup = groupOf(row.subject) ?? 'others'): Found => {
      const { number, subject, id } = row
      const copy = subject === 'objects' ? heldModel<StorageObject>(row.model) : undefined
      const { title, note, generation, state, at, facts } = shownOf(row, copy)
      const marked = { title: markTerms(title, terms), note: markTerms(note, terms) }
      const within = withinOf(subject, id)
      const isShown = terms.length === 0 || [...marked.title, ...marked.note].some(({ isMatch }) => isMatch)
      return {
        id: `${subject} ${id}`,
        group,
        ...marked,
        ...(within.length > 0 ? { within } : {}),
        excerpt: isShown ? [] : excerptOf(text.get(number)?.raw ?? null, terms),
        to: linkOf(subject, id, copy),
        place: '',
        generation,
        state,
        at,
        facts,
      }
    },
  }
}
