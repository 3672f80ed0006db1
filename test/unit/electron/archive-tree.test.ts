import path from 'node:path'
import { expect, test } from 'vitest'
import { answersOf } from '../../answers.ts'
import { scratch } from '../../archive.ts'
import { openLocalCopy } from '../../local-copy.ts'

const at = '2026-01-01T00:00:00Z'
const aPackage = {
  id: 'p1',
  label: 'Minutes 1921',
  object_identifier_value: 'SE/STA/1',
  package_type: 2,
  state: 'Preserved',
}
const unit = (id: number, name: string, structure: string, parent: number | null = null) => ({
  id,
  name,
  structure,
  parent,
  reference_code: `${id}`,
})
const tag = (id: string, name: string, structure: string, more: object = {}) => ({
  id,
  name,
  reference_code: id.toUpperCase(),
  structures: [{ structure, ...more }],
})

const open = (folder: string) => {
  const copy = openLocalCopy(path.join(folder, 'cache.sqlite'))
  copy.hold('packages', [aPackage], at)
  copy.hold(
    'description/structure-units',
    [
      unit(1, 'Minutes', 'shared'),
      unit(2, 'Minutes of the board', 'shared', 1),
      unit(3, 'Letters', 'shared'),
      unit(4, 'Accounts', 'alone'),
    ],
    at,
  )
  copy.hold(
    'description/tags',
    [
      tag('a1', 'Harbour board', 'shared'),
      tag('a2', 'School board', 'shared'),
      tag('a3', 'Museum', 'alone'),
      { ...tag('n1', 'Volume 1', 'shared', { parent: 'a1', structure_unit: 2 }), information_package: 'p1' },
      tag('n2', 'Sheet 1', 'shared', { parent: 'n1' }),
      tag('n3', 'Box without a series', 'shared', { parent: 'a2' }),
      tag('n4', 'Ledger', 'alone', { structure_unit: 4 }),
    ],
    at,
  )
  const answers = answersOf(path.join(folder, 'cache.sqlite'))
  const rows = (opened: string[]) => answers.tree({ open: opened, offset: 0, limit: 100 })
  const shown = (opened: string[]) =>
    rows(opened).rows.map(
      ({ title, depth, hasChildren }) => `${'  '.repeat(depth)}${title}${hasChildren ? ' >' : ''}`,
    )
  return { ...copy, answers, rows, shown }
}

test('archives, series, units, nodes and packages are one tree, and a shared structure shows what is used', () => {
  using place = scratch()
  const { shown, rows, close } = open(place.folder)
  expect(shown([])).toEqual(['Harbour board >', 'School board >', 'Museum >'])
  expect(rows([])).toMatchObject({ total: 3, of: 3, lines: 3, asOf: at })
  expect(shown(['a:a1', 'u:a1:1', 'u:a1:2', 'n:n1'])).toEqual([
    'Harbour board >',
    '  Minutes >',
    '    Minutes of the board >',
    '      Volume 1 >',
    '        Sheet 1',
    '        Minutes 1921',
    'School board >',
    'Museum >',
  ])
  expect(shown(['a:a2'])).toContain('  Box without a series')
  // A structure of one archive is shown whole; its nodes are found by their unit alone.
  expect(shown(['a:a3', 'u:a3:4'])).toEqual([
    'Harbour board >',
    'School board >',
    'Museum >',
    '  Accounts >',
    '    Ledger',
  ])
  // What is below a closed row stays so, though it was left open itself.
  expect(shown(['u:a1:1', 'n:n1'])).toHaveLength(3)
  close()
})

test('a record is shown in its place, and typing finds the next row', () => {
  using place = scratch()
  const { answers, rows, close } = open(place.folder)
  const path = answers.treePath('tags', 'n2')
  expect(path).toEqual(['a:a1', 'u:a1:1', 'u:a1:2', 'n:n1'])
  expect(rows(path).rows.map(({ to }) => to.id)).toContain('n2')
  expect(answers.treePath('structure-units', '4')).toEqual(['a:a3'])
  // It stands below two archives: nobody knows which of them is meant.
  expect(answers.treePath('structure-units', '2')).toEqual([])
  expect(answers.treePath('tags', 'a1')).toEqual([])
  expect(answers.treePath('tags', 'unknown')).toEqual([])
  expect(answers.treeBeginning(path, 'VOL', 0)).toBe(3)
  expect(answers.treeBeginning(path, 'mus', 5)).toBe(7)
  expect(answers.treeBeginning(path, 'min', 6)).toBe(1)
  expect(answers.treeBeginning(path, 'x', 0)).toBeNull()
  close()
})

test('what may be chosen says what it stands below, from the top', () => {
  using place = scratch()
  const { answers, hold, close } = open(place.folder)
  hold('description/structures', [{ id: 'shared', name: 'Series' }], at)
  const places = (list: 'tags' | 'structure-units' | 'structures') =>
    answers.titles(list).map(({ text, path: above }) => [text.replace(/ – .*/, ''), above?.join(' / ')])
  expect(places('structure-units')).toEqual([
    ['Minutes', 'Series'],
    ['Minutes of the board', 'Series / Minutes'],
    ['Letters', 'Series'],
    ['Accounts', 'alone'],
  ])
  expect(Object.fromEntries(places('tags'))).toMatchObject({
    'Harbour board': '',
    'Volume 1': 'Harbour board / Minutes / Minutes of the board',
    'Sheet 1': 'Harbour board / Minutes / Minutes of the board / Volume 1',
    'Box without a series': 'School board',
    Ledger: 'Accounts',
  })
  expect(places('structures')).toEqual([['Series', undefined]])
  close()
})
