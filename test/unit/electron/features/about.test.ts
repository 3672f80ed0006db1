import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { bundledLicences } from '../../../../electron/bundled-licences.ts'
import { about } from '../../../../electron/features/about.ts'
import { openBundled } from '../../../../electron/shell/bundled.ts'
import { scratch } from '../../../support/scratch.ts'

const root = path.resolve(import.meta.dirname, '../../../..')

test('a build says which packages are in it, with the whole of their licences, and no others', async () => {
  using place = scratch()
  const entry = path.join(place.folder, 'entry.ts')
  const modules = path.join(root, 'node_modules')
  writeFileSync(
    entry,
    `import { unmarked } from ${JSON.stringify(path.join(root, 'electron/common/fold.ts'))}\n` +
      `import { marked } from ${JSON.stringify(path.join(modules, 'marked/lib/marked.esm.js'))}\n` +
      `import mets from ${JSON.stringify(path.join(root, 'resources/mets-schema.json'))}\n` +
      `import { parse } from ${JSON.stringify(path.join(modules, 'valibot/dist/index.mjs'))}\n` +
      `console.log(unmarked(String(marked.lexer('a'))), mets.text)\nif (false) console.log(parse)\n`,
  )
  const built = await build({
    configFile: false,
    root: place.folder,
    logLevel: 'silent',
    plugins: [bundledLicences('licences.json', ['keytar'])],
    build: { write: false, rolldownOptions: { input: entry } },
  })
  const outputs = 'output' in built ? built.output : []
  const list = outputs.find(({ fileName }) => fileName === 'licences.json')
  const licences = JSON.parse(list?.type === 'asset' ? String(list.source) : '[]') as {
    name: string
    licence: string
    text: string
  }[]
  expect(licences.map(({ name }) => name)).toEqual(['keytar', 'marked', 'METS schema'])
  expect(licences[2]).toMatchObject({ version: '1.12', licence: 'CC0-1.0' })
  expect(licences[1]?.licence).toBe('MIT')
  expect(licences[1]?.text).toContain('Permission is hereby granted')
})

test('what is in several parts of the program stands once', async () => {
  const one = { name: 'one', version: '1.0.0', licence: 'MIT', text: '…' }
  const later = { ...one, version: '2.0.0' }
  const another = { ...one, name: 'another' }
  const { read } = about({
    versions: { version: '0.1.0', electron: '45', chromium: '152', node: '24' },
    licence: openBundled(root).licence,
    bundled: () => Promise.resolve([[one, later], [one, another], []]),
  })
  const { licences, licence, version } = await read(undefined)
  expect(licences.map(({ name, version: of }) => `${name} ${of}`)).toEqual([
    'another 1.0.0',
    'one 1.0.0',
    'one 2.0.0',
  ])
  expect(licence).toMatch(/MIT License/)
  expect(version).toBe('0.1.0')
})
