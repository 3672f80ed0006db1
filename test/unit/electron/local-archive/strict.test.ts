import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { askPrograms, missingPrograms } from '../../../packages/container-programs.ts'
import {
  bagContents,
  paxHeader,
  tarEntriesOf,
  tarOf,
  zipEntriesOf,
  zipOf,
  type ZipEntry,
} from '../../../packages/crafted-containers.ts'
import { check } from '../../../packages/packing.ts'

// What other programs refuse or unpack differently is not taken in; what all of them unpack alike is.

const contents = bagContents({ 'data/a.txt': 'a'.repeat(300), 'data/m/b.txt': 'b' })
const sound = () => zipEntriesOf(contents)
/** The sound bag with data/a.txt made otherwise. */
const withThird = (change: Partial<ZipEntry>) =>
  zipOf(sound().map((entry, index) => (index === 2 ? { ...entry, ...change } : entry)))
const named = (raw: string | Buffer) =>
  zipOf(
    zipEntriesOf(bagContents({ 'data/å': 'x' })).map((entry, index) =>
      index === 2 ? { ...entry, name: raw, flags: 0 } : entry,
    ),
  )

const bad: Record<string, [content: Buffer, reason: RegExp]> = {
  'crc.zip': [withThird({ local: { crc: 1 }, central: { crc: 1 } }), /is damaged: unpacked/],
  'local-name.zip': [withThird({ local: { name: 'bag/data/b.txt' } }), /says different things of/],
  'local-length.zip': [withThird({ local: { bytes: 7 } }), /says different things of/],
  'hidden.zip': [zipOf([...sound(), { name: 'bag/data/c' }], { order: [0, 1, 2, 3] }), /belongs to no entry/],
  'between.zip': [withThird({ behind: Buffer.from('hidden') }), /belongs to no entry/],
  'overlap.zip': [zipOf([...sound(), { name: 'bag/c.txt', sameAs: 3 }]), /./],
  'inside.zip': [zipOf(zipEntriesOf(contents, '')), /packed from the inside/],
  'inside.tar': [tarOf(tarEntriesOf(contents, '')), /packed from the inside/],
  'twice.tar': [tarOf([...tarEntriesOf(contents), { name: 'bag/data/a.txt', content: 'x' }]), /Two entries/],
}
const good: Record<string, Buffer> = {
  'sound.zip': zipOf(sound()),
  'sound.tar': tarOf([paxHeader([['comment', 'x']]), ...tarEntriesOf(contents)]),
  'unmarked.zip': named('bag/data/å'),
  'code-page-437.zip': named(Buffer.from('bag/data/\x86', 'latin1')),
}

test('an archive file that other programs refuse is not taken in and stays as it is', async () => {
  using place = scratch()
  using source = scratch()
  const archive = await startArchive(place.folder)
  const everything = {
    ...Object.fromEntries(Object.entries(bad).map(([name, [bytes]]) => [name, bytes])),
    ...good,
  }
  for (const [name, bytes] of Object.entries(everything)) {
    const file = path.join(place.folder, 'ingest', `.${name}`)
    writeFileSync(file, bytes)
    renameSync(file, path.join(place.folder, 'ingest', name))
  }
  const messages = await until(async () => {
    const said = (await archive.get('notifications/?page_size=100')) as { message: string }[]
    return said.length >= Object.keys(everything).length ? said.map(({ message }) => message) : undefined
  })
  for (const name of Object.keys(good))
    expect(messages).toContainEqual(expect.stringMatching(`\\(${path.parse(name).name}\\) is now preserved$`))
  for (const [name, [bytes, reason]] of Object.entries(bad)) {
    const said = messages.find((message) => message.startsWith(`${name} was not accepted: `))
    expect(said, `${name}: ${messages.join('\n')}`).toMatch(reason)
    expect(readFileSync(path.join(place.folder, 'set-aside', name)).equals(bytes), name).toBe(true)
  }
  await archive.stop()

  if (missingPrograms().length > 0) return
  mkdirSync(path.join(source.folder, 'zip'))
  for (const [name, bytes] of Object.entries(everything))
    if (name.endsWith('.zip')) writeFileSync(path.join(source.folder, 'zip', name), bytes)
  const verdicts = askPrograms(path.join(source.folder, 'zip'), 'zip')
  for (const name of ['crc.zip', 'local-name.zip', 'local-length.zip', 'overlap.zip'])
    expect(verdicts.get(name)?.refusedBy, name).not.toEqual([])
  expect(verdicts.get('sound.zip')?.refusedBy).toEqual([])
})

