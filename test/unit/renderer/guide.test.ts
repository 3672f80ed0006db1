import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { en } from '../../../renderer/language/en.ts'
import { sv } from '../../../renderer/language/sv.ts'
import { guidePageOf } from '../../../renderer/pages/help/address.ts'
import {
  guideIn,
  guidePages,
  searchGuide,
  type Block,
  type Inline,
} from '../../../renderer/pages/help/guide.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const languages = ['en', 'sv'] as const

const linesOf = (block: Block): Inline[][] => {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return [block.parts]
    case 'list':
      return block.items
    case 'table':
      return [...block.head, ...block.rows.flat()]
    case 'terms':
      return []
  }
}
const partsOf = (parts: Inline[]): Inline[] =>
  parts.flatMap((part) => [part, ...('parts' in part ? partsOf(part.parts) : [])])
const allOf = (blocks: Block[]) => blocks.flatMap(linesOf).flatMap(partsOf)
const source = globSync('renderer/**/*.{ts,svelte}', { cwd: root })
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n')
const placeNames = Object.keys(en.places)

test.for(languages)('every page of the guide stands in %s, and none is empty', (language) => {
  const files = globSync(`resources/help/${language}/*.md`, { cwd: root }).map((file) =>
    path.basename(file, '.md'),
  )
  expect(files.toSorted()).toEqual(guidePages.toSorted())
  const pages = guideIn(language)
  expect(new Set(pages.map(({ title }) => title)).size).toBe(guidePages.length)
  for (const { name, title, blocks, passages } of pages) {
    expect(title, name).not.toBe(name)
    expect(blocks.length, name).toBeGreaterThan(1)
    const text = readFileSync(path.join(root, `resources/help/${language}/${name}.md`), 'utf8')
    // What the pages are drawn with: no pictures, quotations, code or tags.
    expect(text.match(/^(>|```|<|!\[| {4}).*/gm), name).toBeNull()
    expect(passages.map(({ text }) => text).join(' ').length, name).toBeGreaterThan(200)
  }
})

test('both languages say the same of the same: as many headings, lists, tables and rows', () => {
  const shapeOf = (blocks: Block[]) =>
    blocks.map((block) => `${block.kind} ${linesOf(block).length} ${'level' in block ? block.level : ''}`)
  for (const [index, page] of guideIn('sv').entries())
    expect(shapeOf(page.blocks), page.name).toEqual(shapeOf(guideIn('en')[index]?.blocks ?? []))
})

test.for(languages)('every link of the guide in %s leads to a page, a heading or a place', (language) => {
  const pages = guideIn(language)
  const links = pages.flatMap(({ name, blocks }) =>
    allOf(blocks).flatMap((part) => (part.kind === 'link' ? [{ name, href: part.href }] : [])),
  )
  expect(links.length).toBeGreaterThan(10)
  const broken = links.filter(({ href }) => {
    const [, page, , anchor] = /^#\/help\/([\w-]+)(\?at=(.+))?$/.exec(href) ?? []
    if (page === undefined) return !placeNames.includes(/^#\/([a-z]+)$/.exec(href)?.[1] ?? '')
    const target = pages.find(({ name }) => name === page)
    return (
      !target ||
      (anchor !== undefined && !target.blocks.some((one) => 'anchor' in one && one.anchor === anchor))
    )
  })
  expect(broken).toEqual([])
})

test('every place has a page of the guide that fits it', () => {
  const known: readonly string[] = guidePages
  expect(Object.keys(guidePageOf).toSorted()).toEqual(
    placeNames.filter((name) => name !== 'label' && name !== 'help').toSorted(),
  )
  expect(Object.values(guidePageOf).filter((page) => !known.includes(page))).toEqual([])
})

/** What the program has for a key, as it stands in its source. */
const handled = (key: string): boolean => {
  const [, command] = /^Ctrl\+([A-Z])$/.exec(key) ?? []
  if (command !== undefined) {
    const letter = command.toLowerCase()
    const forms = [
      `isCommand(event, '${letter}')`,
      `hasCommandKey(event) && event.key === '${letter}'`,
      `toLowerCase() !== '${letter}'`,
    ]
    return forms.some((form) => source.includes(form))
  }
  if (/^Ctrl\+(Space|Mellanslag)$/.test(key))
    return source.includes(`hasCommandKey(event) && event.key === ' '`)
  // Any letter begins a word that a list goes to.
  if (/^A–[ZÖ]$/.test(key)) return source.includes('typeAhead.type(event')
  const [, shifted] = /^(?:Shift|Skift)\+(.+)$/.exec(key) ?? []
  if (shifted !== undefined) return handled('Shift') && handled(shifted)
  const [, withAlt] = /^Alt\+(.+)$/.exec(key) ?? []
  if (withAlt !== undefined) return source.includes('!altKey') && handled(withAlt)
  const names: Record<string, string> = {
    Space: ' ',
    Mellanslag: ' ',
    Del: 'Delete',
    Esc: 'Escape',
    Retur: 'Enter',
    Skift: 'shiftKey',
    Shift: 'shiftKey',
    '↑': 'ArrowUp',
    '↓': 'ArrowDown',
    '→': 'ArrowRight',
    '←': 'ArrowLeft',
  }
  const name = names[key] ?? key
  const menu = readFileSync(path.join(root, 'electron/shell/menu.ts'), 'utf8')
  return (
    [`event.key === '${name}'`, `event.key !== '${name}'`, `key: '${name}'`, `  ${name}: `].some((form) =>
      source.includes(form),
    ) ||
    (name === 'shiftKey' && source.includes('event.shiftKey')) ||
    menu.includes(`accelerator: '${name}'`)
  )
}

test.for(languages)('every key that the guide names in %s is one that is heard', (language) => {
  const page = guideIn(language).find(({ name }) => name === 'keys')
  const keys = allOf(page?.blocks ?? []).flatMap((part) => (part.kind === 'key' ? [part.text] : []))
  expect(keys.length).toBeGreaterThan(25)
  expect(keys.filter((key) => !handled(key))).toEqual([])
  expect(handled('Ctrl+Y')).toBe(false)
  expect(handled('F7')).toBe(false)
  expect(handled('Alt+F7')).toBe(false)
  const sheet = Object.values((language === 'sv' ? sv : en).keys.ofPlace).flat()
  const plain = (key: string) => (key === 'Enter' ? 'Retur' : key)
  const said = new Set(keys.map(plain))
  const missing = sheet.flatMap(({ keys: named }) => named.split(/ |\+↓/)).filter(Boolean)
  expect(missing.filter((key) => !said.has(plain(key)))).toEqual([])
})

test.for(languages)(
  'the sheet of keys in %s has those of each place, and each is heard there',
  (language) => {
    const sheets: Record<string, readonly { keys: string }[]> = (language === 'sv' ? sv : en).keys.ofPlace
    const places = placeNames.filter((name) => name !== 'label' && name !== 'help')
    expect(places.filter((name) => (sheets[name] ?? []).length === 0)).toEqual([])
    const unheard = Object.entries(sheets).flatMap(([name, rows]) => {
      const ofPlace = globSync(`renderer/pages/${name}/*.svelte`, { cwd: root })
        .map((file) => readFileSync(path.join(root, file), 'utf8'))
        .join('\n')
      const forms: Record<string, string[]> = {
        A: ['openListActs('],
        '+': [`event.key === '+'`, 'order,', 'order:'],
        '↓': ['<VirtualRows', '<ChoosableRows', `ArrowDown`],
        Z: ['<VirtualRows', '<ChoosableRows'],
        Ö: ['<VirtualRows', '<ChoosableRows'],
      }
      return rows.filter(({ keys }) => {
        const last = keys.at(-1) ?? ''
        const command = /^Ctrl\+([B-Z])$/.exec(keys)?.[1]?.toLowerCase()
        const wanted = command === undefined ? forms[last] : [`isCommand(event, '${command}')`]
        // The fields of the settings hear their keys in every browser.
        return name !== 'settings' && wanted && !wanted.some((form) => ofPlace.includes(form))
      })
    })
    expect(unheard).toEqual([])
  },
)

test('what is quoted from the window in the guide is what the window says', () => {
  const textsOf = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(textsOf)
        : []
  for (const [language, dictionary] of Object.entries({ en, sv })) {
    const known = new Set(textsOf(dictionary))
    const quoted = guideIn(language === 'sv' ? 'sv' : 'en').flatMap(({ name, passages }) =>
      passages.flatMap(({ text }) =>
        [...text.matchAll(/[“”]([^“”]+)”/g)].map(([, words = '']) => ({ name, words })),
      ),
    )
    // What is put together of numbers and dates, and what a reader types, is written as one example of it.
    const example = /\d|^(Take the|Godta de) …$/
    const wrong = quoted.filter(({ words }) => !known.has(words) && !example.test(words))
    expect(wrong, language).toEqual([])
  }
})

test('the guide is searched by the beginnings of words, without accents, and shows the sentence', () => {
  const first = (language: 'en' | 'sv', typed: string) => {
    const [hit] = searchGuide(language, typed)
    return hit && { page: hit.page, sentence: hit.sentence.map(({ text }) => text).join('') }
  }
  expect(first('en', 'receipt')?.page).toBe('transfers')
  expect(first('en', 'transf')?.page).toBe('transfers')
  expect(first('en', 'single fire')?.sentence).toContain('A single fire would take all')
  expect(first('sv', 'bestallningssed')?.page).toBe('orders')
  expect(first('sv', 'en enda brand')?.page).toBe('storage')
  expect(searchGuide('en', 'zeppelin')).toEqual([])
  expect(searchGuide('en', '  ')).toEqual([])
  const [marked] = searchGuide('en', 'polite')
  expect(marked?.sentence.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['Polite'])
})
