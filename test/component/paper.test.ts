import { expect, test } from 'vitest'
import { pageRule } from '../../renderer/pages/print/paper.ts'

const edges = {
  archive: 'Söder "om" \\slussen',
  title: 'a\n} body { display: none }',
  printed: 'Printed',
  page: ['Page', 'of'],
} as const

const rulesOf = (text: string) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return [...sheet.cssRules].map((rule) => rule.cssText)
}

test('names of an archive and a title cannot leave the text at the edge of a page', () => {
  const rule = pageRule('A4', edges)
  expect(rule).toContain('content: "Söder \\22 om\\22  \\5c slussen"')
  expect(rule).toContain('content: "a\\a } body { display: none }"')
  expect(rule).not.toMatch(/\n\} body/)
})

test('a label has no edges to write on', () => {
  expect(pageRule('label', edges)).toBe('@page { margin: 4mm; }')
  expect(rulesOf(pageRule('label', edges))).toHaveLength(1)
})
