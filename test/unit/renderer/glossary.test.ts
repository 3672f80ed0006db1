import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import ts from 'typescript'
import { glossary, leftInEnglish } from '../../../renderer/language/glossary.ts'

const root = path.resolve(import.meta.dirname, '../../..')
type Language = 'en' | 'sv'

/** Every text of a file that a person reads, and its line: names of properties and of modules are none. */
const textsIn = (file: string, isWanted?: (node: ts.Node) => boolean): { line: number; text: string }[] => {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const texts: { line: number; text: string }[] = []
  const visit = (node: ts.Node, isIn: boolean): void => {
    const isName =
      ts.isImportDeclaration(node.parent ?? node) ||
      (ts.isPropertyAssignment(node.parent ?? node) &&
        (node.parent as ts.PropertyAssignment).name === node) ||
      ts.isLiteralTypeNode(node.parent ?? node)
    const isInside = isIn || isWanted?.(node) === true
    if (
      isInside &&
      !isName &&
      (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
    )
      texts.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: node.text })
    ts.forEachChild(node, (child) => visit(child, isInside))
  }
  visit(source, isWanted === undefined)
  return texts
}

/** What of the texts of a language is no term of the glossary. */
const faultsOf = (language: Language, texts: { place: string; text: string }[]): string[] =>
  texts.flatMap(({ place, text }) => [
    ...glossary
      .filter(({ not }) => (not[language] ?? []).some((term) => term.test(text)))
      .map((term) => `${place}: “${text}”: the term is “${term[language]}”`),
    ...(language === 'sv' && leftInEnglish.test(text) ? [`${place}: “${text}” is left in English`] : []),
    ...(/\.\.\.|\p{L}'\p{L}/u.test(text) ? [`${place}: “${text}”: “…” and “’” are one sign each`] : []),
  ])

const textsOf = (language: Language) =>
  globSync(`renderer/language/{*.${language}.ts,${language}.ts}`, { cwd: root })
    .toSorted()
    .flatMap((file) => textsIn(file).map(({ line, text }) => ({ place: `${file}:${line}`, text })))

/**
 * Files that hold both languages: a text is of the constant that it stands in, or of the property that a
 * table has for its language.
 */
const mixedFiles = [
  'electron/language/words.ts',
  'electron/language/findings.ts',
  'electron/language/e-ark-rules.ts',
  'electron/language/archive-words.ts',
  'electron/language/messages.ts',
]
const isOf = (language: Language) => (node: ts.Node) =>
  (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && node.name.getText() === language
const mixedTextsOf = (language: Language) =>
  mixedFiles.flatMap((file) =>
    textsIn(file, isOf(language)).map(({ line, text }) => ({ place: `${file}:${line}`, text })),
  )

/** The guide inside, line by line. */
const linesOfGuide = (language: Language) =>
  globSync(`resources/help/${language}/*.md`, { cwd: root })
    .toSorted()
    .flatMap((file) =>
      readFileSync(path.join(root, file), 'utf8')
        .split('\n')
        .map((text, index) => ({ place: `${file}:${index + 1}`, text })),
    )

test.for(['en', 'sv'] as const)('the guide in %s uses the terms of the glossary', (language) => {
  const lines = linesOfGuide(language)
  expect(lines.length).toBeGreaterThan(300)
  expect(faultsOf(language, lines)).toEqual([])
})

test.for(['en', 'sv'] as const)('every text in %s uses the terms of the glossary', (language) => {
  const texts = textsOf(language)
  expect(texts.length).toBeGreaterThan(1_000)
  expect(faultsOf(language, texts)).toEqual([])
})

test.for(['en', 'sv'] as const)('what main says in %s uses the terms of the glossary', (language) => {
  const texts = mixedTextsOf(language)
  expect(texts.length).toBeGreaterThan(150)
  expect(faultsOf(language, texts)).toEqual([])
})

test('fields of records in Swedish use the terms of the glossary', () => {
  const file = 'renderer/language/field-names.ts'
  const isSwedish = (node: ts.Node) =>
    ts.isVariableDeclaration(node) && ['swedish', 'profiles'].includes(node.name.getText())
  const texts = textsIn(file, isSwedish).map(({ line, text }) => ({ place: `${file}:${line}`, text }))
  expect(texts.length).toBeGreaterThan(150)
  expect(faultsOf('sv', texts)).toEqual([])
})

test('a term outside the glossary, English in Swedish and typewriters’ signs are found', () => {
  const found = (language: Language, text: string) => faultsOf(language, [{ place: 'x', text }]).length
  expect(found('sv', 'Skriv ut lapparna')).toBe(1)
  expect(found('sv', 'Framme på disken')).toBe(1)
  expect(found('sv', 'Inget utrymme på disken med arkivet')).toBe(0)
  expect(found('sv', 'Tillstånd: Preserved')).toBe(1)
  expect(found('en', 'It lies on the desk')).toBe(1)
  expect(found('en', "It isn't there ...")).toBe(1)
  expect(found('en', 'It is in the reading room …')).toBe(0)
})

test('one thing has one term, and one term is one thing', () => {
  for (const language of ['en', 'sv'] as const) {
    const terms = glossary.map((term) => term[language])
    expect(new Set(terms).size).toBe(terms.length)
  }
  expect(glossary.filter(({ en, not }) => (not.en ?? []).some((term) => term.test(en)))).toEqual([])
  expect(glossary.filter(({ sv, not }) => (not.sv ?? []).some((term) => term.test(sv)))).toEqual([])
})
