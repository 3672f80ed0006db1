import type { IconName } from './icons.ts'

/** Something that can be done, as a menu offers it. */
export interface MenuEntry {
  text: string
  icon: IconName
  shortcut?: string
  run: () => unknown
}

/** What can be done with rows of a list, one or many. */
export interface RowActs {
  /** Left out where rows are no packages. */
  order: MenuEntry | undefined
  /** One for each format. */
  save: MenuEntry[]
  print: MenuEntry
  copy: MenuEntry
}
