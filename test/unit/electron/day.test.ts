import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startOfDay } from '../../../electron/common/day.ts'

const module = path.resolve('electron/common/day.ts')
/** How many hours a day has where clocks are changed; a process has one time zone. */
const hoursOf = (day: string) => {
  const script = `import { startOfDay } from ${JSON.stringify(module)}
    console.log((startOfDay('${day}', 1) - startOfDay('${day}')) / 3_600_000)`
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'Europe/Stockholm', NODE_OPTIONS: '' },
    }),
  )
}

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
