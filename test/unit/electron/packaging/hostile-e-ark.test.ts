import { execFile } from 'node:child_process'
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PackageReport } from '../../../../electron/contract/findings.ts'
import { checkEArk } from '../../../../electron/packaging/e-ark/check/check.ts'
import { scratch } from '../../../support/scratch.ts'
import { eArkFiles, writeFolder } from '../../../packages/e-ark.ts'
import { scripts } from '../../../packages/packing.ts'

const script = path.resolve(import.meta.dirname, '../../../packages/check-apart.ts')
const most = 250
type Checked = PackageReport & { peakMB: number }

/** Checks in a process of its own; one that hangs is ended. */
const checkApart = async (folder: string): Promise<Checked> => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder, ''], {
    timeout: 180_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  // What the script prints is what a check gives.
  return JSON.parse(stdout) as Checked
}

const whole = eArkFiles()
const mets = String(whole['METS.xml'])
const [before = '', header = '', behind = ''] = mets.split(/(<metsHdr[\s\S]*<\/metsHdr>)/)

const writeParts = (file: string, parts: Iterable<string | Buffer>) => {
  const handle = openSync(file, 'w')
  for (const part of parts) writeSync(handle, Buffer.from(part))
  closeSync(handle)
}
const repeated = function* (first: string, text: string, times: number, last: string) {
  yield first
  const block = text.repeat(1_000)
  for (let count = 0; count < times; count += 1_000) yield block
  yield last
}

const agent = '<agent ROLE="CREATOR" TYPE="ORGANIZATION"><name>B</name></agent>'
const entities = Array.from({ length: 30 }, (_, index) => `<!ENTITY a${index + 1} "&a${index};&a${index};">`)
const laughs = `<?xml version="1.0"?><!DOCTYPE mets [<!ENTITY a0 "ha">${entities.join('')}`

describe('any METS is read within 250 MB, and is told what is wrong with it', () => {
  const shapes: [string, () => Iterable<string | Buffer>, string][] = [
    [
      'a million agents',
      () => repeated(before + header.replace('</metsHdr>', ''), agent, 1_000_000, `</metsHdr>${behind}`),
      'e-ark-rule',
    ],
    [
      'laughs',
      () => [`${laughs}]>`, mets.replace(/<\?xml.*\n/, '').replace('Protocols', '&a30;')],
      'xml-doctype',
    ],
    [
      'an entity of a file',
      () => [
        '<!DOCTYPE mets [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        mets.replace(/<\?xml.*\n/, '').replace('Town office', '&x;'),
      ],
      'xml-doctype',
    ],
    [
      'an entity of an address',
      () => ['<!DOCTYPE mets SYSTEM "http://127.0.0.1:9/mets.dtd">', mets.replace(/<\?xml.*\n/, '')],
      'xml-doctype',
    ],
    ['an entity that nobody made', () => [mets.replace('Town office', '&x;')], 'xml'],
    [
      'a declaration that does not end',
      () => repeated('<!DOCTYPE mets [', '<!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">', 1_000_000, ''),
      'xml-bounds',
    ],
    ['depth', () => repeated(before + header, '<dmdSec>', 1_000_000, ''), 'xml-bounds'],
    [
      'depth in what is foreign',
      () =>
        repeated(`${before}${header}<dmdSec ID="d"><mdWrap MDTYPE="OTHER"><xmlData>`, '<a>', 1_000_000, ''),
      'xml-bounds',
    ],
    [
      'a text that does not end',
      () => repeated(before + header.replace('Maker', 'Maker '), 'a'.repeat(60), 1_000_000, ''),
      'xml-bounds',
    ],
    [
      'a text without any tag',
      () => repeated('<mets xmlns="http://www.loc.gov/METS/">', 'a'.repeat(60), 1_000_000, ''),
      'xml-bounds',
    ],
    ['a text of another kind of XML', () => repeated('<mets>', 'a'.repeat(60), 1_000_000, ''), 'not-mets'],
    [
      'an attribute that does not end',
      () => repeated('<mets a="', 'a'.repeat(60), 1_000_000, ''),
      'xml-bounds',
    ],
    [
      'a million attributes',
      () => ['<mets', ...Array.from({ length: 400_000 }, (_, index) => ` a${index}=""`), '/>'],
      'xml-bounds',
    ],
    ['a comment that does not end', () => repeated('<!--', 'a'.repeat(60), 1_000_000, ''), 'xml-bounds'],
    ['sections that are none', () => repeated(before + header, '<thing/>', 1_000_000, behind), 'mets-schema'],
    [
      'files that are missing',
      () =>
        repeated(
          `${before}${header}<fileSec ID="f"><fileGrp ID="g" USE="Data">`,
          '<file ID="a"><FLocat LOCTYPE="URL" xlink:type="simple" xlink:href="data/none"/></file>',
          300_000,
          '</fileGrp></fileSec></mets>',
        ),
      'missing',
    ],
    ['zeros', () => [Buffer.alloc(1_000_000)], 'xml'],
    ['nothing', () => [''], 'xml'],
    [
      'bytes that are no text',
      () => [mets.slice(0, 300), Buffer.from([0xff, 0xfe, 0xc0]), mets.slice(300)],
      'xml',
    ],
    ['an encoding that nobody knows', () => [mets.replace('UTF-8', 'UTF-99')], 'xml'],
    ['an end that is missing', () => [mets.slice(0, -9)], 'xml'],
    ['tags that cross', () => [mets.replace('</amdSec>', '</dmdSec>')], 'xml'],
    ['an attribute twice', () => [mets.replace('LABEL="Protocols"', 'LABEL="a" LABEL="b"')], 'xml'],
    [
      'a prefix that nobody declared',
      () => [mets.replace('csip:OAISPACKAGETYPE', 'other:OAISPACKAGETYPE')],
      'xml',
    ],
    ['two roots', () => [mets, mets.replace(/<\?xml.*\n/, '')], 'xml'],
  ]
  test.each(shapes)('%s', async (_, parts, code) => {
    using place = scratch()
    const folder = writeFolder(path.join(place.folder, 'package-1'), whole)
    writeParts(path.join(folder, 'METS.xml'), parts())
    const { state, findings, peakMB } = await checkApart(folder)
    expect(state).toBe('invalid')
    expect(findings.map((finding) => finding.code)).toContain(code)
    expect(peakMB).toBeLessThan(most)
    const first = findings.find((finding) => finding.code === code)
    // What is no XML is told with its line.
    if (code.startsWith('xml')) expect(first?.line).toBeGreaterThan(0)
  })
})

