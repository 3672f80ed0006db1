import type { openSorting } from '../../state/sorting.ts'

/** What storage targets can be sorted by. */
export const targetColumns = ['name', 'media', 'used', 'full'] as const

export type TargetColumn = (typeof targetColumns)[number]
export type TargetSorting = ReturnType<typeof openSorting<TargetColumn>>