const sums = (algorithm: string, payload: Record<string, string>) =>
  Object.entries(payload)
    .map(([name, content]) => `${createHash(algorithm).update(content).digest('hex')}  ${name}\n`)
    .join('')
const declaration = (encoding = 'UTF-8') => `BagIt-Version: 1.0\nTag-File-Character-Encoding: ${encoding}\n`
const payload = { 'data/a.txt': 'a', 'data/b.txt': 'bb' }
const separated = { 'data/a\u2028b.txt': 'a', 'data/\u2029.txt': 'b' }

/** Bags that a second, hastier reader would refuse; each is valid by RFC 8493. */
const unusual: Record<string, Record<string, Buffer | string>> = {
  'encoding in lower case': {
    'bagit.txt': declaration('utf-8'),
    'manifest-sha256.txt': sums('sha256', payload),
    ...payload,
  },
  'separators of lines and paragraphs': {
    'bagit.txt': declaration(),
    'manifest-sha256.txt': sums('sha256', separated),
    'bag-info.txt': 'External-Description: one\u2028two\u2029three\n',
    ...separated,
  },
  sha224: { 'bagit.txt': declaration(), 'manifest-sha224.txt': sums('sha224', payload), ...payload },
  'manifest in capitals': {
    'bagit.txt': declaration(),
    'MANIFEST-SHA256.TXT': sums('sha256', payload),
    ...payload,
  },
  'a value of two megabytes': {
    'bagit.txt': declaration(),
    'manifest-sha256.txt': sums('sha256', payload),
    'bag-info.txt': `Internal-Sender-Description: ${'x'.repeat(2_000_000)}\n`,
    ...payload,
  },
  'a tag manifest of some tag files': {
    'bagit.txt': declaration(),
    'manifest-sha256.txt': sums('sha256', payload),
    'tagmanifest-sha256.txt': sums('sha256', { 'manifest-sha256.txt': sums('sha256', payload) }),
    'bag-info.txt': 'Contact-Name: A\n',
    ...payload,
  },
  'everything to fetch is there': {
    'bagit.txt': declaration(),
    'manifest-sha256.txt': sums('sha256', payload),
    'fetch.txt': 'https://archive.example/a 1 data/a.txt\n',
    ...payload,
  },
  'names in ISO-8859-1': {
    'bagit.txt': declaration('ISO-8859-1'),
    'manifest-sha256.txt': Buffer.from(sums('sha256', { 'data/å\u0085.txt': 'a' }), 'latin1'),
    'data/å\u0085.txt': 'a',
  },
}

test('every bag that the checker calls valid is taken in, with what it says of itself', async () => {
  using place = scratch()
  const archive = await startArchive(place.folder)
  for (const [name, contents] of Object.entries(unusual)) {
    const bag = path.join(place.folder, name)
    for (const [file, content] of Object.entries(contents)) {
      mkdirSync(path.join(bag, path.dirname(file)), { recursive: true })
      writeFileSync(path.join(bag, file), content)
    }
    expect(await check(bag), name).toMatchObject({ state: 'valid' })
    renameSync(bag, path.join(place.folder, 'ingest', name))
  }
  const messages = await until(async () => {
    const said = (await archive.get('notifications/?page_size=100')) as { message: string }[]
    return said.length >= Object.keys(unusual).length ? said.map(({ message }) => message) : undefined
  })
  expect(messages.filter((message) => !message.endsWith('is now preserved'))).toEqual([])
  expect(messages).toContain('one\u2028two\u2029three (separators of lines and paragraphs) is now preserved')
  await archive.stop()
})
