import path from 'node:path'
import { expect, test } from 'vitest'
import { answersOf } from '../../../desks/answers.ts'
import { scratch } from '../../../support/scratch.ts'
import { holdContents } from '../../../../electron/store/cache/contents.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const at = '2026-01-01T00:00:00Z'
const aPackage = {
  id: 'p1',
  label: 'Minutes 1921',
  object_identifier_value: 'SE/STA/1',
  package_type: 2,
  state: 'Preserved',
}
const unit = (
  id: number,
  name: string,
  structure: string,
  parent: number | null = null,
  more: object = {},
) => ({
  id,
  name,
  structure,
  parent,
  reference_code: `${id}`,
  ...more,
})
const tag = (id: string, name: string, structure: string, more: object = {}) => ({
  id,
  name,
  reference_code: id.toUpperCase(),
  structures: [{ structure, ...more }],
})

/** A local copy with one package, and its tree as a person sees it. */
const openEmpty = (folder: string) => {
  const copy = openLocalCopy(path.join(folder, 'cache.sqlite'))
  copy.hold('packages', [aPackage], at)
  const answers = answersOf(path.join(folder, 'cache.sqlite'))
  const rows = (opened: string[]) => answers.tree({ open: opened, offset: 0, limit: 100 })
  const shown = (opened: string[]) =>
    rows(opened).rows.map(
      ({ title, depth, hasChildren }) => `${'  '.repeat(depth)}${title}${hasChildren ? ' >' : ''}`,
    )
  return { ...copy, answers, rows, shown }
}

const open = (folder: string) => {
  const copy = openEmpty(folder)
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
  return copy
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

test('packages of a node stand in the order of their titles', () => {
  using place = scratch()
  const { hold, shown, close } = openEmpty(place.folder)
  const labels = ['Minutes 1923', 'Minutes 1921', 'Minutes 1922']
  const packages = labels.map((label, index) => ({ ...aPackage, id: `p${index}`, label }))
  hold('packages', packages, at)
  hold(
    'description/tags',
    [
      tag('a1', 'Harbour board', 'shared'),
      {
        ...tag('n1', 'Volume 1', 'shared', { parent: 'a1' }),
        information_package: packages.map(({ id }) => id),
      },
    ],
    at,
  )
  expect(shown(['a:a1', 'n:n1']).slice(2)).toEqual([
    '    Minutes 1921',
    '    Minutes 1922',
    '    Minutes 1923',
  ])
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

test('where only units say what stands in them, nodes stand below their archive until one was read', () => {
  using place = scratch()
  const { hold, shown, writer, cache, answers, close } = openEmpty(place.folder)
  const units = [
    unit(1, 'Minutes', 'whole', null, { is_tag_leaf_node: false }),
    unit(2, 'Letters', 'whole', null, { is_tag_leaf_node: false }),
    unit(3, 'Accounts', 'whole', null, { is_tag_leaf_node: true }),
  ]
  hold('description/structure-units', units, at)
  const tags = [
    tag('a1', 'Harbour board', 'whole'),
    tag('n2', 'Volume 2', 'whole', { parent: 'a1' }),
    tag('n1', 'Volume 1', 'whole', { parent: 'a1' }),
    tag('s1', 'Sheet', 'whole', { parent: 'n1' }),
  ]
  hold('description/tags', tags, at)
  const opened = ['a:a1', 'u:a1:1', 'n:n1']
  expect(shown(opened)).toEqual([
    'Harbour board >',
    '  Minutes >',
    '  Letters >',
    '  Accounts',
    '  Volume 1 >',
    '    Sheet',
    '  Volume 2',
  ])
  const read = (id: string, nodes: Parameters<typeof holdContents>[2]) =>
    holdContents(writer, { list: 'structure-units', id }, nodes, at)
  const inMinutes = [
    { id: 'n1', package: 'p1' },
    { id: 'n2', package: null },
  ]
  expect(cache.contentsAsOf('structure-units:1')).toBeNull()
  expect(read('1', inMinutes)).toBe(true)
  writer.commit()
  expect(cache.contentsAsOf('structure-units:1')).toBe(at)
  const inPlace = [
    'Harbour board >',
    '  Minutes >',
    '    Volume 1 >',
    '      Sheet',
    '      Minutes 1921',
    '    Volume 2',
    '  Letters >',
    '  Accounts',
  ]
  expect(shown(opened)).toEqual(inPlace)
  expect(answers.treePath('tags', 's1')).toEqual(opened)
  // The same again is nothing new, and neither is a unit that is gone for now.
  expect(read('1', inMinutes)).toBe(false)
  expect(read('1', undefined)).toBe(false)
  // Its list, read anew, does not take it back.
  hold(
    'description/tags',
    [
      { ...tag('a1', 'Harbour board', 'whole'), name: 'Harbour board' },
      ...tags.slice(1, 2),
      tag('n1', 'Volume 1 a', 'whole', { parent: 'a1' }),
      ...tags.slice(3),
    ],
    at,
  )
  expect(shown(opened)).toEqual(inPlace.map((line) => line.replace('Volume 1', 'Volume 1 a')))
  // A node stands in the unit that named it last; a unit that was read and has none has nothing to open.
  read('2', [{ id: 'n2', package: null }])
  read('1', [])
  holdContents(writer, { list: 'tags', id: 'n1', within: 'whole' }, [{ id: 's1', package: 'p1' }], at)
  writer.commit()
  expect(shown(['a:a1', 'u:a1:2', 'n:n1', 'n:s1'])).toEqual([
    'Harbour board >',
    '  Minutes',
    '  Letters >',
    '    Volume 2',
    '  Accounts',
    '  Volume 1 a >',
    '    Sheet >',
    '      Minutes 1921',
  ])
  close()
})
