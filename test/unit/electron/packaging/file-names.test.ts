import path from 'node:path'
import { expect, test } from 'vitest'
import { asFileName } from '../../../../electron/packaging/disk.ts'

test('a name that content or an archive gives is a file name everywhere, and looks like what it is', () => {
  const named = {
    'annual report.pdf': 'annual report.pdf',
    'a/b\\c:d*e?"f<g>|h.txt': 'a-b-c-d-e-f-g-h.txt',
    'ann\u202egpj.exe': 'ann-gpj.exe',
    'two\nlines.txt': 'two lines.txt',
    CON: 'CON-',
    'nul.txt': 'nul-.txt',
    '..': '-',
    'ends. ': 'ends',
    '\u0000\u001b[31m.txt': '-[31m.txt',
  }
  expect(Object.fromEntries(Object.keys(named).map((name) => [name, asFileName(name)]))).toEqual(named)
  for (const long of [
    `${'å'.repeat(300)}.tar`,
    `${'👩‍👩‍👧'.repeat(60)}.pdf`,
    `a.${'x'.repeat(300)}`,
    'ö'.repeat(900),
  ]) {
    const name = asFileName(long)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
    expect(name).not.toContain('\ufffd')
    expect(path.extname(long).length > 10 || name.endsWith(path.extname(long))).toBe(true)
  }
})
