import type { Medium } from '../../../electron/contract/storage.ts'
import { say, shown } from '../../language/say.svelte.ts'
import type { openSorting, Sortable } from '../../state/sorting.ts'
import { fullnessOf, isNearlyFull } from './fullness.ts'

/** How full a medium is goes before what the archive says of it. */
export const statusOf = (medium: Medium): string =>
  isNearlyFull(medium) ? say.storage.nearlyFull : shown.word(medium.status)

/** What media can be sorted by. */
export const mediaColumns = {
  name: ({ name }) => name,
  location: ({ location }) => location,
  status: statusOf,
  copies: ({ copies }) => copies,
  full: fullnessOf,
} as const satisfies Record<string, (medium: Medium) => Sortable>

export type MediaColumn = keyof typeof mediaColumns
export type MediaSorting = ReturnType<typeof openSorting<MediaColumn>>
