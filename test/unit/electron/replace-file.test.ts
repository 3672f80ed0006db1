import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { replaceFile, replaceFileSync } from '../../../electron/replace-file.ts'
import { scratch } from '../../support/scratch.ts'

async function* parts(count: number, failing?: Error) {
  for (let index = 0; index < count; index += 1) yield Promise.resolve(`line ${index}\n`)
  if (failing) throw failing
}

test('text, bytes and what comes in parts take the place of a file, and nothing else stays', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'å'.repeat(100))
  await replaceFile(file, 'text')
  expect(readFileSync(file, 'utf8')).toBe('text')
  await replaceFile(file, Buffer.from([0xff, 0]))
  expect([...readFileSync(file)]).toEqual([0xff, 0])
  await replaceFile(file, ['a', 'ö'])
  expect(readFileSync(file, 'utf8')).toBe('aö')
  await replaceFile(file, parts(20_000))
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(20_001)
  replaceFileSync(file, 'at once')
  expect(readFileSync(file, 'utf8')).toBe('at once')
  expect(readdirSync(place.folder)).toEqual([path.basename(file)])
})

test('a name as long as names can be is no trouble, and what must be private is', async ({ skip }) => {
  if (process.platform === 'win32') skip()
  using place = scratch()
  const file = path.join(place.folder, 'n'.repeat(255))
  await replaceFile(file, 'text', 0o600)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('two writings of one file at the same time both succeed: one of them stands, whole', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'list.csv')
  const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000))
  await Promise.all(texts.map((text) => replaceFile(file, text)))
  expect(texts).toContain(readFileSync(file, 'utf8'))
  expect(readdirSync(place.folder)).toEqual(['list.csv'])
})

test('what breaks off leaves the file as it was', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'list.csv')
  writeFileSync(file, 'before')
  await expect(replaceFile(file, parts(20_000, new Error('broken')))).rejects.toThrow('broken')
  mkdirSync(path.join(place.folder, 'folder/in it'), { recursive: true })
  await expect(replaceFile(path.join(place.folder, 'folder'), 'text')).rejects.toThrow()
  expect(() => replaceFileSync(path.join(place.folder, 'folder'), 'text')).toThrow()
  expect(readFileSync(file, 'utf8')).toBe('before')
  expect(readdirSync(place.folder).sort()).toEqual(['folder', 'list.csv'])
})

test('no folder is made where there is none any more', async () => {
  using place = scratch()
  const gone = path.join(place.folder, 'drive')
  await expect(replaceFile(path.join(gone, 'list.csv'), 'text')).rejects.toMatchObject({ code: 'ENOENT' })
  expect(() => replaceFileSync(path.join(gone, 'list.csv'), 'text')).toThrow(/ENOENT/)
  expect(existsSync(gone)).toBe(false)
})

test('where there is room for a part only, the file stays as it was', ({ skip }) => {
  if (process.platform === 'win32') skip()
  using place = scratch()
  const module = pathToFileURL(path.join(import.meta.dirname, '../../../electron/replace-file.ts')).href
  const script = path.join(place.folder, 'writes.mjs')
  writeFileSync(
    script,
    `import { replaceFile, replaceFileSync } from '${module}'
     process.on('SIGXFSZ', () => undefined)
     const text = 'x'.repeat(50_000)
     for (const [file, replace] of [['parts', replaceFile], ['once', replaceFileSync]])
       try { await replace(file, text); console.log('whole') } catch (error) { console.log(error.code) }`,
  )
  for (const name of ['parts', 'once']) writeFileSync(path.join(place.folder, name), 'before')
  // The shell lets no file become longer than a few kilobytes.
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 8; exec "$0" "$1"', process.execPath, script], {
    cwd: place.folder,
    encoding: 'utf8',
  })
  expect(stdout.trim().split('\n')).toEqual(['EFBIG', 'EFBIG'])
  for (const name of ['parts', 'once'])
    expect(readFileSync(path.join(place.folder, name), 'utf8')).toBe('before')
  expect(readdirSync(place.folder).sort()).toEqual(['once', 'parts', 'writes.mjs'])
})
