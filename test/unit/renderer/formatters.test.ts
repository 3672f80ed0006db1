import { expect, test, vi } from 'vitest'
import { en } from '../../../renderer/language/en.ts'
import { fieldName, profileKind } from '../../../renderer/language/field-names.ts'
import { clockTime, day, duration, isDay, shortMoment, size } from '../../../renderer/language/formatters.ts'
import { sv } from '../../../renderer/language/sv.ts'

test('sizes as people write them', () => {
  expect(
    [0, 999, 1000, 38_600_000_000, 209_715_200, 1_400_000_000_000].map((bytes) => size(bytes, 'en')),
  ).toEqual(['0 B', '999 B', '1 kB', '38.6 GB', '210 MB', '1.4 TB'])
  expect(size(38_600_000_000, 'sv')).toBe('38,6 GB')
})

test('moments: the time today, the day this year, else the date', () => {
  const now = new Date('2026-11-20T12:00:00')
  expect(shortMoment('2026-11-20T09:14:00', 'en', now)).toBe('09:14')
  expect(shortMoment('2026-03-03T09:14:00', 'en', now)).toBe('3 Mar')
  expect(shortMoment('2019-06-03T09:14:00', 'sv', now)).toBe('3 juni 2019')
  expect(shortMoment('nonsense', 'en', now)).toBe('—')
  expect(duration(2, 'sv')).toMatch(/^2\s(s|sek)/)
})

test('a moment is told by the clock of this computer, also when its zone has changed', () => {
  const zone = vi.spyOn(Date.prototype, 'getTimezoneOffset')
  zone.mockReturnValue(-120)
  expect(clockTime('2026-06-01T10:05:00Z', 'en')).toBe('12:05')
  zone.mockReturnValue(240)
  expect(clockTime('2026-06-01T10:05:00Z', 'en')).toBe('06:05')
  zone.mockRestore()
})

test('a day is the day that was written, with no time and in no zone', () => {
  expect(['1863-01-01T00:00:00+01:12:12', '1971-12-31T00:00:00+01:00', '2016-11-10'].map(isDay)).toEqual([
    true,
    true,
    true,
  ])
  expect(day('1863-01-01T00:00:00+01:12:12', 'en')).toBe('1 January 1863')
  expect(day('1971-12-31T00:00:00+01:00', 'sv')).toBe('31 december 1971')
  expect(day('2016-11-10', 'en')).toBe('10 November 2016')
  expect(day(null, 'en')).toBe('—')
  expect(['2026-11-22T07:29:50.122526+01:00', '2026-11-22T07:29:50+01:00', '12'].map(isDay)).toEqual([
    false,
    false,
    false,
  ])
  expect(day('2026-11-22T07:29:50Z', 'en')).toContain('22 November 2026')
})

test('fields and kinds of profiles are called by their names in the language of the page', () => {
  const kinds = ['transfer_project', 'submit description', 'sip', 'aip_description', 'made_up']
  expect(kinds.map((kind) => profileKind(kind, 'en'))).toEqual([
    'transfer project',
    'submit description',
    'SIP',
    'AIP description',
    'made up',
  ])
  expect(kinds.map((kind) => profileKind(kind, 'sv'))).toEqual([
    'överföringsprojekt',
    'leveransbeskrivning',
    'SIP',
    'AIP-beskrivning',
    'made up',
  ])
  expect(fieldName('templateOptions', 'sv')).toBe('Inställningar')
})

const leaves = (value: object, inside = ''): [string, unknown][] =>
  Object.entries(value).flatMap(([key, it]) =>
    typeof it === 'object' && it !== null
      ? leaves(it as object, `${inside}${key}.`)
      : [[`${inside}${key}`, it] as [string, unknown]],
  )

test('both languages say everything, and no sentence was left in the other one', () => {
  const english = new Map(leaves(en))
  const swedish = new Map(leaves(sv))
  expect([...swedish.keys()].sort()).toEqual([...english.keys()].sort())
  const same = [...english]
    .filter(([key, text]) => typeof text === 'string' && text.length > 14 && swedish.get(key) === text)
    .map(([key]) => key)
  expect(same).toEqual([])
})

test('who comes to the reading room is called one thing in Swedish, and no program for files', () => {
  expect(sv.orders.contentHint).toMatch(/besökare/)
  expect(JSON.stringify(sv)).not.toMatch(/på läsare|för läsare|en läsare/)
})

test('one is said as one, in both languages', () => {
  const said = ({ searches, activity, lists, packing, work }: typeof en) => [
    searches.exported(1),
    searches.imported(1),
    activity.intact(1, 'a'.repeat(64)),
    activity.exported(1),
    lists.chosen(1),
    packing.otherFormats(1),
    work.copies(1, 1),
  ]
  for (const text of said(en))
    expect(text).not.toMatch(/\b1 (other )?(searches|lines|formats|copies)\b|\b(are|were)\b/)
  for (const text of said(sv))
    expect(text).not.toMatch(/\b1 (\w+ )?(sökningar|rader|valda|andra|kopior)|kända|De finns/)
  expect([en.lists.chosen(2), sv.lists.chosen(2)]).toEqual(['2 chosen', '2 valda'])
})
