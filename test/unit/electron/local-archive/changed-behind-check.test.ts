import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { packageCopier } from '../../../../electron/local-archive/intake/copy-package.ts'
import { fingerprintOf } from '../../../../electron/local-archive/intake/fingerprint.ts'
import { strictCheck } from '../../../../electron/local-archive/strict-check.ts'
import { openReceived } from '../../../../electron/local-archive/unpack.ts'
import { scratch } from '../../../support/scratch.ts'
import { makeBag } from '../../../packages/bags.ts'
import { scripts } from '../../../packages/packing.ts'

const turnedRound = (file: string) => writeFileSync(file, readFileSync(file).reverse())

test.each([
  ['a file of the payload', 'data/å ä ö.txt'],
  ['a tag file', 'bag-info.txt'],
  ['the manifest', 'manifest-sha256.txt'],
])('of a bag in which %s became another one of the same length no copy is kept', async (_, name) => {
  using place = scratch()
  const bag = makeBag(path.join(place.folder, 'bag'), { 'External-Identifier': 'SE/1' })
  const medium = path.join(place.folder, 'target', 'medium')
  const copies = [{ medium: 'medium', file: path.join(medium, 'package.tar') }]
  const copy = packageCopier()
  const takeIn = async (change: () => void) => {
    const opened = await openReceived(bag, `${bag}.unpacked`, strictCheck(scripts.check), fingerprintOf)
    change()
    const { folder, checked, fingerprint } = opened
    return copy({
      folder,
      fingerprint,
      payloadPaths: checked.format.payloadPaths,
      counted: { files: checked.files, bytes: checked.bytes },
      name: 'package',
      copies,
      about: { identifier: 'SE/1', label: 'Bag', made: new Date('2026-11-27T02:00:00Z'), by: 'archivist' },
    })
  }
  await expect(takeIn(() => turnedRound(path.join(bag, name)))).rejects.toThrow(
    /changed after it was checked/,
  )
  expect(readdirSync(medium)).toEqual([])
  turnedRound(path.join(bag, name))
  await takeIn(() => undefined)
  expect(existsSync(copies[0]?.file ?? '')).toBe(true)
})
