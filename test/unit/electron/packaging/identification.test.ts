import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  identify,
  toolsHere,
  type Identified,
  type Tool,
} from '../../../../electron/packaging/identification/identify.ts'
import { scratch } from '../../../support/scratch.ts'
import { pack } from '../../../packages/packing.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const before = process.env['PATH']
afterEach(() => (process.env['PATH'] = before))

const makeFiles = (folder: string) => {
  const source = path.join(folder, 'källa')
  mkdirSync(source)
  const files = { 'a.png': png, 'b\n.txt': 'x', 'c.xml': '<?xml version="1.0"?><a/>', 'd.zzz': 'x', e: 'x' }
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(source, name), content)
  return { source, names: Object.keys(files).map((name) => path.join(source, name)) }
}
const askedOf = (file: string) => ({ file, bytes: statSync(file).size })
const all = async (tool: Tool, names: string[], folder: string) => {
  const found: Identified[] = []
  for await (const it of identify(tool, () => names.map(askedOf), path.join(folder, 'names.txt')))
    found.push(it)
  return found.map(({ puid, name, basis }) => [puid, name, basis].join('|'))
}

/**
 * A program of this name that reads a list of names as the real one does, and prints what the real one
 * prints.
 */
const install = (folder: string, name: string, script: string) => {
  const place = path.join(folder, 'bin')
  mkdirSync(place, { recursive: true })
  writeFileSync(
    path.join(place, name),
    `#!${process.execPath}
    const names = process.argv[process.argv.indexOf('${name === 'sf' ? '-f' : '-input'}') + 1]
    const list = require('fs').readFileSync(names, 'utf8').trim().split('\\n')
    ${script}`,
  )
  chmodSync(path.join(place, name), 0o755)
  process.env['PATH'] = `${place}${path.delimiter}${before ?? ''}`
}

test('without a tool, signatures are known to a library, and text by its ending alone', async () => {
  using place = scratch()
  const { names } = makeFiles(place.folder)
  process.env['PATH'] = place.folder
  expect(toolsHere()).toEqual(['built-in'])
  expect(await all('built-in', names, place.folder)).toEqual([
    '|PNG|signature',
    '|TXT|extension',
    '|XML|signature',
    '|ZZZ|extension',
    '||',
  ])
  const blank = path.join(place.folder, 'slut. ')
  writeFileSync(blank, 'x')
  expect(await all('built-in', [blank], place.folder)).toEqual(['||'])
})

test('a document is named as what it is, wherever in its ZIP stands what says so', async () => {
  using place = scratch()
  process.env['PATH'] = ''
  const letters = path.resolve(import.meta.dirname, '../../../../resources/sample/hamnkontoret/1/brev')
  const docx = path.join(letters, '1938-10-14, crane no. 3.docx')
  expect(await all('built-in', [docx], place.folder)).toEqual(['|DOCX|signature'])
})

test('FIDO: one line a match, with the number of the file; what it does not know it does not name', async () => {
  using place = scratch()
  const { names } = makeFiles(place.folder)
  // As fido 1.6.1 prints with these formats: two matches for one file, none for another.
  install(
    place.folder,
    'fido',
    `const print = (...fields) => console.log(fields.join('\\t'))
    list.forEach((file, index) => {
      if (/png$/.test(file)) {
        print(index + 1, 'fmt/11', 'Portable Network Graphics', 'image/png', 'signature')
        print(index + 1, 'fmt/12', 'Other', 'image/png', 'signature')
      }
      if (/xml$/.test(file)) print(index + 1, 'fmt/101', 'Extensible Markup Language', 'None', 'extension')
    })`,
  )
  expect(toolsHere()[0]).toBe('fido')
  expect(await all('fido', names, place.folder)).toEqual([
    'fmt/11|Portable Network Graphics|signature',
    '|TXT|extension',
    'fmt/101|Extensible Markup Language|extension',
    '||',
    '||',
  ])
})

test('siegfried: a table with a row a match', async () => {
  using place = scratch()
  const { source, names } = makeFiles(place.folder)
  install(
    place.folder,
    'sf',
    `const print = (...fields) => console.log(fields.join(','))
    print('filename,filesize,modified,errors,namespace,id,format,version,mime,class,basis,warning')
    for (const file of list)
      for (const id of /png$/.test(file) ? ['fmt/11', 'fmt/12'] : ['UNKNOWN']) {
        const format = id === 'UNKNOWN' ? '' : '"Portable Network Graphics, 1.0"'
        const match = ['', 'image/png', 'Image', '"byte match at 0, 8"', '']
        print('"' + file + '"', 1, '2026-01-01T00:00:00Z', '', 'pronom', id, format, ...match)
      }`,
  )
  expect(toolsHere()[0]).toBe('siegfried')
  const found = await all('siegfried', names, place.folder)
  expect(found[0]).toBe('fmt/11|Portable Network Graphics, 1.0|byte match at 0, 8')
  expect(found.map((item) => item.split('|')[0])).toEqual(['fmt/11', '', '', '', ''])
  const { formats } = await pack([source], path.join(place.folder, 'bag'), {}, { isIdentified: true })
  expect(formats).toMatchObject({
    tool: 'siegfried',
    formats: expect.arrayContaining([
      expect.objectContaining({ puid: 'fmt/11', files: 1, bytes: png.length }),
    ]) as unknown,
  })
  expect(readFileSync(path.join(place.folder, 'bag/metadata/formats.csv'), 'utf8')).toMatch(
    /^path,puid,format,mime,basis,tool\ndata\/källa\/a\.png,fmt\/11,/,
  )
})

test('what is empty has no format, whatever its name', async () => {
  using place = scratch()
  const { names } = makeFiles(place.folder)
  writeFileSync(names[0] ?? '', '')
  expect((await all('built-in', names, place.folder))[0]).toBe('||empty')
})

test('a tool that fails is said, and the next one is taken', async () => {
  using place = scratch()
  const { source } = makeFiles(place.folder)
  install(place.folder, 'sf', `console.log('filename,id\\n"' + list[0] + '",fmt/11'); process.exit(3)`)
  install(place.folder, 'fido', `console.log([9, 'fmt/11', 'Other file', 'None', 'signature'].join('\\t'))`)
  const { formats } = await pack([source], path.join(place.folder, 'bag'), {}, { isIdentified: true })
  expect(formats).toMatchObject({ tool: 'built-in', failed: ['siegfried', 'fido'] })
  const table = readFileSync(path.join(place.folder, 'bag/metadata/formats.csv'), 'utf8')
  expect(table).toContain('a.png,,PNG,image/png,signature,built-in')
  expect(table).not.toContain('fmt/11')
})
