import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtFile } from '../../../support/built.ts'
import { scratch } from '../../../support/scratch.ts'

/** The archive as Electron starts it: whatever comes in on its standard input is a message of its parent. */
const underElectron = (data: string) => `
  import { EventEmitter } from 'node:events'
  process.parentPort = new EventEmitter()
  process.stdin.on('data', (part) => process.parentPort.emit('message', { data: String(part) }))
  process.argv.push('--data', ${JSON.stringify(data)})
  await import(${JSON.stringify(builtFile('local-archive.js').href)})
`

test('an archive that is told to stop by a message, as on Windows, closes what it wrote', async () => {
  using place = scratch()
  const data = path.join(place.folder, 'data')
  const script = path.join(place.folder, 'archive.mjs')
  writeFileSync(script, underElectron(data))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const over = new Promise((done) => child.once('exit', (code, signal) => done({ code, signal })))
  await new Promise((ready) => child.stdout.once('data', ready))
  expect(existsSync(path.join(data, 'archive.sqlite-wal'))).toBe(true)
  child.stdin.write('stop')
  expect(await over).toEqual({ code: 0, signal: null })
  // SQLite removes its log when the last connection is closed.
  expect(existsSync(path.join(data, 'archive.sqlite-wal'))).toBe(false)
})
