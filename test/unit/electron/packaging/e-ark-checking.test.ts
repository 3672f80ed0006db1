import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import type { CheckOptions } from '../../../../electron/packaging/format.ts'
import { findingCodes, type Finding } from '../../../../electron/contract/findings.ts'
import { ruleText } from '../../../../electron/language/e-ark-rules.ts'
import { findingSentence } from '../../../../electron/language/findings.ts'
import { digestInMets } from '../../../../electron/packaging/e-ark/digest-in-mets.ts'
import { checkEArk } from '../../../../electron/packaging/e-ark/check/check.ts'
import { targetOf } from '../../../../electron/packaging/e-ark/check/references.ts'
import { levelOf, rules } from '../../../../electron/packaging/e-ark/check/rules.ts'
import { checkPackage, troubleOfFormat } from '../../../../electron/packaging/formats.ts'
import { scratch } from '../../../support/scratch.ts'
import { brokenPackages } from '../../../packages/e-ark-broken.ts'
import { contentOf, eArkFiles, writeFolder, type PackageFiles } from '../../../packages/e-ark.ts'
import { pack, scripts } from '../../../packages/packing.ts'

const check = (file: string, options: Partial<CheckOptions> = {}) =>
  checkEArk(file, { scripts: scripts.check, signal: new AbortController().signal, ...options })

/** Checks files as a package in a folder of that name. */
const checkFiles = async (files: PackageFiles, name = 'package-1') => {
  using place = scratch()
  return await check(writeFolder(path.join(place.folder, name), files))
}

const rulesIn = (findings: Finding[]) =>
  findings.flatMap(({ code, detail }) => (code === 'e-ark-rule' ? [detail.split(':')[0]] : []))

/** What was found but for rules, in short. */
const found = (findings: Finding[]) =>
  findings.flatMap(({ code, detail }) => (code === 'e-ark-rule' ? [] : [`${code} ${detail}`.trim()]))

const root = (part: string | RegExp, by: string) =>
  eArkFiles({ root: (mets) => mets.replace(part, () => by) })
const representation = (part: string | RegExp, by: string) =>
  eArkFiles({ representation: (mets) => mets.replace(part, () => by) })

const locator = (href: string) => `<FLocat LOCTYPE="URL" xlink:type="simple" xlink:href="${href}"/>`

test.each([
  [
    'Dublin Core',
    '<simpledc xmlns="http://purl.org/dc/elements/1.1/"><title>Protocols</title><title>Protokoll</title>' +
      '<description>Om <![CDATA[<hamnen>]]>\n &amp; staden</description>' +
      '<identifier>H/1</identifier></simpledc>',
    [
      ['dc:title', 'Protokoll'],
      ['dc:description', 'Om <hamnen> & staden'],
      ['dc:identifier', 'H/1'],
    ],
  ],
  [
    'EAD3',
    '<ead xmlns="http://ead3.archivists.org/schema/"><control><recordid>no</recordid></control>' +
      '<archdesc level="fonds"><did><unittitle>Hamn<emph>styrelsens</emph></unittitle>' +
      '<unitid>SE/LA/1</unitid></did>' +
      '<constructor>x</constructor><scopecontent><head>Innehåll</head><p>Kort</p><p>text</p></scopecontent>' +
      '<dsc><c><did><unittitle>En volym</unittitle><unitdate>1920</unitdate></did></c></dsc>' +
      '</archdesc></ead>',
    [
      ['dc:title', 'Hamnstyrelsens'],
      ['dc:identifier', 'SE/LA/1'],
      ['dc:description', 'Kort text'],
    ],
  ],
  [
    'MODS',
    '<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo type="alternative"><title>Nej</title></titleInfo>' +
      '<subject><name><namePart>Om Hans</namePart></name></subject><constructor>x</constructor>' +
      '<titleInfo><title>Kartor</title></titleInfo>' +
      '<relatedItem><titleInfo><title>En annan</title></titleInfo><abstract>Nej</abstract></relatedItem>' +
      '<name><namePart type="date">1900</namePart><namePart>Eva Ek</namePart></name></mods>',
    [
      ['dc:title', 'Kartor'],
      ['dc:creator', 'Eva Ek'],
    ],
  ],
  ['a form of another kind', '<record><title>Nej</title></record>', []],
  ['a text with entities', '<!DOCTYPE dc [<!ENTITY a SYSTEM "file:///etc/passwd">]><dc>&a;</dc>', []],
])('what a package says of itself in %s is told', async (_kind, descriptive, labels) => {
  const { state, info } = await checkFiles(eArkFiles({ descriptive }))
  expect(state).toBe('valid')
  expect(info.filter(([label]) => label.startsWith('dc:'))).toEqual(labels)
})

