import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { entriesOf } from '../../../../electron/packaging/entries/entries.ts'
import { missingPrograms } from '../../../packages/container-programs.ts'
import { pack } from '../../../packages/packing.ts'
import { scratch } from '../../../support/scratch.ts'

// MS-DOS keeps the time of a clock on the wall, which says nothing without its place.
const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

const summer = Date.parse('2024-07-01T12:00:00Z')
const missing = missingPrograms()
const inStockholm = (command: string, ...given: string[]) =>
  execFileSync('sh', ['-c', command, 'sh', ...given], {
    env: { ...process.env, TZ: 'Europe/Stockholm' },
    stdio: 'pipe',
  })
const dated = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'brev.txt')
  writeFileSync(file, 'Ett brev')
  utimesSync(file, new Date(summer), new Date(summer))
  return file
}

test.skipIf(missing.length > 0).each([
  ['unzip', 'unzip -q "$1" -d "$2"'],
  ['7z', '7z x -y -o"$2" "$1"'],
  ['bsdtar', 'mkdir "$2" && bsdtar -C "$2" -xf "$1"'],
])('%s gives a file of a zip the time that its original has, wherever it is', async (_name, command) => {
  using place = scratch()
  dated(path.join(place.folder, 'source'))
  const zip = path.join(place.folder, 'bag.zip')
  await pack([path.join(place.folder, 'source')], zip, { form: 'zip' })
  const out = path.join(place.folder, 'out')
  inStockholm(command, zip, out)
  expect(statSync(path.join(out, 'bag/data/source/brev.txt')).mtimeMs).toBe(summer)
})

test.skipIf(missing.length > 0).each([
  ['zip', 'cd "$2" && zip -q "$1" brev.txt'],
  ['7z', 'cd "$2" && 7z a -tzip "$1" brev.txt'],
  ['7z for Windows', 'cd "$2" && 7z a -tzip -mtc=on "$1" brev.txt'],
  ['bsdtar', 'bsdtar -C "$2" --format zip -cf "$1" brev.txt'],
])('a file in a zip that %s made elsewhere has the time of its original', (_name, command) => {
  using place = scratch()
  const source = path.join(place.folder, 'source')
  dated(source)
  const zip = path.join(place.folder, 'other.zip')
  inStockholm(command, zip, source)
  process.env['TZ'] = 'America/New_York'
  expect([...entriesOf(zip, 'zip')].map(({ modifiedMs }) => modifiedMs)).toEqual([summer])
})
