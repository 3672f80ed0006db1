import { keysOf } from '../../electron/common/records.ts'

/** What is kept of the columns of a list, for its defaults. */
export const columnDefaults = {
  /** None stands for the usual ones. */
  columns: [] as string[],
  /** Columns that said the same in every row when the list was opened last. */
  uniform: [] as string[],
  /** What somebody dragged: "state=120", in pixels. */
  widths: [] as string[],
}

/** What is kept of how a list is shown: how it is narrowed and sorted, its columns, and where one was. */
export const listDefaults = {
  /** What the list was narrowed to, as it stands in the address. */
  query: '',
  sort: '',
  descending: false,
  ...columnDefaults,
  top: 0,
  at: 0,
}

interface KeptColumns {
  /** With what it is sorted by, where that is kept too. */
  readonly value: Readonly<typeof columnDefaults> & { readonly sort?: string }
  change: (some: Partial<typeof columnDefaults>) => void
}

/** A column as it is at first: its width as CSS has it, and on which side its values stand. */
export interface ColumnStyle {
  width: string
  isRight?: boolean
}

interface ColumnParts<Column extends string> {
  /** The columns in their order. */
  styles: Readonly<Record<Column, ColumnStyle>>
  /** The column that names a row: it is always there, and takes the room that is left. */
  title: NoInfer<Column>
  /** Shown until somebody chooses others, as far as they do not say the same in every row. */
  usual: readonly NoInfer<Column>[]
  /**
   * Of these, what leaves its width to the title in a list that is narrower (CSS pixels), unless it is sorted
   * by that.
   */
  spare?: { columns: readonly NoInfer<Column>[]; belowWidth: number }
  view: KeptColumns
}

/** Which columns of a list are shown, and how wide. */
export const openColumns = <Column extends string>({
  styles,
  title,
  usual,
  spare,
  view,
}: ColumnParts<Column>) => {
  const all = keysOf(styles)
  // Until the list is measured, every usual column has its place.
  let listWidth = $state(Infinity)
  const isSpared = (name: Column) =>
    spare !== undefined &&
    listWidth < spare.belowWidth &&
    spare.columns.includes(name) &&
    view.value.sort !== name
  const shown = () => {
    const { columns: chosen, uniform } = view.value
    return all.filter(
      (name) =>
        name === title ||
        (chosen.length > 0
          ? chosen.includes(name)
          : usual.includes(name) && !uniform.includes(name) && !isSpared(name)),
    )
  }
  const widthOf = (column: Column) => {
    const dragged = view.value.widths.find((width) => width.startsWith(`${column}=`))?.split('=')[1]
    return dragged === undefined ? styles[column].width : `${dragged}px`
  }
  const widen = (column: Column, width: number | null) => {
    const others = view.value.widths.filter((other) => !other.startsWith(`${column}=`))
    view.change({ widths: width === null ? others : [...others, `${column}=${width}`] })
  }
  return {
    all,
    get shown() {
      return shown()
    },
    /** How wide the list is (CSS pixels), which what holds it binds; only a list with `spare` needs to. */
    get listWidth() {
      return listWidth
    },
    set listWidth(pixels: number) {
      listWidth = pixels
    },
    /** The widths of those that are shown, as a grid has them. */
    get widths() {
      return shown().map(widthOf).join(' ')
    },
    isRight: (column: Column) => styles[column].isRight === true,
    /** Gives a column another width; undefined for the one that takes the room that is left. */
    widenerOf: (column: Column) =>
      column === title ? undefined : (width: number | null) => widen(column, width),
    /** What the menu of columns offers and does. */
    menu: (headingOf: (column: Column) => string) => ({
      columns: all.map((key) => ({ key, heading: headingOf(key), isFixed: key === title })),
      chosen: shown(),
      onchoose: (columns: string[]) => view.change({ columns }),
      onreset: () => view.change({ columns: [], widths: [] }),
    }),
    /** Keeps which columns say the same in every row, until the list is opened again. */
    keepUniform: (uniform: readonly Column[]) => {
      if (uniform.join() !== view.value.uniform.join()) view.change({ uniform: [...uniform] })
    },
  }
}
