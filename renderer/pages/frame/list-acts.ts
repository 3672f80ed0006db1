import { listFormats, type ListFormat } from '../../../electron/contract/exports.ts'
import { say } from '../../language/say.svelte.ts'
import { copyText } from '../../parts/copy-text.ts'
import type { MenuEntry, RowActs } from '../../parts/row-acts.ts'
import type { Selection } from '../../parts/selection.svelte.ts'
import { capabilities } from '../../state/capabilities.svelte.ts'
import { announcement } from '../../state/announce.svelte.ts'
import { Command } from '../../state/command.svelte.ts'
import { isCommand, isTyping } from '../../state/command-key.ts'
import { isOutOfReach } from '../../state/online.svelte.ts'
import { readFromRow } from '../../state/place.svelte.ts'
import { printing, type ListOnPaper } from '../../state/printing.svelte.ts'

interface ListParts<Item extends { id: string }> {
  selection: Selection<Item>
  /** Opens the page of a row. */
  open: (item: Item) => unknown
  /** Adds packages to an order; left out where no row is one. */
  order?: (packages: string[]) => unknown
  /** Whether the files of packages are read from their rows. */
  isRead?: boolean
  /** The package that a row is, where not each of them is one. */
  packageOf?: (item: Item) => string | undefined
  save: (format: ListFormat, items: Item[]) => unknown
  /** The same rows as a sheet of paper. */
  onPaper: (items: Item[]) => ListOnPaper
  /** By what a row is known elsewhere, where that is not its id. */
  identifierOf?: (item: Item) => string
}

/** Reads a package from its row, or says why that cannot be. */
const readRow = (of: string) => {
  if (capabilities.now?.packages.files === false) announcement.say(() => say.reader.noFiles)
  else if (isOutOfReach()) announcement.say(() => say.reader.notReached)
  else readFromRow(of)
}

/** A package is read, and whatever else a row is is opened. */
const inspectWith =
  <Item>(open: (item: Item) => unknown, packageOf: (item: Item) => string | undefined) =>
  (item: Item): void => {
    const of = packageOf(item)
    if (of === undefined) open(item)
    else readRow(of)
  }

/** One package is read at a time, and only where the archive gives files. */
const reading = (isRead: boolean, of: string | undefined): MenuEntry[] =>
  isRead && of !== undefined && capabilities.now?.packages.files === true
    ? [{ text: say.reader.read, icon: 'reader', shortcut: say.keys.space, run: () => readRow(of) }]
    : []

/** What can be done with rows of a list: with all that are chosen, or with one that is pointed at. */
export const openListActs = <Item extends { id: string }>({
  selection,
  open,
  order,
  isRead = false,
  packageOf = ({ id }) => id,
  save,
  onPaper,
  identifierOf = ({ id }) => id,
}: ListParts<Item>) => {
  const choosing = new Command(announcement.fail)
  const copy = (items: Item[]) => {
    const identifiers = [...new Set(items.map(identifierOf))]
    copyText(identifiers.join('\n'))
    announcement.say(() => say.lists.copied(identifiers.length))
  }
  /** What is printed is what was chosen then. */
  const print = (items: Item[]) => printing.open('list', () => onPaper(items))
  /** One that stands in several places is ordered once. */
  const packagesAmong = (items: Item[]) => [...new Set(items.flatMap((item) => packageOf(item) ?? []))]
  const ordering = (add: (packages: string[]) => unknown, packages: string[]): MenuEntry | undefined =>
    packages.length === 0
      ? undefined
      : {
          text: packages.length > 1 ? say.lists.addChosenToOrder(packages.length) : say.lists.addToOrder,
          icon: 'add-to-order',
          shortcut: '+',
          run: () => add(packages),
        }
  const actsOn = (items: () => Item[]): RowActs => ({
    order: order && ordering(order, packagesAmong(items())),
    save: listFormats.map((format) => ({
      text: say.lists.saveAs(format.toUpperCase()),
      icon: 'save',
      run: () => save(format, items()),
    })),
    print: { text: say.print.open, icon: 'print', run: () => print(items()) },
    copy: { text: say.lists.copyIds(items().length), icon: 'copy', run: () => copy(items()) },
  })
  return {
    /** With all that are chosen. */
    get chosen(): RowActs {
      return actsOn(() => selection.items)
    },
    /** What Space does with a row; undefined where none is a package to be read. */
    inspect: isRead ? inspectWith(open, packageOf) : undefined,
    saveChosen: (format: ListFormat) => save(format, selection.items),
    /** Prints what is chosen; where nothing is, what the place offers. */
    print: () => (selection.count > 0 ? print(selection.items) : printing.open('list')),
    /** With a row, or with all that are chosen if it is one of them. */
    menuOf: (item: Item): MenuEntry[] => {
      const acts = actsOn(() => (selection.has(item.id) ? selection.items : [item]))
      return [
        { text: say.lists.open, icon: 'open', shortcut: '↵', run: () => open(item) },
        ...reading(isRead, packageOf(item)),
        ...(acts.order ? [acts.order] : []),
        acts.copy,
        ...acts.save,
        acts.print,
      ]
    },
    /**
     * Ctrl+A chooses all rows wherever one is beside the list, Escape none; "+" orders what is chosen.
     * @returns whether the key meant that
     */
    pressed: (event: KeyboardEvent, lines: number): boolean => {
      const ordered =
        event.ctrlKey || event.metaKey || event.altKey ? undefined : actsOn(() => selection.items).order
      // Nobody wants the words of the window marked.
      if (isCommand(event, 'a') && !isTyping(event)) choosing.run(() => selection.all(lines))
      else if (event.key === 'Escape' && selection.count > 0) selection.clear()
      else if (event.key === '+' && !isTyping(event) && ordered) choosing.run(ordered.run)
      else return false
      event.preventDefault()
      return true
    },
  }
}
