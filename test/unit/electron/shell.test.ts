import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { linkIn, readLink } from '../../../electron/shell/links.ts'
import { answerFrom, frame, isPage, pageAt } from '../../../electron/shell/page-files.ts'
import { scratch } from '../../archive.ts'

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
  const folder = path.join(place.folder, 'renderer')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'index.html'), '<p>här')
  writeFileSync(path.join(place.folder, 'outside.html'), 'secret')
  const status = async (url: string) => (await answerFrom(folder, url)).status
  expect(await (await answerFrom(folder, 'app://desk/index.html')).text()).toBe('<p>här')
  expect(await status('app://desk/')).toBe(200)
  for (const malformed of ['app://desk/%zz', 'app://desk/index%', 'app://desk/%ff.html', 'nothing'])
    expect(await status(malformed), malformed).toBe(400)
  const elsewhere = ['app://else/index.html', 'app://desk/..%2foutside.html', 'app://desk/index.html%00.html']
  for (const missing of [...elsewhere, 'app://desk/none.html', 'app://desk/index.json'])
    expect(await status(missing), missing).toBe(404)
})
