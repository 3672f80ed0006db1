import { createPackage } from '@electron/asar'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../archive.ts'

const root = path.resolve(import.meta.dirname, '../..')

// The build comes before the tests in `npm test`; alone, there may be none.
test.skipIf(process.platform !== 'linux' || !existsSync(path.join(root, 'out/main/main.js')))(
  'the packed app holds the app, and nothing of development or tests',
  async () => {
    using place = scratch()
    const dist = path.join(place.folder, 'dist')
    mkdirSync(path.join(dist, 'resources'), { recursive: true })
    mkdirSync(path.join(dist, 'locales'))
    mkdirSync(path.join(place.folder, 'empty'))
    for (const name of ['electron', 'LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak'])
      writeFileSync(path.join(dist, name), '', { mode: 0o755 })
    writeFileSync(path.join(dist, 'version'), '45.4.1')
    writeFileSync(path.join(place.folder, 'empty/a'), '')
    await createPackage(path.join(place.folder, 'empty'), path.join(dist, 'resources/default_app.asar'))
    const said = execFileSync(process.execPath, [path.join(root, 'test/setup/pack.mjs'), '--dist', dist], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(said).toMatch(/app\.asar\n\d+ entries, nothing of development or tests among them/)
  },
)
