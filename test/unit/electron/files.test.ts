import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '../../../electron/log.ts'
import { asFileName } from '../../../electron/packaging/disk.ts'
import { openSettings } from '../../../electron/settings/settings.ts'
import { openDatabase } from '../../../electron/store/open-database.ts'
import { scratch } from '../../support/scratch.ts'

test('no secret reaches the log', () => {
  using place = scratch()
  const log = openLog(path.join(place.folder, 'x.log'), () => new Date(0))
  log.named('http').warn('asked with Authorization: Token abcdef0123456789', {
    headers: { authorization: 'Basic Zm9vOmJhcg==' },
    form: [{ password: 'hunter2', name: 'Åsa' }],
  })
  log.named('http').error('thrown', new Error('Bearer abcdef0123456789'))
  const text = readFileSync(log.file, 'utf8')
  expect(text).not.toMatch(/abcdef0123456789|Zm9v|hunter2/)
  expect(text).toContain('Åsa')
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
    level: 'warn',
    source: 'http',
    time: '1970-01-01T00:00:00.000Z',
  })
})

test('the log is capped', () => {
  using place = scratch()
  const log = openLog(path.join(place.folder, 'x.log'), () => new Date())
  writeFileSync(log.file, 'x'.repeat(6 * 1024 * 1024))
  log.named('a').info('after')
  expect(statSync(log.file).size).toBeLessThan(1000)
})

test('what lies in itself is written to the log, as far as it goes', () => {
  using place = scratch()
  const log = openLog(path.join(place.folder, 'x.log'), () => new Date())
  const error = new Error('in itself')
  error.cause = { error, bytes: 2n ** 60n }
  log.named('a').error('Round', error)
  expect(JSON.parse(readFileSync(log.file, 'utf8'))).toMatchObject({
    about: { message: 'in itself', cause: { error: '…', bytes: '1152921504606846976' } },
  })
})

test('a bad setting falls back alone, and keys of a newer version are kept', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'settings.json')
  writeFileSync(file, JSON.stringify({ theme: 'pink', language: 'sv', somethingNew: 1 }))
  const settings = openSettings(file)
  const usual = {
    theme: 'system',
    language: 'system',
    notices: true,
    quiet: false,
    closeToTray: true,
    startWithSystem: false,
    updates: false,
    proxy: 'system',
    proxyAddress: '',
    proxyScript: '',
  }
  expect(settings.read()).toEqual({ ...usual, language: 'sv' })
  await Promise.all([settings.change({ theme: 'dark' }), settings.change({ notices: false })])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    theme: 'dark',
    language: 'sv',
    somethingNew: 1,
    notices: false,
  })
  writeFileSync(file, '{half')
  expect(openSettings(file).read()).toEqual(usual)
})

test('migrations run once, in order, and a newer file is not touched', () => {
  using place = scratch()
  const file = path.join(place.folder, 'a.sqlite')
  const steps = ['create table a (x) strict'.replace('(x)', '(x text)'), 'alter table a add column y text']
  openDatabase(file, steps.slice(0, 1)).close()
  const database = openDatabase(file, steps)
  expect(database.prepare('pragma user_version').get()).toEqual({ user_version: 2 })
  database.close()
  expect(() => openDatabase(file, steps.slice(0, 1))).toThrow(/newer version/)
})

test('a migration that fails leaves the file as it was', () => {
  using place = scratch()
  const file = path.join(place.folder, 'a.sqlite')
  expect(() =>
    openDatabase(file, ['create table a (x text) strict', 'create table b (x text) strict; nonsense']),
  ).toThrow()
  const database = new DatabaseSync(file)
  expect(database.prepare('pragma user_version').get()).toEqual({ user_version: 1 })
  expect(database.prepare(`select name from sqlite_master where type = 'table'`).all()).toEqual([
    { name: 'a' },
  ])
})

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
