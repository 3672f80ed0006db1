import { fireEvent, render, screen } from '@testing-library/svelte'
import { flushSync, createRawSnippet } from 'svelte'
import { expect, test, vi } from 'vitest'
import { say, setLanguage } from '../../renderer/language/say.svelte.ts'
import PrintView from '../../renderer/pages/print/PrintView.svelte'
import { openListActs } from '../../renderer/pages/frame/list-acts.ts'
import { Selection } from '../../renderer/parts/selection.svelte.ts'
import { announcement } from '../../renderer/state/announce.svelte.ts'
import { present } from '../support/present.ts'
import { offerList, printing, type ListOnPaper, type Sheet } from '../../renderer/state/printing.svelte.ts'

// The page's door is there before any page is.
const print = vi.hoisted(() => {
  const print = vi.fn()
  Object.assign(window, { bridge: { application: {}, archive: { printing: { print } } } })
  return print
})

const draw = createRawSnippet(() => ({ render: () => '<p></p>' }))
const kinds = () => printing.sheets.map(({ kind }) => kind).sort()

test('sheets are offered as long as what they show is there, also when they all change at once', () => {
  let title = $state('Unnamed')
  const offered: Sheet['kind'][] = ['list', 'slips', 'walk', 'receipt']
  const stop = $effect.root(() => {
    for (const kind of offered) $effect(() => printing.offer({ kind, name: kind, title, content: { draw } }))
  })
  flushSync()
  expect(kinds()).toEqual([...offered].sort())
  title = 'Thursday'
  flushSync()
  expect(kinds()).toEqual([...offered].sort())
  expect(new Set(printing.sheets.map((sheet) => sheet.title))).toEqual(new Set(['Thursday']))
  stop()
  expect(kinds()).toEqual([])
})

test('rows that were chosen keep to the language too that is chosen while they are looked at', async () => {
  const chosen = [{ id: 'a', name: 'Oxen' }]
  const onPaper = (rows: typeof chosen): ListOnPaper => ({
    rows,
    columns: [{ key: 'name', heading: say.orders.name }],
    narrowed: '',
  })
  const selection = new Selection<(typeof chosen)[number]>((first, count) =>
    Promise.resolve(chosen.slice(first, first + count)),
  )
  const acts = openListActs({ selection, open: vi.fn(), save: vi.fn(), onPaper })
  const stop = $effect.root(() =>
    offerList(
      () => say.orders.title,
      () => onPaper([]),
    ),
  )
  flushSync()
  await selection.all(1)
  acts.chosen.print.run()
  if (!printing.wanted) throw new Error('Nothing is printed.')
  render(PrintView, { wanted: printing.wanted })
  const seen = () => [
    screen.queryByRole('columnheader')?.textContent,
    screen.queryByRole('cell')?.textContent,
  ]
  await vi.waitFor(() => expect(seen()).toEqual(['Name', 'Oxen']))
  setLanguage('sv')
  await vi.waitFor(() => expect(seen()).toEqual(['Namn', 'Oxen']))
  setLanguage('en')
  printing.close()
  stop()
})

test('sheets are called, and drawn, in the language that is chosen while they are looked at', async () => {
  const list = (): ListOnPaper => ({
    rows: [{ name: 'Oxen' }],
    columns: [{ key: 'name', heading: say.orders.name }],
    narrowed: '',
  })
  const stop = $effect.root(() => {
    offerList(() => say.orders.title, list)
    $effect(() =>
      printing.offer({ kind: 'slips', name: say.orders.slips, title: 'Thursday', content: { draw } }),
    )
  })
  flushSync()
  render(PrintView, { wanted: { kind: 'list', list: undefined } })
  const seen = () => [
    ...screen.getAllByRole('radio').map((choice) => choice.closest('label')?.textContent.trim()),
    screen.queryByRole('columnheader')?.textContent,
    screen.queryByText(/^(Printed|Utskri)/)?.textContent.split(' ')[0],
  ]
  await vi.waitFor(() => expect(seen()).toEqual(['Slips', 'The list', 'Name', 'Printed']))
  setLanguage('sv')
  await vi.waitFor(() => expect(seen()).toEqual(['Beställningssedlar', 'Listan', 'Namn', 'Utskrivet']))
  setLanguage('en')
  stop()
})

test('a print that ends after its view was closed closes no other', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  print.mockReturnValue(promise)
  const stop = printing.offer({ kind: 'slips', name: 'Slips', title: 'Thursday', content: { draw } })
  const show = () => render(PrintView, { wanted: present(printing.wanted) })
  printing.open('slips')
  const first = show()
  const button = screen.getByRole('button', { name: 'Print on paper' })
  await fireEvent.click(button)
  printing.close()
  first.unmount()
  printing.open('slips')
  const opened = printing.wanted
  resolve({ value: true })
  await vi.waitFor(() => expect(announcement.text).toBe('Printed.'))
  expect(printing.wanted).toBe(opened)

  show()
  await fireEvent.click(screen.getByRole('button', { name: 'Print on paper' }))
  await vi.waitFor(() => expect(printing.wanted).toBeUndefined())
  stop()
})