test('a METS of many files is checked within 250 MB, and is right', async () => {
  using place = scratch()
  const names = Array.from({ length: 20_000 }, (_, index) => `${index}.txt`)
  const data = Object.fromEntries(names.map((name) => [name, name]))
  const folder = writeFolder(path.join(place.folder, 'package-1'), eArkFiles({ data }))
  const { state, counts, findings, peakMB } = await checkApart(folder)
  expect({ state, counts, findings }).toEqual({
    state: 'valid',
    counts: { files: 20_000, folders: 0, bytes: names.join('').length },
    findings: [],
  })
  expect(peakMB).toBeLessThan(most)
})

test('a million agents that break no rule are told, and a thousand of them are kept', async () => {
  using place = scratch()
  const folder = writeFolder(path.join(place.folder, 'package-1'), whole)
  const other = agent.replace('CREATOR', 'EDITOR')
  const [first, last] = [before + header.replace('</metsHdr>', ''), `</metsHdr>${behind}`]
  writeParts(path.join(folder, 'METS.xml'), repeated(first, other, 1_000_000, last))
  const { state, info, findings, peakMB } = await checkApart(folder)
  expect(state).toBe('valid')
  expect(findings.map(({ level, code, detail }) => [level, code, detail])).toEqual([
    ['warning', 'labels-left-out', '1000'],
  ])
  expect(info.length).toBeLessThan(1_100)
  expect(peakMB).toBeLessThan(most)
})

test('METS that name each other are read once each', async () => {
  using place = scratch()
  const pointer = (name: string) =>
    `<div ID="p" LABEL="x"><mptr LOCTYPE="URL" xlink:type="simple" xlink:href="${name}" ` +
    'xlink:title="rep"/></div>'
  const files = eArkFiles({
    representation: (text) =>
      text.replace(
        '</div></structMap>',
        `${pointer('../../METS.xml')}${pointer('METS.xml').replace('"p"', '"q"')}</div></structMap>`,
      ),
  })
  expect(await checkApart(writeFolder(path.join(place.folder, 'package-1'), files))).toMatchObject({
    errors: 2,
    findings: [{ detail: 'CSIP108: rep' }, { detail: 'CSIP108: rep' }],
  })
})

test('a METS in UTF-16 and one in ISO 8859-1 are read as they say', async () => {
  for (const [encoding, coded] of [
    ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['ISO-8859-1', (text: string) => Buffer.from(text, 'latin1')],
  ] as const) {
    using place = scratch()
    const text = mets.replace('UTF-8', encoding).replace('Town office', 'Förslagsmyndigheten')
    const folder = writeFolder(path.join(place.folder, 'package-1'), { ...whole, 'METS.xml': coded(text) })
    const report = await checkApart(folder)
    expect(report).toMatchObject({ state: 'valid', findings: [] })
    expect(report.info).toContainEqual(['CREATOR ORGANIZATION', 'Förslagsmyndigheten'])
  }
})

test('a METS that is changed anywhere never ends a check, nor makes it say nothing', async () => {
  using place = scratch()
  const folder = writeFolder(path.join(place.folder, 'package-1'), whole)
  const pieces = [
    '<',
    '>',
    '"',
    '&',
    '/',
    ' ',
    '<file ',
    '</mets>',
    '<!--',
    ']]>',
    '\0',
    'é',
    '\uFFFD',
    'ID="x" ',
    'xmlns=""',
    '../',
  ]
  const change = fc.record({
    at: fc.nat(mets.length),
    removed: fc.nat(40),
    put: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8 })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      let text = mets
      for (const { at, removed, put } of changes) text = text.slice(0, at) + put + text.slice(at + removed)
      writeFileSync(path.join(folder, 'METS.xml'), text)
      const report = await checkEArk(folder, {
        scripts: scripts.check,
        signal: new AbortController().signal,
      })
      expect(['valid', 'invalid']).toContain(report.state)
      expect(report.errors > 0).toBe(report.state === 'invalid')
      for (const { line } of report.findings) expect(line ?? 1).toBeGreaterThan(0)
    }),
    { numRuns: 60 },
  )
})
