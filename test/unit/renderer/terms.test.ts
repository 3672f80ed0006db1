import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { termsEn } from '../../../renderer/language/terms.en.ts'
import { termsSv } from '../../../renderer/language/terms.sv.ts'
import { guideIn, guidePages } from '../../../renderer/pages/help/guide.ts'
import { termPages } from '../../../renderer/parts/term-pages.ts'

const root = path.resolve(import.meta.dirname, '../../..')

test('a word is explained in one to three sentences, in both languages, and has a page that says more', () => {
  const known: readonly string[] = guidePages
  expect(Object.keys(termsSv).toSorted()).toEqual(Object.keys(termsEn).toSorted())
  for (const [name, page] of Object.entries(termPages)) expect(known, name).toContain(page)
  for (const terms of [termsEn, termsSv])
    for (const { word, means } of Object.values(terms)) {
      expect(means, word).toMatch(/\.$/)
      expect(means.match(/[.] |[.]$/g)?.length, word).toBeLessThanOrEqual(3)
      expect(means.length, word).toBeLessThanOrEqual(220)
    }
})

test('every word stands on the page of words, by the alphabet of its language', () => {
  for (const language of ['en', 'sv'] as const) {
    const page = guideIn(language).find(({ name }) => name === 'words')
    const words = page?.blocks.flatMap((block) =>
      block.kind === 'terms' ? block.terms.map(({ word }) => word) : [],
    )
    expect(words).toHaveLength(Object.keys(termsEn).length)
    expect(words).toEqual(words?.toSorted((a, b) => a.localeCompare(b, language)))
  }
})

test('words of the field are explained where they are met', () => {
  const source = globSync('renderer/**/*.{svelte,ts}', { cwd: root })
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n')
  const met = ['package', 'copy', 'medium', 'policy', 'delivery', 'agreement', 'digest', 'event', 'transfer']
  for (const name of met) expect(source, name).toMatch(new RegExp(`(name|term)="${name}"|'${name}'`))
})
