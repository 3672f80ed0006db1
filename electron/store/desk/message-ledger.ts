import type { DatabaseSync } from 'node:sqlite'
import { leastApartMs, type DeskMessage, type MessageContent } from '../../contract/alerts.ts'
import { transaction } from '../../common/transaction.ts'
import { prepare, prepareOne } from '../../common/statements.ts'
import { fromColumns, toColumns } from './message-columns.ts'

/**
 * How far telling a message has come. "due": it is known and was not told; "showing": the system is being
 * asked to show it, or to show the digest that counts it; "told": it was shown or counted, or came while
 * notices were off; "before": it was there before the first look at its archive, was seen elsewhere, or was
 * told by an earlier version.
 */
type State = 'due' | 'showing' | 'told' | 'before'

export const ledgerTables = `
  create table notice (archive text not null, key text not null, state text not null, title text not null,
    body text not null, place text not null, isFailure integer not null, seen text,
    primary key (archive, key)) strict, without rowid;
  create index notice_unsettled on notice (state, archive) where state in ('due', 'showing');
  create index notice_unseen on notice (archive) where seen is null and state <> 'before';
  insert into notice select archive, 'n' || notification, 'before', '', '', '', 0, '' from told;
  drop table told;`

/** An archive that was brought back from a backup gives ids anew that it had given. */
export const noticeTimes = 'alter table notice add column toldMs integer'

/** A message that is to be told once. */
export interface Message {
  /** What it is known by: "n" and the id of a notification, or a key of the desk's own. */
  key: string
  content: MessageContent
  /** Where a click leads. */
  place: string
  isFailure: boolean
  /** When the archive told it, in milliseconds since 1970; null where that is not known. */
  toldMs?: number | null
}

export interface DueMessage extends Message {
  archive: string
}

/** A message as its row has it. */
type Kept<Of> = Omit<Of, 'isFailure' | 'content'> & { isFailure: number; title: string; body: string }

const read = <Of extends { isFailure: boolean; content: MessageContent }>({
  title,
  body,
  isFailure,
  ...row
}: Kept<Of>) => ({
  ...row,
  isFailure: isFailure === 1,
  content: fromColumns({ code: title, name: body }),
})

/** Which messages were told: on disk before the system is asked to show anything, and again after it did. */
export const openLedger = (database: DatabaseSync) => {
  const enter = database.prepare(
    `insert into notice (archive, key, state, title, body, place, isFailure, seen, toldMs)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict do update set state = excluded.state, title = excluded.title, body = excluded.body,
       place = excluded.place, isFailure = excluded.isFailure, seen = excluded.seen, toldMs = excluded.toldMs
       where abs(toldMs - excluded.toldMs) >= ${leastApartMs}`,
  )
  const inState = prepare<Kept<DueMessage>>(
    database,
    `select archive, key, title, body, place, isFailure from notice where state = ?
        order by isFailure desc, archive, length(key), key`,
  )
  const set = database.prepare('update notice set state = ? where archive = ? and key = ?')
  const has = database.prepare('select 1 from notice where archive = ? and key = ?')
  const unseen = prepareOne<{ n: number }>(
    database,
    `select count(*) as n from notice where archive = ? and seen is null and state <> 'before'`,
  )
  const see = database.prepare('update notice set seen = ? where archive = ? and key = ? and seen is null')
  const seeAll = database.prepare('update notice set seen = ? where archive = ? and seen is null')
  const isUnseen = database.prepare(
    `select 1 from notice where archive = ? and key = ? and seen is null and state <> 'before'`,
  )
  const unseenOfDesk = prepare<Kept<DeskMessage>>(
    database,
    `select key, title, body, place, isFailure from notice
      where archive = ? and seen is null and state <> 'before' and key not glob 'n*'
     order by isFailure desc, key limit ?`,
  )
  const toMessage = (row: Kept<DueMessage>): DueMessage => read<DueMessage>(row)

  return {
    /**
     * Enters messages that were not known, also those that have the keys of others; what was known stays as
     * it is. How many are new.
     */
    enter: (
      archive: string,
      messages: (Message & { isSeen?: boolean })[],
      state: 'due' | 'before',
      time: string,
    ): number =>
      transaction(database, () =>
        messages.reduce((sum, { key, content, place, isFailure, isSeen, toldMs = null }) => {
          const { code, name } = toColumns(content)
          const seen = isSeen || state === 'before' ? time : null
          const row = [archive, key, state, code, name, place, Number(isFailure), seen, toldMs] as const
          return sum + Number(enter.run(...row).changes)
        }, 0),
      ),
    knows: (archive: string, key: string) => has.get(archive, key) !== undefined,
    due: (): DueMessage[] => inState.all('due').map(toMessage),
    /** Those of which a desk that ended does not know whether they were shown. */
    halfTold: (): DueMessage[] => inState.all('showing').map(toMessage),
    mark: (messages: DueMessage[], state: State) =>
      transaction(database, () => messages.forEach(({ archive, key }) => set.run(state, archive, key))),
    unseen: (archive: string) => unseen.get(archive).n,
    isUnseen: (archive: string, key: string) => isUnseen.get(archive, key) !== undefined,
    /** Those that are not of the archive, failures first. */
    unseenOfDesk: (archive: string, most: number): DeskMessage[] =>
      unseenOfDesk.all(archive, most).map((row) => read<DeskMessage>(row)),
    see: (archive: string, key: string, time: string) => see.run(time, archive, key).changes === 1,
    seeAll: (archive: string, time: string) => void seeAll.run(time, archive),
  }
}
