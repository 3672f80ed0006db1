import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  archiveKind,
  archiveMessage,
  archiveWord,
  wordOfArchive,
} from '../../../../electron/language/archive-words.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Every text under some names in what a real ESSArch answered. */
const recordedOf = (wanted: (record: Record<string, unknown>) => unknown[]): string[] => {
  const found = new Set<string>()
  const walk = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(walk)
    else if (isObject(value)) {
      for (const text of wanted(value)) if (typeof text === 'string' && text !== '') found.add(text)
      Object.values(value).forEach(walk)
    }
  }
  const file = path.join(import.meta.dirname, '../../../recorded/essarch.jsonl')
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) walk(JSON.parse(line))
  return [...found]
}
/** The same in both languages. */
const isUnknown = (word: string) => archiveWord(word, 'sv') === word

test('every state and step that an ESSArch was seen to say has a Swedish word', () => {
  const states = recordedOf((record) =>
    'step_state' in record ? [record['state'], record['step_state']] : [],
  )
  const steps = recordedOf((record) => ('flow_type' in record ? [record['label'], record['status']] : []))
  expect(states).toContain('At reception')
  expect(steps).toContain('Create SIP')
  expect([...states, ...steps].filter(isUnknown)).toEqual([])
})

test('what nobody translated is shown as it is, and a package may be called anything', () => {
  expect(archiveWord('Weighing', 'sv')).toBe('Weighing')
  expect(archiveWord('constructor', 'en')).toBe('constructor')
  expect(archiveMessage('Fire in room 4', 'sv')).toBe('Fire in room 4')
})

test('a state that is typed is looked for by the archive’s word for it', () => {
  expect([wordOfArchive(' bevarat', 'sv'), wordOfArchive('oxen', 'sv')]).toEqual(['Preserved', 'oxen'])
  expect(wordOfArchive('Preserved', 'en')).toBe('Preserved')
})

test('messages of an ESSArch are said in an archivist’s words', () => {
  const said = [
    'Oxen is now preserved',
    'Oxen is now in workspace',
    'Received Oxen',
    '"Write to search index" failed',
  ]
  expect(said.map((message) => archiveMessage(message, 'en'))).toEqual([
    'Oxen is preserved',
    'Oxen is fetched from storage, for you to work with',
    'Oxen is received',
    '“Write to search index” failed',
  ])
  expect(said.map((message) => archiveMessage(message, 'sv'))).toEqual([
    'Oxen är bevarat',
    'Oxen är hämtat från lagringen, så att du kan arbeta med det',
    'Oxen är mottaget',
    '”Skriva till sökindexet” misslyckades',
  ])
})

test('what the archive of this desk says of its work is said in Swedish too', () => {
  const said: Record<string, string> = {
    'Larm could not be preserved: no room left on LTO-1 for 61 GB':
      'Larm kunde inte bevaras: ingen plats kvar på LTO-1 för 61 GB',
    'Larm could not be preserved: LTO-1 was not read back, since no tape drive was free':
      'Larm kunde inte bevaras: LTO-1 återlästes inte, eftersom ingen bandstation var ledig',
    'Preserved in 3 copies': 'Bevarat i 3 kopior',
    'Generation 2 of SE/STA/1': 'Generation 2 av SE/STA/1',
    'Written to LTO-1, read back and equal': 'Skrivet till LTO-1, återläst och identiskt',
    'Written as a.tar, 1283584 bytes, sha256 8c0c': 'a.tar, 1 283 584 byte, SHA-256 8c0c',
    'The package is complete and valid: 12 files, 2000 bytes':
      'Paketet är fullständigt och giltigt: 12 filer, 2 000 byte',
    'box.zip is left in the ingest folder: why': 'box.zip ligger kvar i inkorgen: why',
  }
  for (const [text, swedish] of Object.entries(said)) {
    expect(archiveMessage(text, 'sv')).toBe(swedish)
    expect(archiveMessage(text, 'en')).not.toMatch(/\b(bevara|skrivet|filer|av)\b/)
  }
})

test('a kind has its word, and no word that a person types is taken for one', () => {
  expect([archiveKind('image', 'sv'), archiveKind('SUCCESS', 'sv'), archiveKind('image', 'en')]).toEqual([
    'bild',
    'Klart',
    'image',
  ])
  expect(wordOfArchive('bild', 'sv')).toBe('bild')
})
