import type { DeskMessage, ShownAlert } from '../../../electron/contract/alerts.ts'

export interface CardMessage extends DeskMessage {
  isUnread: boolean
}

/** What the card of new messages shows; what is read stays in its place until the page is left. */
export interface MessageCard {
  rows: ShownAlert[]
  messages: CardMessage[]
}
export const emptyCard: MessageCard = { rows: [], messages: [] }

const keysOf = (rows: ShownAlert[]) => new Set(rows.flatMap(({ keys }) => keys))
/** The same object where nothing changed, so that it is not drawn anew. */
const marked = <Row extends { isUnread: boolean }>(row: Row, isUnread: boolean): Row =>
  row.isUnread === isUnread ? row : { ...row, isUnread }

/** Puts what is new on top of what the card shows, and marks what was read meanwhile. */
export const updateCard = (
  card: MessageCard,
  { rows, messages }: { rows: ShownAlert[]; messages: DeskMessage[] },
): MessageCard => {
  const known = keysOf(card.rows)
  const unread = rows.filter(({ isUnread }) => isUnread)
  const unreadKeys = keysOf(unread)
  const heldKeys = keysOf(rows)
  // A burst that goes on is a new line, in the place of the one that it was.
  const fresh = unread.filter(({ keys }) => keys.some((key) => !known.has(key)))
  const freshKeys = keysOf(fresh)
  const kept = card.rows.filter(
    ({ keys }) => keys.some((key) => heldKeys.has(key)) && !keys.some((key) => freshKeys.has(key)),
  )
  const newMessages = messages.filter(({ key }) => !card.messages.some((old) => old.key === key))
  return {
    rows: [
      ...fresh,
      ...kept.map((row) =>
        marked(
          row,
          row.keys.some((key) => unreadKeys.has(key)),
        ),
      ),
    ],
    messages: [
      ...newMessages.map((message) => ({ ...message, isUnread: true })),
      ...card.messages.map((message) =>
        marked(
          message,
          messages.some(({ key }) => key === message.key),
        ),
      ),
    ],
  }
}

/** What was read before the page was opened: a burst of which the card shows some is told without that. */
export const earlierThan = (card: MessageCard, rows: ShownAlert[]): ShownAlert[] => {
  const known = keysOf(card.rows)
  return rows
    .filter(({ isUnread }) => !isUnread)
    .map((row) =>
      row.keys.some((key) => known.has(key))
        ? { ...row, keys: row.keys.filter((key) => !known.has(key)) }
        : row,
    )
    .filter(({ keys }) => keys.length > 0)
}
