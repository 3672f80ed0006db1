import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { scratch } from '../../../support/scratch.ts'
import { check, pack, scripts } from '../../../packages/packing.ts'

/** A folder with a source, and a script that ends at once, as a thread does that is cut off. */
const prepare = () => {
  const place = scratch()
  const source = path.join(place.folder, 'källa')
  mkdirSync(source)
  writeFileSync(path.join(source, 'brev.txt'), 'Ett brev')
  writeFileSync(path.join(source, 'bild.tif'), Buffer.alloc(3_000_000, 1))
  // A manifest of more than 64 KB, which is checked by threads.
  for (let page = 0; page < 400; page += 1)
    writeFileSync(path.join(source, `${'sida '.repeat(30)}${page}`), '')
  const script = path.join(place.folder, 'silent.mjs')
  writeFileSync(script, 'process.exit(0)\n')
  return { ...place, source, bag: path.join(place.folder, 'bag'), silent: pathToFileURL(script) }
}

test.each(['checker', 'worker'] as const)(
  'a thread that checks and dies (%s) says nothing of the package, which is checked when somebody asks again',
  async (which) => {
    using place = prepare()
    await pack([place.source], place.bag)
    const dying = { ...scripts.check, [which]: place.silent }
    await expect(check(place.bag, { scripts: dying })).rejects.toThrow('ended without a word')
    expect((await check(place.bag)).state).toBe('valid')
  },
)

test.each(['coordinator', 'worker'] as const)(
  'a thread that packs and dies (%s) leaves no package, which is packed when somebody asks again',
  async (which) => {
    using place = prepare()
    const dying = { ...scripts.pack, [which]: place.silent }
    await expect(pack([place.source], place.bag, {}, { scripts: dying })).rejects.toThrow(
      'ended without a word',
    )
    expect(existsSync(place.bag)).toBe(false)
    expect((await pack([place.source], place.bag)).counts.files).toBe(402)
    expect((await check(place.bag)).state).toBe('valid')
  },
)
