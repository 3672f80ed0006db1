import type { TreeRow } from '../../../electron/contract/description.ts'
import { say } from '../../language/say.svelte.ts'

const kinds = ['archive', 'unit', 'node', 'package'] as const satisfies TreeRow['kind'][]

/** What rows of the tree are, counted: "2 archives, 1 package". */
export const kindsAmong = (rows: readonly Pick<TreeRow, 'kind'>[]): string =>
  kinds
    .map((kind) => ({ kind, count: rows.filter((row) => row.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => say.description.countOf[kind](count))
    .join(', ')

/** What lies deeper stands further in, also on paper. */
export const onPaperAsTree = (rows: readonly TreeRow[]): { title: string; note: string }[] =>
  rows.map(({ title, note, depth }) => ({ title: `${'\u2003'.repeat(depth)}${title}`, note }))
