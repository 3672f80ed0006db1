import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '../../../electron/log.ts'
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
