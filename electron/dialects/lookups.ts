import { unsure } from '../archive-client/answers.ts'
import type { ListClient } from '../archive-client/http.ts'
import { recordReader } from '../archive-client/whole-list.ts'
import type { ListName } from '../contract/lists.ts'
import { addressOf, needed, type Dialect, type Likely } from './dialect.ts'
import type { Listing } from './listing.ts'
import type { RegisteredTransfer } from './models.ts'

type Asked = Pick<ListClient, 'url' | 'elements'>

/** The transfer that a mark was found in, or the record that it stands in and that cannot be read. */
export type Registered = { id: string } | { path: string; excerpt: string }

/** Which marks stand in a record, and in what. */
const marksIn = (
  { rows, unreadable }: Listing<RegisteredTransfer>,
  marks: string[],
): [mark: string, found: Registered][] =>
  marks.flatMap((mark) => [
    ...rows
      .filter(({ model }) => model.description.includes(mark))
      .map(({ model }): [string, Registered] => [mark, { id: model.id }]),
    ...unreadable
      .map(({ path, raw }) => ({ path, excerpt: JSON.stringify(raw ?? null) }))
      .filter(({ excerpt }) => excerpt.includes(mark))
      .map(({ path, excerpt }): [string, Registered] => [mark, { path, excerpt: excerpt.slice(0, 600) }]),
  ])

/**
 * Of some marks, those that stand in descriptions of transfers that the archive registered.
 * @throws Failed where the list cannot be read to its end, or may lack records
 */
const findRegistered = async (
  archive: Asked,
  dialect: Dialect,
  marks: string[],
): Promise<Map<string, Registered>> => {
  const { path, read } = needed(dialect.lists.transfers)
  const found = new Map<string, { pass: number; marked: [string, Registered][] }>()
  let seen = { pass: 0, count: 0 }
  const { pass: last, isSure } = await archive.elements(
    path,
    recordReader((record, key, pass) => {
      seen = { pass, count: pass === seen.pass ? seen.count + 1 : 1 }
      const marked = marksIn(read(record, seen.count - 1), marks)
      if (marked.length > 0) found.set(key, { pass, marked })
      else found.delete(key)
    }),
  )
  if (!isSure) throw unsure(archive.url + addressOf(dialect, 'transfers'))
  const marked = [...found.values()]
    .filter(({ pass }) => last === null || pass === last)
    .flatMap((record) => record.marked)
    .toReversed()
  const isReadable = ([, record]: [string, Registered]) => 'id' in record
  // A record that cannot be read may be ours: then nobody can say that there is none.
  return new Map([...marked.filter(isReadable), ...marked.filter((one) => !isReadable(one))])
}

/** Of some transfers, those of whose packages the archive says that they were received or preserved. */
const findReceived = async (
  archive: Asked,
  { lists: { events } }: Dialect,
  transfers: string[],
): Promise<Set<string>> => {
  const wanted = new Set(transfers)
  const received = new Set<string>()
  const take = (record: unknown) => {
    const [row] = events?.read(record, 0).rows ?? []
    const { transfer = null, receipt = null } = row?.model ?? {}
    if (transfer !== null && receipt !== null && wanted.has(transfer)) received.add(transfer)
  }
  if (events) await archive.elements(events.path, recordReader(take))
  return received
}

/**
 * What is looked for in whole lists of an archive, which may hold millions of records: each record is looked
 * at as it arrives, and let go. What is asked and answered can be copied to another thread and back.
 */
const openLookups = (archive: Asked, dialect: Dialect) => ({
  received: (transfers: string[]) => findReceived(archive, dialect, transfers),
  registered: (marks: string[]) => findRegistered(archive, dialect, marks),
  saying: (list: ListName, body: Record<string, unknown>, path?: string): Promise<Likely> =>
    needed(dialect.creating).saying(archive, list, body, path),
})
type Lookups = ReturnType<typeof openLookups>
export type LookupName = keyof Lookups

/** Looks something up in the whole lists of an archive. @throws Failed where a list cannot be read */
export type LookUp = <Name extends LookupName>(
  name: Name,
  ...input: Parameters<Lookups[Name]>
) => Promise<Awaited<ReturnType<Lookups[Name]>>>

/** Looks things up in this very thread. */
export const lookUpIn = (archive: Asked, dialect: Dialect): LookUp => {
  const lookups = openLookups(archive, dialect)
  return (name, ...input) => {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the input is that of the name
    const lookup = lookups[name] as (...input: unknown[]) => Promise<never>
    return lookup(...input)
  }
}
