import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startOfDay } from '../../../../electron/common/day.ts'

/** What a script says where clocks are changed; a process has one time zone. */
const inStockholm = (module: string, script: string) =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import * as tried from ${JSON.stringify(path.resolve(module))};${script}`,
    ],
    { encoding: 'utf8', env: { ...process.env, TZ: 'Europe/Stockholm', NODE_OPTIONS: '' } },
  ).trim()
const hoursOf = (day: string) =>
  Number(
    inStockholm(
      'electron/common/day.ts',
      `console.log((tried.startOfDay('${day}', 1) - tried.startOfDay('${day}')) / 3_600_000)`,
    ),
  )

test('a day is as long as the clock has it, also when summer time begins and ends', () => {
  expect(hoursOf('2026-03-28')).toBe(24)
  expect(hoursOf('2026-03-29')).toBe(23)
  expect(hoursOf('2026-10-25')).toBe(25)
})

test('a day that no month has is one all the same', () => {
  expect(startOfDay('2026-02-30')).toBe(startOfDay('2026-03-02'))
  expect(startOfDay('2026-13-01')).toBe(startOfDay('2027-01-01'))
  expect(startOfDay('0000-00-00', 1)).toBe(startOfDay('0000-00-01'))
})

test('events are found until a day ends by the clock', () => {
  const filters = { kinds: [], states: [], policies: [], media: [], creators: [], types: [], agents: [] }
  const asked = { ...filters, archives: [], indices: [], from: '2026-10-25', to: '2026-10-25' }
  const where = inStockholm(
    'electron/store/search/found-filters.ts',
    `console.log(tried.groupFilter('events', ${JSON.stringify(asked)}, () => '').where)`,
  )
  const at = `h.subject = 'events' and h.model ->> '$.at'`
  const [begins, ends] = ['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'].map(Date.parse)
  expect(where).toBe(`${at} >= ${begins} and ${at} < ${ends}`)
})
