import { flushSync, createRawSnippet } from 'svelte'
import { expect, test } from 'vitest'
import { printing, type Sheet } from '../../renderer/state/printing.svelte.ts'

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
