import { createPackage } from '@electron/asar'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../support/scratch.ts'
import { contentsOf, placeholdersOf } from '../setup/pack-contents.mjs'

interface Manifest {
  homepage: string
  author: string
}
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
    const args = [path.join(root, 'test/setup/pack.mjs'), '--dist', dist]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(stdout, stderr).toMatch(/app\.asar\n\d+ entries, nothing of development or tests among them/)
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest
    const warned = [...stderr.matchAll(/^Still a placeholder, .*: ((homepage|author): .+)$/gm)]
    expect(warned.map(([, placeholder]) => placeholder)).toEqual(placeholdersOf(manifest))
  },
)

test('installers call the app by the names that the app calls itself', () => {
  const text = (name: string) => readFileSync(path.join(root, name), 'utf8')
  const settings = text('electron-builder.yml')
  const manifest = JSON.parse(text('package.json')) as Record<string, string>
  // A .deb wants a homepage and a maintainer, and a window of Linux its .desktop file.
  expect(manifest).toMatchObject({
    homepage: expect.stringMatching(/^https:/) as unknown,
    author: expect.stringMatching(/<.+@.+>$/) as unknown,
    desktopName: 'lectern.desktop',
  })
  expect(settings).toMatch(/^ {2}syncDesktopName: true$/m)
  // Windows shows notices of the program whose id the installer wrote.
  const id = /^appId: (.+)$/m.exec(settings)?.[1]
  expect(text('electron/main.ts')).toContain(`app.setAppUserModelId('${id}')`)
})

test('addresses that nobody can have are placeholders', () => {
  const author = 'A <a@lectern.example>'
  expect(placeholdersOf({ homepage: 'https://lectern.example', author })).toEqual([
    'homepage: https://lectern.example',
    'author: A <a@lectern.example>',
  ])
  const real = { homepage: 'https://lectern.se/example', author: 'A <a@lectern.se>' }
  expect(placeholdersOf(real)).toEqual([])
})

test.skipIf(!existsSync(path.join(root, 'out/main/main.js')))(
  'an app that lacks a script of its build, or what a page of it loads, is refused',
  async () => {
    using place = scratch()
    const app = path.join(place.folder, 'app')
    for (const part of ['out', 'resources', 'LICENSE', 'package.json'])
      cpSync(path.join(root, part), path.join(app, part), {
        recursive: true,
        filter: (file) => !/screenshots|app-|\.map$/.test(path.relative(root, file)),
      })
    const pack = async (name: string) => {
      const asar = path.join(place.folder, name)
      await createPackage(app, asar)
      return contentsOf(asar).wrong
    }
    expect(await pack('whole.asar')).toEqual([])
    const [loaded = ''] = /(?<=src="\.)\/[^"]+/.exec(
      readFileSync(path.join(app, 'out/viewer/viewer.html'), 'utf8'),
    ) ?? ['']
    const lost = ['/out/main/questions-worker.js', '/out/viewer/viewer.html', `/out/viewer${loaded}`]
    rmSync(path.join(app, lost[0] ?? ''))
    rmSync(path.join(app, lost[2] ?? ''))
    expect(await pack('without-scripts.asar')).toEqual([`missing: ${lost[0]}`, `missing: ${lost[2]}`])
    rmSync(path.join(app, lost[1] ?? ''))
    expect(await pack('without-page.asar')).toEqual([`missing: ${lost[0]}`, `missing: ${lost[1]}`])
  },
)
