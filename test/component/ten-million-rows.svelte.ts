import { createRawSnippet, mount } from 'svelte'
import VirtualRows from '../../renderer/parts/VirtualRows.svelte'

interface Row {
  index: number
}

/** A list of ten million rows by itself; what it asks for is counted in `asked`. */
// eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing that is drawn reads what was asked
const asked = new Set<number>()
const list = mount(VirtualRows<Row>, {
  target: document.body,
  props: {
    count: 10_000_000,
    row: (index: number): Row => {
      asked.add(index)
      return { index }
    },
    beginning: (begins: string) => Promise.resolve(begins === 'r' ? 7_654_321 : undefined),
    textOf: ({ index }: Row) => `Row ${index}`,
    isOpen: () => false,
    label: 'Rows',
    columns: '1fr',
    header: createRawSnippet(() => ({ render: () => '<span role="columnheader">Text</span>' })),
    cells: createRawSnippet<[Row]>((row) => ({
      render: () => '<span role="gridcell"></span>',
      setup: (cell) => {
        $effect(() => {
          cell.textContent = `Row ${row().index}`
        })
      },
    })),
    onopen: () => undefined,
  },
})
Object.assign(window, { asked, list })
