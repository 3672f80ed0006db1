import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const belong = [
  'LICENSE',
  'README.md',
  'electron',
  'electron-builder.yml',
  'package-lock.json',
  'package.json',
  'renderer',
  'resources',
  'test',
  'tsconfig.json',
]

const listed = spawnSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z'], { cwd: root, encoding: 'utf8' })

// Without a checkout nobody knows what belongs to the project.
test.runIf(listed.status === 0)('nothing that a tool wrote lies at the top', () => {
  const top = new Set(listed.stdout.split('\0').map((file) => file.split('/', 1)[0] ?? ''))
  expect([...top].filter((name) => name !== '' && !name.startsWith('.')).sort()).toEqual(belong)
})
