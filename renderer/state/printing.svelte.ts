import type { Snippet } from 'svelte'
import type { PaperSize } from '../../electron/contract/printing.ts'
import type { HeldList } from '../../electron/contract/exports.ts'
import { say } from '../language/say.svelte.ts'

/** A column of a list on paper, and how its values are written. */
export interface SheetColumn<Row> {
  key: string
  heading: string
  /** A size in bytes, a word of the archive, or an identifier; else as its value asks for. */
  as?: 'size' | 'word' | 'exact' | undefined
  /** What stands there, where the value alone does not say it. */
  textOf?: (row: Row) => string
}

/** A list on paper: its rows, how they are read, or the question by which main gives them. */
export interface ListOnPaper {
  rows: HeldList | readonly Record<string, unknown>[] | (() => Promise<readonly Record<string, unknown>[]>)
  columns: readonly SheetColumn<Record<string, unknown>>[]
  /** What the list is narrowed to, in words; empty where it is whole. */
  narrowed: string
}

/** Pages of a document of which some are printed, both included, from 1. */
export interface SheetPages {
  of: number
  from: number
  to: number
  /** So many at a time. */
  most: number
  choose: (from: number, to: number) => void
}

/** Something on screen that can be put on paper. */
export interface Sheet {
  kind: 'list' | 'record' | 'slips' | 'walk' | 'receipt'
  /** What it is called among the others: "Slips". */
  name: string
  /** What it is the paper of: the name of a list or a record. */
  title: string
  /** The sizes it fits on; A4 where they are left out. */
  sizes?: readonly PaperSize[]
  /** What is drawn: a list as a table, anything else by who offers it. */
  content: { list: () => ListOnPaper } | { draw: Snippet }
  /** Whether all that is drawn has come; left out where it is there from the beginning. */
  isReady?: () => boolean
  /** Where it has pages of which some are chosen; undefined as long as nobody knows how many. */
  pages?: () => SheetPages | undefined
}

/** Not reactive: an effect that ends reads of what is reactive what it was before. */
let offered: readonly Sheet[] = []
let sheets = $state.raw<readonly Sheet[]>([])
let wanted = $state.raw<{ kind: Sheet['kind'] | undefined; list: (() => ListOnPaper) | undefined }>()

/** What can be printed where one is, and whether somebody is about to. */
export const printing = {
  get sheets() {
    return sheets
  },
  /** What is to be printed; undefined while nobody prints. */
  get wanted() {
    return wanted
  },
  /** Offers a sheet as long as what it shows is on screen: gives what takes it away again. */
  offer: (sheet: Sheet) => {
    offered = [...offered.filter(({ kind }) => kind !== sheet.kind), sheet]
    sheets = offered
    return () => {
      offered = offered.filter((other) => other !== sheet)
      sheets = offered
    }
  },
  /**
   * Shows what would be printed.
   * @param kind which sheet first; else that of the record, and where none is open that of the list
   * @param list writes other rows of the list than all that it shows, those that are chosen; once more where
   * another language is chosen
   */
  open: (kind?: Sheet['kind'], list?: () => ListOnPaper) => {
    wanted = { kind, list }
  },
  close: () => {
    wanted = undefined
  },
}

/** Offers the list of a place as long as that is on screen: called while its component is made. */
export const offerList = (title: () => string, list: () => ListOnPaper) => {
  $effect(() => printing.offer({ kind: 'list', name: say.print.list, title: title(), content: { list } }))
}