describe('rules', () => {
  test.each(['2.2.0', '2.1.0'] as const)(
    'a package of version %s that breaks none is valid',
    async (version) => {
      const report = await checkFiles(eArkFiles({ version }))
      expect(report).toMatchObject({
        state: 'valid',
        format: 'e-ark-sip',
        version,
        form: 'folder',
        errors: 0,
        warnings: 0,
        findings: [],
        counts: { files: 2, folders: 1, bytes: 2 },
        algorithms: ['sha256'],
      })
      expect(report.info).toContainEqual(['SUBMISSIONAGREEMENT', 'SA-7'])
    },
  )

  test.each(brokenPackages)('a package that breaks %s', async (rule, files) => {
    const { findings, state } = await checkFiles(files())
    expect(rulesIn(findings)).toContain(rule)
    const level = levelOf(rule, '2.2.0')
    if (level === 'error') expect(state).toBe('invalid')
    expect(findings.find(({ detail }) => detail.split(':')[0] === rule)).toMatchObject({ level })
  })

  test('each is broken above, and says in both languages what it wants', () => {
    const broken = new Set<string>(brokenPackages.map(([rule]) => rule))
    // A folder has no other place beside it.
    expect(Object.keys(rules).filter((rule) => !broken.has(rule))).toEqual(['CSIPSTR1'])
    for (const language of ['en', 'sv'] as const)
      expect(Object.keys(rules).filter((rule) => ruleText(rule, language) === '')).toEqual([])
    const sentence = findingSentence({ code: 'e-ark-rule', detail: 'CSIP69: x' }, 'en')
    expect(sentence).toBe('CSIP69 is not met. The rule: file/@SIZE is the size in bytes. Here: “x”.')
  })

  test('each has its line in the table of the room, with its level', () => {
    const readme = readFileSync(
      path.resolve(import.meta.dirname, '../../../../electron/packaging/README.md'),
      'utf8',
    )
    const lines = [...readme.matchAll(/^\| (C?SIP\w*\d+) +\| (MUST|SHOULD)/gm)].map(([, rule, level]) => [
      rule,
      level,
    ])
    const wanted = Object.entries(rules).map(([rule, { level }]) => [
      rule,
      level === 'error' ? 'MUST' : 'SHOULD',
    ])
    expect(lines).toEqual(wanted)
  })

  test('those that became softer are as strict as they were in the version that a package follows', async () => {
    const files = eArkFiles({
      version: '2.1.0',
      root: (mets) => mets.replace('<fptr FILEID="schemas"/>', ''),
    })
    expect(await checkFiles(files)).toMatchObject({ state: 'invalid', findings: [{ level: 'error' }] })
  })

  test('a rule that every file breaks is counted, and hides no other', async () => {
    const data = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}.txt`, 'a']))
    const { findings, more } = await checkFiles(
      eArkFiles({
        data,
        representation: (mets) => mets.replaceAll('MIMETYPE="text/plain"', '').replace('LABEL="CSIP"', ''),
      }),
    )
    expect(rulesIn(findings).filter((rule) => rule === 'CSIP68')).toHaveLength(20)
    expect(rulesIn(findings)).toContain('CSIP82')
    expect(more).toEqual([{ level: 'error', code: 'e-ark-rule', count: 30 }])
  })
})

describe('files', () => {
  const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')
  const sum = sha256('a')
  const digestOfData = /CHECKSUM="[^"]*" CHECKSUMTYPE="SHA-256"(?=><FLocat)/
  const cases: [string, PackageFiles, string[]][] = [
    [
      'another content of the same size',
      eArkFiles({ files: (all) => ({ ...all, 'representations/rep1/data/a.txt': 'x' }) }),
      [`mismatch representations/rep1/data/a.txt: ${sum} ≠ ${sha256('x')}`],
    ],
    [
      'another size',
      eArkFiles({ files: (all) => ({ ...all, 'documentation/about.txt': 'More' }) }),
      ['size documentation/about.txt: 5 ≠ 4', expect.stringMatching(/^mismatch documentation/) as string],
    ],
    [
      'a file that is not there',
      eArkFiles({
        files: ({ 'representations/rep1/data/a.txt': _, ...others }) => others,
      }),
      ['missing representations/rep1/data/a.txt'],
    ],
    [
      'a file that no METS describes',
      eArkFiles({ files: (all) => ({ ...all, 'representations/rep1/data/more.txt': '' }) }),
      ['unlisted representations/rep1/data/more.txt'],
    ],
    [
      'a file that is described twice',
      representation(
        /<file ID="file-0".*\n/,
        ['x', 'y'].map((id) => `<file ID="${id}" ${contentOf('a')}>${locator('data/a.txt')}</file>`).join(''),
      ),
      ['listed-twice representations/rep1/data/a.txt'],
    ],
    [
      'a digest of a kind that is not summed',
      representation(
        /CHECKSUM="[^"]*" CHECKSUMTYPE="SHA-256"(?=><FLocat)/,
        'CHECKSUM="1" CHECKSUMTYPE="HAVAL"',
      ),
      ['unknown-algorithm HAVAL: representations/rep1/data/a.txt'],
    ],
    ...[
      ['CRC32', 'E8B7BE43'],
      ['Adler-32', '620062'],
    ].flatMap(([type = '', sum = '']): [string, PackageFiles, string[]][] => [
      [
        `the right ${type} of a file`,
        representation(digestOfData, `CHECKSUM="${sum}" CHECKSUMTYPE="${type}"`),
        [],
      ],
      [
        `a wrong ${type} of a file`,
        representation(digestOfData, `CHECKSUM="0" CHECKSUMTYPE="${type}"`),
        [`mismatch representations/rep1/data/a.txt: 00000000 ≠ ${sum.toLowerCase().padStart(8, '0')}`],
      ],
    ]),
    [
      'a folder',
      root('xlink:href="schemas/own.xsd"', 'xlink:href="schemas"'),
      ['lists-folder schemas', 'unlisted schemas/own.xsd'],
    ],
    [
      'blanks as forms encode them',
      representation('%C3%A5%20b', '%C3%A5+b'),
      ['other-spelling data/folder/%C3%A5+b%25.txt → representations/rep1/data/folder/å b%.txt'],
    ],
    ['a path with "file:" before it', root('xlink:href="schemas', 'xlink:href="file:///schemas'), []],
    ['a path through another folder', representation('href="data/a', 'href="../rep1/./data/a'), []],
  ]
  test.each(cases)('%s', async (_, files, expected) => {
    const { findings } = await checkFiles(files)
    expect(found(findings)).toEqual(expected)
  })

  test.each([
    ['CRC32', '07ee6e4a'],
    ['Adler-32', '6895a655'],
  ])('the %s of a file that is read in parts', async (type, value) => {
    const files = eArkFiles({
      data: { 'large.bin': Buffer.alloc(3_000_001, 0xff) },
      representation: (mets) => mets.replace(digestOfData, `CHECKSUM="${value}" CHECKSUMTYPE="${type}"`),
    })
    expect(await checkFiles(files)).toMatchObject({ state: 'valid', warnings: 0 })
  })

  test('what leads elsewhere is refused, and never followed', () => {
    const folder = 'representations/rep1'
    for (const href of [
      '/etc/passwd',
      '../../../etc/passwd',
      'C:\\a',
      'C:/a',
      '\\\\server\\a',
      '%2e%2e/../../../a',
      '../../../..',
      'a\0b',
      'file:///../../../a',
      'file:C:/a',
    ])
      expect({ href, ...targetOf(href, folder) }).toEqual({ href, refused: 'escapes' })
    for (const href of [
      'http://example.org/a',
      'HTTPS://example.org/a',
      'file://server/a',
      'ftp:a',
      'urn:a:b',
      'javascript:a',
    ])
      expect({ href, ...targetOf(href, folder) }).toEqual({ href, refused: 'external' })
    expect(targetOf('../../schemas/a.xsd', folder)).toMatchObject({ path: 'schemas/a.xsd' })
  })

  test.each([
    ['escapes', '../../../outside.txt'],
    ['escapes', '/etc/passwd'],
    ['external', 'http://127.0.0.1:9/a.txt'],
    ['external', 'file://server/share/a.txt'],
    ['missing', 'file:///etc/passwd'],
  ])('%s: %s', async (code, href) => {
    using place = scratch()
    writeFileSync(path.join(place.folder, 'outside.txt'), 'a')
    const files = representation('href="data/a.txt"', `href="${href}"`)
    const { state, findings } = await check(writeFolder(path.join(place.folder, 'package-1'), files))
    expect(state).toBe('invalid')
    expect(findings.map((finding) => finding.code)).toContain(code)
  })

  test.runIf(process.platform !== 'win32')('a link is no file, and is not followed', async () => {
    using place = scratch()
    const files = eArkFiles({ files: ({ 'representations/rep1/data/a.txt': _, ...others }) => others })
    const folder = writeFolder(path.join(place.folder, 'package-1'), files)
    writeFileSync(path.join(place.folder, 'a.txt'), 'a')
    symlinkSync(path.join(place.folder, 'a.txt'), path.join(folder, 'representations/rep1/data/a.txt'))
    expect(found((await check(folder)).findings)).toContain('link representations/rep1/data/a.txt')
  })

  test.runIf(process.platform !== 'win32' && os.userInfo().uid !== 0)(
    'what may not be read is no verdict',
    async () => {
      using place = scratch()
      const folder = writeFolder(path.join(place.folder, 'package-1'), eArkFiles())
      chmodSync(path.join(folder, 'representations/rep1/data/a.txt'), 0)
      expect(await check(folder)).toMatchObject({ state: 'unreadable', findings: [{ code: 'unreadable' }] })
    },
  )

  test('weak digests are told, and each file is summed once', async () => {
    const md5 = (content: string) => createHash('md5').update(content).digest('hex')
    const file = (id: string, digest: string) =>
      `<file ID="${id}" CHECKSUM="${digest}" CHECKSUMTYPE="MD5"><FLocat LOCTYPE="URL" ` +
      'xlink:href="content/a"/></file>'
    const files = {
      'mets.xml':
        '<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" OBJID="x">' +
        `<fileSec><fileGrp>${file('a', md5('a').toUpperCase())}${file('b', md5('x'))}</fileGrp></fileSec>` +
        '<structMap><div/></structMap></mets>',
      'content/a': 'a',
    }
    const { findings, algorithms } = await checkFiles(files)
    expect(algorithms).toEqual(['md5'])
    expect(found(findings)).toEqual([
      'other-profile',
      'listed-twice content/a',
      'weak-algorithm md5',
      `mismatch content/a: ${md5('x')} ≠ ${md5('a')}`,
    ])
  })
})

describe('forms', () => {
  const tar = (folder: string, file: string, ...names: string[]) => {
    execFileSync('tar', ['-cf', file, '-C', folder, ...names])
  }
  const zip = async (folder: string, file: string, name: string) => {
    const written = new ZipFile()
    for (const entry of readdirSync(path.join(folder, name), { recursive: true, withFileTypes: true })) {
      const source = path.join(entry.parentPath, entry.name)
      const inZip = path.relative(folder, source)
      if (entry.isFile()) written.addFile(source, inZip)
      else written.addEmptyDirectory(inZip)
    }
    written.end()
    await pipeline(written.outputStream, createWriteStream(file))
  }

  test.each(['tar', 'zip'] as const)('a %s is checked as it is, and a changed one is found', async (form) => {
    using place = scratch()
    writeFolder(path.join(place.folder, 'package-1'), eArkFiles())
    const write = { tar, zip }[form]
    const file = path.join(place.folder, `package-1.${form}`)
    await write(place.folder, file, 'package-1')
    expect(await check(file)).toMatchObject({
      state: 'valid',
      form,
      version: '2.2.0',
      counts: { files: 2, folders: 1, bytes: 2 },
      findings: [],
    })
    writeFileSync(path.join(place.folder, 'package-1/representations/rep1/data/a.txt'), 'x')
    const other = path.join(place.folder, `other.${form}`)
    await write(place.folder, other, 'package-1')
    expect(found((await check(other)).findings)).toEqual([expect.stringMatching(/^mismatch/)])
  })

  test('an archive without a folder of its own, and one with more beside it, break CSIPSTR1', async () => {
    using place = scratch()
    const folder = writeFolder(path.join(place.folder, 'package-1'), eArkFiles())
    writeFileSync(path.join(place.folder, 'beside.txt'), '')
    const [bare, more] = ['bare.tar', 'more.tar'].map((name) => path.join(place.folder, name))
    tar(folder, bare ?? '', ...['METS.xml', ...readdirSync(folder).filter((name) => name !== 'METS.xml')])
    tar(place.folder, more ?? '', 'package-1', 'beside.txt')
    expect(rulesIn((await check(bare ?? '')).findings)).toContain('CSIPSTR1')
    const { state, findings } = await check(more ?? '')
    expect(state).toBe('invalid')
    expect(rulesIn(findings)).toContain('CSIPSTR1')
  })
})

describe('what a package follows', () => {
  const mets = (profile: string, name = 'mets') =>
    `<m:${name} xmlns:m="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" OBJID="UUID:x"` +
    `${profile === '' ? '' : ` PROFILE="${profile}"`}><m:fileSec><m:fileGrp><m:file ID="a" SIZE="1" ` +
    `CHECKSUM="${createHash('sha256').update('a').digest('hex')}" CHECKSUMTYPE="SHA-256">` +
    '<m:FLocat LOCTYPE="URL" xlink:type="simple" xlink:href="file:///content/a"/></m:file></m:fileGrp>' +
    `</m:fileSec><m:structMap><m:div/></m:structMap></m:${name}>`
  const fgs = 'http://xml.ra.se/e-arkiv/METS/version12/CommonSpecificationSwedenPackageProfile.xml'

  test('an information package of ESSArch is checked as far as its METS says', async () => {
    const files = { 'mets.xml': mets('http://example.org/profile.xml'), 'content/a': 'a' }
    expect(await checkFiles(files)).toMatchObject({
      state: 'valid',
      format: 'mets',
      version: '',
      counts: { files: 1, bytes: 1 },
      findings: [{ level: 'warning', code: 'other-profile', detail: 'http://example.org/profile.xml' }],
    })
    expect(await checkFiles({ ...files, 'content/a': 'x', 'content/b': '' })).toMatchObject({
      state: 'invalid',
      errors: 1,
      warnings: 2,
    })
    const within = { ...files, 'mets.xml': files['mets.xml'].replace('file:///content/a', 'a') }
    expect(found((await checkFiles(within)).findings)).toContain('other-spelling a → content/a')
  })

  test.each(['sip.xml', 'mets.xml', 'info.xml'])('FGS 1 is known by its profile (%s)', async (name) => {
    const report = await checkFiles({ [name]: mets(fgs), 'content/a': 'a' })
    expect(report).toMatchObject({ state: 'valid', format: 'fgs-1', findings: [{ code: 'fgs-1' }] })
    expect(troubleOfFormat(report)).toMatchObject({ code: 'only-checked', detail: 'fgs-1' })
  })

  test.each([
    ['E-ARK-SIP.xml', '2.0.4'],
    ['E-ARK-SIP-v2-3-0.xml', '2.3.0'],
  ])('%s is told to be of version %s, and checked by what is known', async (name, version) => {
    const report = await checkFiles(root('E-ARK-SIP-v2-2-0.xml', name))
    expect(report).toMatchObject({ format: 'e-ark-sip', version })
    expect(found(report.findings)).toEqual([`e-ark-version ${version}`])
  })

  test('an AIP of E-ARK is checked by the rules of CSIP alone', async () => {
    const files = eArkFiles({
      root: (text) =>
        text
          .replace('earksip.dilcis.eu/profile/E-ARK-SIP', 'earkaip.dilcis.eu/profile/E-ARK-AIP')
          .replace('PACKAGETYPE="SIP"', 'PACKAGETYPE="AIP"'),
    })
    expect(await checkFiles(files)).toMatchObject({ state: 'valid', format: 'e-ark-csip', findings: [] })
  })

  test('mets.xml is not the name that E-ARK has', async () => {
    const { findings } = await checkFiles(
      eArkFiles({ files: ({ 'METS.xml': text = '', ...others }) => ({ ...others, 'mets.xml': text }) }),
    )
    expect(rulesIn(findings)).toEqual(['CSIPSTR4'])
  })

  test.each([
    ['of CSIP', root('xmlns:csip="https://DILCIS', 'xmlns:csip="https://dilcis')],
    ['of XLink', root('xmlns:xlink="http://www.w3.org/1999/xlink"', 'xmlns:xlink="http://www.w3.org/xlink"')],
  ])('a wrong namespace %s is found', async (_, files) => {
    const { state, findings } = await checkFiles(files)
    expect(state).toBe('invalid')
    expect(findings.map(({ code }) => code)).toEqual(expect.arrayContaining(['e-ark-rule']))
    const isSaid = ({ code, detail }: Finding) => code === 'mets-schema' || detail.startsWith('CSIP79')
    expect(findings.some(isSaid)).toBe(true)
  })

  test('a folder without METS, a file and another XML are no package', async () => {
    using place = scratch()
    for (const files of [{ 'a.txt': 'a' }, { 'info.xml': '<info/>' }])
      expect(await checkFiles(files)).toMatchObject({ state: 'not-a-package' })
    writeFileSync(path.join(place.folder, 'METS.xml'), mets(''))
    expect(await check(path.join(place.folder, 'METS.xml'))).toMatchObject({ state: 'not-a-package' })
  })

  test('a bag is checked as a bag though a METS lies in it, and else the METS is asked', async () => {
    using place = scratch()
    const options = { scripts: scripts.check, signal: new AbortController().signal }
    const folder = writeFolder(path.join(place.folder, 'package-1'), eArkFiles())
    await pack([folder], path.join(place.folder, 'bag'))
    expect(await checkPackage(path.join(place.folder, 'bag'), options)).toMatchObject({ format: 'bagit' })
    expect(await checkPackage(folder, options)).toMatchObject({ format: 'e-ark-sip', state: 'valid' })
    mkdirSync(path.join(place.folder, 'none'))
    expect(await checkPackage(path.join(place.folder, 'none'), options)).toMatchObject({
      state: 'not-a-package',
    })
  })
})

test('a check says how far it is, and stops when it is told to', async () => {
  using place = scratch()
  const folder = writeFolder(path.join(place.folder, 'package-1'), eArkFiles())
  const totals: { files: number; bytes: number }[] = []
  await check(folder, { onTotal: (total) => totals.push(total) })
  expect(totals).toMatchObject([{ files: 10 }])
  const stop = new AbortController()
  const stopped = check(folder, { signal: stop.signal, onControl: () => stop.abort() })
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
  await expect(check(folder, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
})

test('a file that a section without rules names is described, and its digest compared', async () => {
  const section = `<techMD ID="t"><mdRef MDTYPE="NISOIMG" ${contentOf('<mix/>', 'text/xml')} LOCTYPE="URL"
    xlink:type="simple" xlink:href="metadata/preservation/mix.xml"/></techMD>`
  const files = root('<digiprovMD', `${section}<digiprovMD`)
  const mix = 'metadata/preservation/mix.xml'
  const whole = await checkFiles({ ...files, [mix]: '<mix/>' })
  expect(found(whole.findings)).toEqual([])
  const altered = await checkFiles({ ...files, [mix]: '<mox/>' })
  expect(found(altered.findings)).toEqual([expect.stringMatching(/^mismatch metadata/)])
})

test.each(['constructor', 'toString', 'html'])(
  'a METS whose root is <%s> says that it is none',
  async (name) => {
    const { state, findings } = await checkFiles({ 'METS.xml': `<${name} ID="a"><agent/></${name}>` })
    expect([state, found(findings)]).toEqual(['invalid', [`not-mets {}${name}`]])
  },
)

test('of a METS of another namespace is said that it is none, and nothing of what it was not read for', async () => {
  const other = 'http://www.loc.gov/METS/v2'
  const { state, findings } = await checkFiles(root('http://www.loc.gov/METS/', other))
  expect([state, found(findings)]).toEqual(['invalid', [`not-mets {${other}}mets`]])
})

test('what is listed and what is there are told apart by words, and a parser speaks Swedish', () => {
  const inSwedish = (code: Finding['code'], detail: string) => findingSentence({ code, detail }, 'sv')
  expect(findingSentence({ code: 'oxum', detail: '1.1 ≠ 17.2' }, 'en')).toBe(
    'Payload-Oxum does not agree with what is there. Listed: 1 byte, 1 file. Found: 17 bytes, 2 files.',
  )
  expect(inSwedish('oxum', '1.1 ≠ 17.2')).toMatch(/ Angivet: 1 byte, 1 fil\. Funnet: 17 byte, 2 filer\.$/)
  expect(inSwedish('oxum', 'many ≠ 17.2')).toMatch(/: many ≠ 17\.2\.$/)
  expect(findingSentence({ code: 'size', detail: 'data/a: b.txt: 9 ≠ 5' }, 'en')).toBe(
    'The size is not the one that is listed: data/a: b.txt. Listed: 9 bytes. Found: 5.',
  )
  expect(inSwedish('mismatch', 'a.txt: 0f ≠ 1e')).toMatch(/: a\.txt\. Angiven: 0f\. Funnen: 1e\.$/)
  // Where a digest is none, it alone is told.
  expect(inSwedish('mismatch', 'a.txt: 00')).toMatch(/: a\.txt: 00$/)
  expect(inSwedish('xml', 'unexpected end.')).toMatch(/: den slutar för tidigt\.$/)
  expect(inSwedish('xml', 'unclosed tag: mets')).toMatch(/: elementet mets avslutas inte\.$/)
  expect(inSwedish('xml', 'disallowed character in tag name.')).toMatch(/som inte får stå där\.$/)
})

test('a METS beside thousands of files of the root folder is found', async () => {
  const beside = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`${index}.tif`, 'x']))
  const mets = String(eArkFiles()['METS.xml'])
  const report = await checkFiles({ ...beside, 'METS.xml': mets })
  expect(report.state).toBe('invalid')
})

test('a digest is that of the file of this very name, before that of another spelling', async () => {
  const digest = (letter: string) => letter.repeat(64)
  const file = (href: string, letter: string) =>
    `<file CHECKSUM="${digest(letter)}" CHECKSUMTYPE="SHA-256">${locator(href)}</file>`
  const asked = (path: string, ...files: string[]) => {
    const text =
      `<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink"><fileSec><fileGrp>` +
      `${files.join('')}</fileGrp></fileSec></mets>`
    return digestInMets(Readable.from([Buffer.from(text)]), path)
  }
  const [spaced, plus] = [file('a%20b.txt', 'a'), file('a+b.txt', 'b')]
  for (const files of [
    [spaced, plus],
    [plus, spaced],
  ])
    expect(await asked('a b.txt', ...files)).toEqual({ algorithm: 'sha256', digest: digest('a') })
  expect(await asked('a b.txt', plus)).toEqual({ algorithm: 'sha256', digest: digest('b') })
  expect(await asked('a b.txt', spaced.replace(digest('a'), 'n/a'))).toBeUndefined()
  const [composed, decomposed] = ['\u00e9.txt', 'e\u0301.txt']
  const twins = [file(composed, 'a'), file(decomposed, 'b')]
  for (const files of [twins, twins.toReversed()]) {
    expect(await asked(composed, ...files)).toMatchObject({ digest: digest('a') })
    expect(await asked(decomposed, ...files)).toMatchObject({ digest: digest('b') })
  }
  expect(await asked(decomposed, file(composed, 'a'))).toMatchObject({ digest: digest('a') })
})

test('every finding has its sentence in both languages', () => {
  for (const code of findingCodes)
    for (const language of ['en', 'sv'] as const)
      expect(findingSentence({ code, detail: 'x' }, language)).not.toBe('')
})
