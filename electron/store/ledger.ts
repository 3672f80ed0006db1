import type { DatabaseSync } from 'node:sqlite'
import type { DeskMessage } from '../contract/alerts.ts'
import { transaction } from './open.ts'

/**
 * How far telling a message has come. "due": it is known and was not told; "showing": the system is being asked to show it, or to show
 * the digest that counts it; "told": it was shown or counted, or came while notices were off; "before": it was there before the first
 * look at its archive, was seen elsewhere, or was told by an earlier version.
 */
type State = 'due' | 'showing' | 'told' | 'before'

export const ledgerTables = `
  create table notice (archive text not null, key text not null, state text not null, title text not null, body text not null, place text not null, isFailure integer not null, seen text, primary key (archive, key)) strict, without rowid;
  create index notice_unsettled on notice (state, archive) where state in ('due', 'showing');
  create index notice_unseen on notice (archive) where seen is null and state <> 'before';
  insert into notice select archive, 'n' || notification, 'before', '', '', '', 0, '' from told;
  drop table told;`

/** A message that is to be told once. */
export interface Message {
  /** What it is known by: "n" and the id of a notification, or a key of the desk's own. */
  key: string
  title: string
  body: string
  /** Where a click leads. */
  place: string
  isFailure: boolean
}

export interface DueMessage extends Message {
  archive: string
}

/** Which messages were told: on disk before the system is asked to show anything, and again after it did. */
export const openLedger = (database: DatabaseSync) => {
  const enter = database.prepare(
    'insert or ignore into notice (archive, key, state, title, body, place, isFailure, seen) values (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const inState = database.prepare(
    'select archive, key, title, body, place, isFailure from notice where state = ? order by isFailure desc, archive, length(key), key',
  )
  const set = database.prepare('update notice set state = ? where archive = ? and key = ?')
  const has = database.prepare('select 1 from notice where archive = ? and key = ?')
  const unseen = database.prepare(
    `select count(*) as n from notice where archive = ? and seen is null and state <> 'before'`,
  )
  const see = database.prepare('update notice set seen = ? where archive = ? and key = ? and seen is null')
  const seeAll = database.prepare('update notice set seen = ? where archive = ? and seen is null')
  const opened = database.prepare(
    `select 1 from notice where archive = ? and key = ? and seen is not null and state <> 'before'`,
  )
  const unseenKeys = database.prepare(
    `select key from notice where archive = ? and seen is null and state <> 'before'`,
  )
  const unseenOfDesk = database.prepare(
    `select key, body as text, place, isFailure from notice where archive = ? and seen is null and state <> 'before' and key not glob 'n*'
     order by isFailure desc, key limit ?`,
  )
  const toMessage = (row: unknown): DueMessage => ({
    ...(row as DueMessage),
    isFailure: (row as { isFailure: number }).isFailure === 1,
  })

  return {
    /** Enters messages that were not known; those that were stay as they are. How many are new. */
    enter: (
      archive: string,
      messages: (Message & { isSeen?: boolean })[],
      state: 'due' | 'before',
      at: string,
    ): number =>
      transaction(database, () =>
        messages.reduce(
          (sum, { key, title, body, place, isFailure, isSeen }) =>
            sum +
            Number(
              enter.run(
                archive,
                key,
                state,
                title,
                body,
                place,
                Number(isFailure),
                isSeen || state === 'before' ? at : null,
              ).changes,
            ),
          0,
        ),
      ),
    knows: (archive: string, key: string) => has.get(archive, key) !== undefined,
    due: (): DueMessage[] => inState.all('due').map(toMessage),
    /** Those of which a desk that ended does not know whether they were shown. */
    halfTold: (): DueMessage[] => inState.all('showing').map(toMessage),
    mark: (messages: DueMessage[], state: State) =>
      transaction(database, () => messages.forEach(({ archive, key }) => set.run(state, archive, key))),
    unseen: (archive: string) => (unseen.get(archive) as { n: number }).n,
    unseenKeys: (archive: string) => unseenKeys.all(archive).map(({ key }) => String(key)),
    /** Those that are not of the archive, failures first. */
    unseenOfDesk: (archive: string, most: number): DeskMessage[] =>
      unseenOfDesk.all(archive, most).map((row) => {
        const { key, text, place, isFailure } = row as Record<keyof DeskMessage, unknown>
        return { key: String(key), text: String(text), place: String(place), isFailure: isFailure === 1 }
      }),
    /** Whether a person saw it at this desk; what was there before the first look was seen elsewhere, or never. */
    wasOpened: (archive: string, key: string) => opened.get(archive, key) !== undefined,
    see: (archive: string, key: string, at: string) => see.run(at, archive, key).changes === 1,
    seeAll: (archive: string, at: string) => void seeAll.run(at, archive),
  }
}

export type Ledger = ReturnType<typeof openLedger>
