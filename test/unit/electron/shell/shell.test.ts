import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { autostartEntry } from '../../../../electron/shell/desktop-entry.ts'
import { linkIn, readLink } from '../../../../electron/shell/links.ts'
import { answerFrom, frame, isPage, pageAt } from '../../../../electron/shell/page-files.ts'
import { boundsToKeep, boundsToOpen, WindowState } from '../../../../electron/shell/window-bounds.ts'
import { scratch } from '../../../support/scratch.ts'

test('a link is read whatever its case, and nothing in one ends the desk', () => {
  const place = { archive: 'arkiv.example.org', place: 'packages/AIP-1' }
  expect(readLink('lectern://arkiv.example.org/package/AIP-1')).toEqual(place)
  expect(readLink('LECTERN://arkiv.example.org/package/AIP-1')).toEqual(place)
  for (const bad of ['lectern://%zz', 'lectern://%zz/package/1', 'lectern://%ff/package/1', 'lectern:', '%'])
    expect(readLink(bad), bad).toBeUndefined()
})

test('the link of a second start is found behind the switches that Chromium adds', () => {
  const link = 'LECTERN://arkiv.example.org/package/AIP-1'
  expect(
    linkIn(['/opt/Lectern/lectern', '--allow-file-access-from-files', '--secure-schemes=app', link]),
  ).toBe(link)
  expect(linkIn(['lectern', 'lectern://first/package/1', link])).toBe(link)
  expect(linkIn(['lectern', '--hidden', 'notlectern://a/package/1'])).toBeUndefined()
})

test('the page is one address with its places, and no other below app://', () => {
  expect(isPage(pageAt(''))).toBe(true)
  expect(isPage(pageAt('packages/AIP-1'))).toBe(true)
  for (const other of [
    frame,
    'app://desk/',
    'app://desk/index.htmlx',
    'app://else/index.html',
    'about:blank',
  ])
    expect(isPage(other), other).toBe(false)
})

test('what is asked below app:// is a file of the page, or an answer that says no', async () => {
  using place = scratch()
  const folders = { desk: path.join(place.folder, 'renderer'), viewer: path.join(place.folder, 'viewer') }
  mkdirSync(folders.desk)
  mkdirSync(folders.viewer)
  writeFileSync(path.join(folders.desk, 'index.html'), '<p>här')
  writeFileSync(path.join(folders.viewer, 'viewer.html'), '<p>vy')
  writeFileSync(path.join(place.folder, 'outside.html'), 'secret')
  const status = async (url: string) => (await answerFrom(folders, url)).status
  expect(await (await answerFrom(folders, 'app://desk/index.html')).text()).toBe('<p>här')
  expect(await status('app://desk/')).toBe(200)
  expect(await (await answerFrom(folders, 'app://viewer/viewer.html')).text()).toBe('<p>vy')
  expect(await (await answerFrom(folders, 'app://thumbnails/viewer.html')).text()).toBe('<p>vy')
  expect(await status('app://else/viewer.html')).toBe(404)
  expect(await status('app://desk/viewer.html')).toBe(404)
  expect(await status('app://viewer/..%2frenderer/index.html')).toBe(404)
  for (const malformed of ['app://desk/%zz', 'app://desk/index%', 'app://desk/%ff.html', 'nothing'])
    expect(await status(malformed), malformed).toBe(400)
  const elsewhere = ['app://else/index.html', 'app://desk/..%2foutside.html', 'app://desk/index.html%00.html']
  for (const missing of [...elsewhere, 'app://desk/none.html', 'app://desk/index.json'])
    expect(await status(missing), missing).toBe(404)
})

test('what starts with the system is the program itself, whatever its path', async () => {
  using place = scratch()
  const odd = path.join(place.folder, 'a "b" `c` $HOME 100% \\d\tå')
  mkdirSync(odd)
  const program = path.join(odd, 'program')
  const said = path.join(place.folder, 'said')
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > ${said}\n`, { mode: 0o755 })
  const entry = autostartEntry([program, '--at=50%', '--hidden'])
  expect(entry).toContain('100%%')
  expect(entry).toContain('\\\\$HOME')
  const file = path.join(place.folder, 'lectern.desktop')
  writeFileSync(file, entry)
  // The desktop's own reader of such files, where there is one.
  if (spawnSync('gio', ['launch', file]).error) return
  await expect.poll(() => (existsSync(said) ? readFileSync(said, 'utf8') : '')).toBe('--at=50%\n--hidden\n')
})

const screens = [
  { x: 0, y: 0, width: 1920, height: 1080 },
  { x: 1920, y: 200, width: 1280, height: 800 },
]

test('a window opens where it was left, if one can still take hold of it there', () => {
  const left = { x: 2000, y: 300, width: 1000, height: 700 }
  expect(boundsToOpen(left, screens)).toEqual(left)
  expect(boundsToOpen({ ...left, x: -900 }, screens)).toEqual({ ...left, x: -900 })
  const lost = { width: 1000, height: 700 }
  expect(boundsToOpen(left, screens.slice(0, 1))).toEqual(lost)
  expect(boundsToOpen({ ...left, x: -950 }, screens)).toEqual(lost)
  expect(boundsToOpen({ ...left, y: -40 }, screens)).toEqual(lost)
  expect(boundsToOpen({ ...left, y: 1_070, x: 0 }, screens)).toEqual(lost)
  expect(boundsToOpen({ ...left, width: 5_000, x: 9_000 }, screens)).toEqual({ width: 1920, height: 700 })
  expect(boundsToOpen(undefined, screens)).toEqual({ width: 1440, height: 900 })
  expect(boundsToOpen(undefined, [{ x: 0, y: 0, width: 1024, height: 700 }])).toEqual({
    width: 1024,
    height: 700,
  })
})

test('what a window manager adds to a place is not added again at each start', () => {
  const asked = { x: 100, y: 100, width: 900, height: 700 }
  const placed = { x: 101, y: 128, width: 900, height: 700 }
  expect(boundsToKeep(placed, asked, placed)).toEqual(asked)
  expect(boundsToKeep({ ...placed, y: 228, width: 1000 }, asked, placed)).toEqual({
    ...asked,
    y: 200,
    width: 1000,
  })
  expect(boundsToKeep(placed, { width: 900, height: 700 }, placed)).toEqual(placed)
})

test('a place that is none leaves a window where it was', () => {
  const bounds = { x: 1, y: 2, width: 900, height: 700 }
  const placeOf = (place: unknown) => v.parse(WindowState, { ...bounds, place }).place
  expect(placeOf('packages/AIP-1')).toBe('packages/AIP-1')
  expect(['x'.repeat(3_000_000), 5, null].map(placeOf)).toEqual(['', '', ''])
})
