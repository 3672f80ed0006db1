import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { JSDOM } from 'jsdom'
import { expect, test } from 'vitest'
import { premisObjects } from '../../../../electron/packaging/e-ark/premis.ts'
import { readSchemas } from '../../../../electron/packaging/e-ark/read-schemas.ts'
import type { PackageDraft } from '../../../../electron/packaging/format.ts'
import { formatNamed, formats } from '../../../../electron/packaging/formats.ts'
import { addToFolder } from '../../../../electron/packaging/pack/added-files.ts'
import type { CopiedFile } from '../../../../electron/packaging/pack/copied-payload.ts'
import type { PackingOptions } from '../../../../electron/packaging/pack/pack.ts'
import { draftFormats } from '../../../../renderer/language/package-formats.ts'
import { freeName } from '../../../../electron/packaging/names.ts'
import { scratch } from '../../../support/scratch.ts'
import { builtFile } from '../../../support/built.ts'
import { scripts } from '../../../packages/packing.ts'

const eArk = formatNamed('e-ark-sip')
const record: PackageDraft['record'] = {
  identifier: 'SE-1',
  name: 'Prov & <x>',
  description: 'Rad ett\nrad två',
  senderIdentifier: '',
  transfer: '',
  organization: 'Nämnden',
  address: '',
  person: 'Elsa',
  email: 'elsa@example.org',
  further: [
    ['ARCHIVIST ORGANIZATION', 'Arkivet'],
    ['SUBMISSIONAGREEMENT', 'SA 1'],
    ['REFERENCECODE', 'SE/1'],
    ['dc:subject', 'Prov'],
    ['dc:subject', 'Bygglov'],
  ],
}
const draftOf = (sources: string[], more: Partial<PackageDraft> = {}): PackageDraft => ({
  sources,
  form: 'folder',
  algorithms: ['sha256'],
  record,
  profile: null,
  software: 'Lectern 1.0',
  made: new Date('2026-01-02T03:04:05Z'),
  ...more,
})
const write = (draft: PackageDraft, target: string, options: Partial<PackingOptions> = {}) =>
  eArk.write(draft, target, { scripts: scripts.pack, signal: new AbortController().signal, ...options })

const makeSource = (folder: string) => {
  const source = path.join(folder, 'källa')
  mkdirSync(path.join(source, 'tom mapp'), { recursive: true })
  writeFileSync(path.join(source, 'å ä ö.txt'), 'räksmörgås')
  writeFileSync(path.join(source, '100%25.txt'), 'per cent')
  writeFileSync(path.join(source, 'a&b <c> "d".xml'), '<a/>')
  writeFileSync(path.join(source, "it's #1?.pdf"), '%PDF-1.4\n')
  writeFileSync(path.join(source, 'tom.dat'), '')
  return source
}
/** Parses as strictly as XML has it: what is not well-formed throws. */
const parsed = (file: string) =>
  new JSDOM(readFileSync(file, 'utf8'), { contentType: 'application/xml' }).window.document
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()

/** What a METS says of files, compared with what lies on the disk; the paths that it names. */
const namedBy = (root: string, mets: string, algorithm = 'sha256'): string[] => {
  const folder = path.dirname(path.join(root, mets))
  const document = parsed(path.join(root, mets))
  return [...document.querySelectorAll('FLocat, mdRef')].map((located) => {
    const file = located.tagName === 'mdRef' ? located : located.parentElement
    const name = path.join(folder, decodeURIComponent(located.getAttribute('xlink:href') ?? ''))
    const bytes = readFileSync(name)
    expect(file?.getAttribute('CHECKSUM'), name).toBe(createHash(algorithm).update(bytes).digest('hex'))
    expect(Number(file?.getAttribute('SIZE')), name).toBe(bytes.length)
    expect(file?.getAttribute('MIMETYPE'), name).toMatch(/^[a-z]+\/\S+$/)
    return path.relative(root, name)
  })
}
/** Every file of a package is named by one METS, but for the METS at the top. */
const expectWhole = (root: string, algorithm?: string) => {
  const representations = readdirSync(path.join(root, 'representations')).map(
    (name) => `representations/${name}/METS.xml`,
  )
  const named = ['METS.xml', ...representations].flatMap((mets) => namedBy(root, mets, algorithm))
  expect([...named, 'METS.xml'].sort()).toEqual(filesBelow(root))
}
const attributesOf = (file: string) => {
  const { documentElement } = parsed(file)
  return Object.fromEntries([...documentElement.attributes].map(({ name, value }) => [name, value]))
}

test('every file stands in METS with its digest and size, whatever its name', async () => {
  using place = scratch()
  const source = makeSource(place.folder)
  writeFileSync(path.join(source, 'rad\nbryt\u0001'), 'newline')
  const target = path.join(place.folder, 'SE-1')
  const { counts, manifest } = await write(draftOf([source]), target, { isIdentified: true })
  expect(counts).toMatchObject({ files: 6, folders: 2 })
  expectWhole(target)
  expect(manifest).toBe(
    createHash('sha256')
      .update(readFileSync(path.join(target, 'METS.xml')))
      .digest('hex'),
  )
  expect(statSync(path.join(target, 'representations/rep1/data/källa/tom mapp')).isDirectory()).toBe(true)
  expect(attributesOf(path.join(target, 'METS.xml'))).toMatchObject({
    OBJID: 'SE-1',
    LABEL: 'Prov & <x>',
    PROFILE: 'https://earksip.dilcis.eu/profile/E-ARK-SIP-v2-2-0.xml',
  })
  const representation = parsed(path.join(target, 'METS.xml')).querySelector('[USE="Representations/rep1"]')
  expect(representation?.getAttribute('csip:CONTENTINFORMATIONTYPE')).toBe('MIXED')
  const dublinCore = parsed(path.join(target, 'metadata/descriptive/dc.xml'))
  expect(dublinCore.querySelector('description')?.textContent).toBe('Rad ett\nrad två')
  const subjects = [...dublinCore.querySelectorAll('subject')].map(({ textContent }) => textContent)
  expect(subjects).toEqual(['Prov', 'Bygglov'])
})

test('the header says who made, submits and answers for it, and by which agreement', async () => {
  using place = scratch()
  const target = path.join(place.folder, 'SE-1')
  await write(draftOf([makeSource(place.folder)]), target)
  const mets = parsed(path.join(target, 'METS.xml'))
  const agents = [...mets.querySelectorAll('agent')].map((agent) => [
    `${agent.getAttribute('ROLE')} ${agent.getAttribute('OTHERTYPE') ?? agent.getAttribute('TYPE')}`,
    ...[...agent.children].map(({ textContent }) => textContent),
  ])
  expect(agents).toEqual([
    ['CREATOR SOFTWARE', 'Lectern 1.0', '1.0'],
    ['ARCHIVIST ORGANIZATION', 'Arkivet'],
    ['CREATOR ORGANIZATION', 'Nämnden'],
    ['OTHER INDIVIDUAL', 'Elsa, elsa@example.org'],
  ])
  expect([...mets.querySelectorAll('altRecordID')].map(({ textContent }) => textContent)).toEqual([
    'SA 1',
    'SE/1',
  ])
  expect(mets.querySelector('metsHdr')?.getAttribute('CREATEDATE')).toBe('2026-01-02T03:04:05.000Z')
})

test('PREMIS has each file with its format, and what was done with them', async () => {
  using place = scratch()
  const target = path.join(place.folder, 'SE-1')
  await write(draftOf([makeSource(place.folder)]), target, { isIdentified: true })
  const files = parsed(path.join(target, 'representations/rep1/metadata/preservation/premis.xml'))
  const named = [...files.querySelectorAll('object')].map((file) => [
    file.querySelector('originalName')?.textContent,
    file.querySelector('size')?.textContent,
  ])
  expect(named).toContainEqual(['data/källa/a&b <c> "d".xml', '4'])
  expect(named).toHaveLength(5)
  const events = parsed(path.join(target, 'metadata/preservation/premis.xml'))
  expect([...events.querySelectorAll('eventType')].map(({ textContent }) => textContent)).toEqual([
    'information package creation',
    'fixity check',
  ])
})

test('PREMIS names the format of a file by PRONOM where a tool did, and its digest and size', () => {
  const fileOf = (puid: string, name: string): CopiedFile => ({
    name: 'representations/rep1/data/a.pdf',
    bytes: 9,
    modifiedMs: 0,
    digests: Buffer.alloc(32, 0xab),
    identified: { puid, name, mime: 'application/pdf', basis: 'signature', tool: 'siegfried' },
  })
  const files = [fileOf('fmt/276', 'Acrobat PDF 1.7 & more'), fileOf('', '')]
  const digest = { algorithm: 'SHA-256', bytes: 32 }
  const parts = premisObjects(
    files,
    () => 'data/a.pdf',
    digest,
    'representations/rep1',
    () => '',
  )
  const { document } = new JSDOM([...parts].join(''), { contentType: 'application/xml' }).window
  const textsOf = (name: string) => [...document.querySelectorAll(name)].map(({ textContent }) => textContent)
  expect(textsOf('formatName')).toEqual(['Acrobat PDF 1.7 & more', 'application/pdf'])
  expect([textsOf('formatRegistryName'), textsOf('formatRegistryKey')]).toEqual([['PRONOM'], ['fmt/276']])
  expect(textsOf('messageDigest')).toEqual(['ab'.repeat(32), 'ab'.repeat(32)])
  expect(textsOf('size')).toEqual(['9', '9'])
})

test('as tar and zip it holds the same below its identifier, with SHA-512 and as 2.1.0', async () => {
  using place = scratch()
  const source = makeSource(place.folder)
  for (const form of ['tar', 'zip'] as const) {
    const target = path.join(place.folder, `sent.${form}`)
    const out = path.join(place.folder, form)
    mkdirSync(out)
    await write(draftOf([source], { form, algorithms: ['sha512'], version: '2.1.0' }), target)
    if (form === 'tar') execFileSync('tar', ['-C', out, '-xf', target])
    else execFileSync('python3', ['-m', 'zipfile', '-e', target, out])
    expectWhole(path.join(out, 'SE-1'), 'sha512')
    expect(attributesOf(path.join(out, 'SE-1/METS.xml'))['PROFILE']).toMatch(/v2-1-0/)
    execFileSync('diff', ['-r', source, path.join(out, 'SE-1/representations/rep1/data/källa')])
  }
})

test('each folder can be a representation; files beside them are one more', async () => {
  using place = scratch()
  const folders = ['original', 'kopior', 'tom'].map((name) => path.join(place.folder, name))
  for (const folder of folders) mkdirSync(folder)
  writeFileSync(path.join(place.folder, 'original/a.tif'), 'o')
  writeFileSync(path.join(place.folder, 'kopior/a.jpg'), 'k')
  writeFileSync(path.join(place.folder, 'läs.txt'), 'l')
  const target = path.join(place.folder, 'SE-1')
  const sources = [...folders, path.join(place.folder, 'läs.txt')]
  const { counts } = await write(draftOf(sources, { representations: 'each folder' }), target)
  expect(counts).toMatchObject({ files: 3, folders: 3 })
  expectWhole(target)
  expect(readdirSync(path.join(target, 'representations')).sort()).toEqual([
    'kopior',
    'original',
    'rep1',
    'tom',
  ])
  expect(existsSync(path.join(target, 'representations/original/data/a.tif'))).toBe(true)
})

test('two thousand representations are packed with few open files, each with its own', () => {
  using place = scratch()
  const sources = Array.from({ length: 2_000 }, (_, index) => {
    const folder = path.join(place.folder, 'sources', `r${index}`)
    mkdirSync(folder, { recursive: true })
    // The first and some others hold nothing.
    for (let file = 0; file < index % 3; file += 1) writeFileSync(path.join(folder, `${file}`), `${index}`)
    return folder
  })
  const target = path.join(place.folder, 'SE-1')
  const script = builtFile('package-command.js').pathname
  const command = (...order: string[]) =>
    execFileSync('sh', ['-c', 'ulimit -n 256 && exec node "$@"', 'sh', script, ...order], { stdio: 'pipe' })
  const how = ['--format', 'e-ark', '--form', 'tar', '--representations', '--identify']
  command('create', ...sources, target, ...how, '--info', 'CREATOR ORGANIZATION=Nämnden')
  command('validate', `${target}.tar`)
  execFileSync('tar', ['-C', place.folder, '-xf', `${target}.tar`])
  const premisOf = (name: string) =>
    parsed(path.join(target, `representations/${name}/metadata/preservation/premis.xml`))
  const named = (name: string) =>
    [...premisOf(name).querySelectorAll('object')].map((object) => [
      object.querySelector('originalName')?.textContent,
      object.querySelector('size')?.textContent,
    ])
  expect(named('r0')).toEqual([])
  expect(named('r1100')).toEqual([
    ['data/0', '4'],
    ['data/1', '4'],
  ])
  expect(named('r1999')).toEqual([['data/0', '4']])
})

test('a METS of a million files is written within 250 MB', { timeout: 120_000 }, () => {
  const mets = JSON.stringify(new URL('../../../../electron/packaging/e-ark/mets.ts', import.meta.url).href)
  const script = `import { metsOf } from ${mets}
    const [created, digest] = ['2026-01-02T03:04:05Z', 'a'.repeat(64)]
    const files = function* () {
      for (let file = 0; file < 1_000_000; file += 1)
        yield { path: 'data/' + file + '.txt', mediaType: 'text/plain', bytes: file, created, digest }
    }
    let [written, most] = [0, 0]
    const parts = metsOf({
      folder: '', schemaLocation: () => '', objectId: 'rep1', label: 'rep1', labels: [], isRoot: false,
      checksumType: 'SHA-256', descriptive: null, divisions: [{ label: 'Data', group: 'data' }],
      preservation: { path: 'premis.xml', mediaType: 'text/xml', bytes: 1, created, digest },
      groups: [{ id: 'data', use: 'Data', files: files() }],
    })
    for (const part of parts) {
      written += (part.match(/<file /g) ?? []).length
      most = Math.max(most, part.length)
    }
    console.log(JSON.stringify([written, most < 1_000_000, process.resourceUsage().maxRSS < 250_000]))`
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(JSON.parse(told)).toEqual([1_000_000, true, true])
})

test('a file that describes the package stands in place of Dublin Core', async () => {
  using place = scratch()
  const target = path.join(place.folder, 'SE-1')
  const text = '<?xml version="1.0"?>\n<!-- x --><ead xmlns="http://ead3.archivists.org/schema/"/>'
  await write(draftOf([makeSource(place.folder)], { descriptive: { name: 'ead.xml', text } }), target)
  expectWhole(target)
  expect(readFileSync(path.join(target, 'metadata/descriptive/ead.xml'), 'utf8')).toBe(text)
  const described = parsed(path.join(target, 'METS.xml')).querySelector('dmdSec mdRef')
  expect(described?.getAttribute('MDTYPE')).toBe('EAD')
})

/** A document of XML Schema, as far as anybody looks at it here. */
const schemaOf = (namespace: string) =>
  '<!-- <schema targetNamespace="urn:old"> -->\n' +
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${namespace}"/>`

test('schemas that a person gives lie in the package, and stand for what is published', async () => {
  using place = scratch()
  const given = path.join(place.folder, 'schemas-2026')
  mkdirSync(path.join(given, 'premis'), { recursive: true })
  writeFileSync(path.join(given, 'mets 1.11.xsd'), schemaOf('http://www.loc.gov/METS/'))
  writeFileSync(path.join(given, 'mets 1.12.xsd'), schemaOf('http://www.loc.gov/METS/'))
  writeFileSync(path.join(given, 'premis/v3.xsd'), schemaOf('http://www.loc.gov/premis/v3'))
  writeFileSync(path.join(given, 'dc.xsd'), schemaOf('http://purl.org/dc/elements/1.1/'))
  writeFileSync(path.join(given, 'ead.dtd'), '<!ELEMENT ead ANY>')
  writeFileSync(path.join(given, 'readme.txt'), 'no schema')
  const target = path.join(place.folder, 'SE-1')
  const schemas = readSchemas(given)
  await write(draftOf([makeSource(place.folder)], { schemas }), target)
  expectWhole(target)
  expect(filesBelow(path.join(target, 'schemas'))).toEqual(schemas.map(({ name }) => name).sort())
  const mets = parsed(path.join(target, 'METS.xml'))
  const [group] = mets.querySelectorAll('fileGrp[USE="Schemas"]')
  expect(group?.querySelectorAll('file')).toHaveLength(5)
  const pointer = mets.querySelector('div[LABEL="Schemas"] fptr')
  expect(pointer?.getAttribute('FILEID')).toBe(group?.getAttribute('ID'))
  const locationOf = (file: string) => attributesOf(path.join(target, file))['xsi:schemaLocation'] ?? ''
  expect(locationOf('METS.xml')).toContain('http://www.loc.gov/METS/ schemas/mets%201.12.xsd ')
  expect(locationOf('METS.xml')).toContain('http://www.loc.gov/standards/xlink/xlink.xsd')
  const representation = 'representations/rep1'
  expect(locationOf(`${representation}/METS.xml`)).toContain(' ../../schemas/mets%201.12.xsd ')
  expect(locationOf(`${representation}/metadata/preservation/premis.xml`)).toBe(
    'http://www.loc.gov/premis/v3 ../../../../schemas/premis/v3.xsd',
  )
  expect(locationOf('metadata/preservation/premis.xml')).toContain(' ../../schemas/premis/v3.xsd')
  expect(locationOf('metadata/descriptive/dc.xml')).toContain(' ../../schemas/dc.xsd')
  const report = await eArk.check(target, { scripts: scripts.check, signal: new AbortController().signal })
  expect(report.state).toBe('valid')
  expect(report.findings.map(({ detail }) => detail)).not.toContain('CSIPSTR15')
})

test('the schema of METS goes with every package; the others are named by their addresses', async () => {
  using place = scratch()
  const target = path.join(place.folder, 'SE-1')
  await write(draftOf([makeSource(place.folder)]), target)
  expectWhole(target)
  expect(readdirSync(path.join(target, 'schemas'))).toEqual(['mets1_12.xsd'])
  const schema = parsed(path.join(target, 'schemas/mets1_12.xsd')).documentElement
  expect(schema.getAttribute('targetNamespace')).toBe('http://www.loc.gov/METS/')
  expect(readFileSync(path.join(target, 'schemas/mets1_12.xsd'), 'utf8')).toContain('CC0 1.0 Universal')
  const locationOf = (file: string) => attributesOf(path.join(target, file))['xsi:schemaLocation'] ?? ''
  expect(locationOf('METS.xml')).toMatch(/^http:\/\/www\.loc\.gov\/METS\/ schemas\/mets1_12\.xsd http/)
  expect(locationOf('representations/rep1/METS.xml')).toContain(' ../../schemas/mets1_12.xsd ')
  expect(locationOf('METS.xml')).toContain('https://earksip.dilcis.eu/schema/DILCISExtensionSIPMETS.xsd')
})

test('names that a package gives itself fit into a file system, XML and a zip', async () => {
  using place = scratch()
  const long = 'n'.repeat(255)
  const sources = [`1/${long}`, `2/${long}`, '1/rad\nbryt\u0001'].map((name) => path.join(place.folder, name))
  for (const source of sources) {
    mkdirSync(source, { recursive: true })
    writeFileSync(path.join(source, 'a.txt'), source)
  }
  const options = { scripts: scripts.check, signal: new AbortController().signal }
  const taken = new Set<string>()
  const extended = () => freeName(taken, 'a', `.${'e'.repeat(253)}`)
  expect([extended(), extended()].map((name) => Buffer.byteLength(name))).toEqual([255, 255])
  for (const representations of ['one', 'each folder'] as const) {
    const target = path.join(place.folder, representations, 'SE-1')
    await write(draftOf(sources.slice(0, 2), { representations }), target)
    expect(await eArk.check(target, options)).toMatchObject({ state: 'valid', counts: { files: 2 } })
  }
  const zip = path.join(place.folder, 'SE-1.zip')
  const descriptive = { name: 'ead\n.xml;1', text: '<ead/>' }
  await write(draftOf(sources.slice(2), { form: 'zip', representations: 'each folder', descriptive }), zip)
  expect(await eArk.check(zip, options)).toMatchObject({ state: 'valid', counts: { files: 1 } })
})

test('work that was stopped goes on, and leaves nothing beside the package', async () => {
  using place = scratch()
  const source = makeSource(place.folder)
  const target = path.join(place.folder, 'SE-1')
  const stop = new AbortController()
  await expect(
    write(draftOf([source]), target, { signal: stop.signal, onPlan: () => stop.abort() }),
  ).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }) as Error)
  expect(existsSync(target)).toBe(false)
  await write(draftOf([source]), target)
  expectWhole(target)
  expect(readdirSync(place.folder).sort()).toEqual(['SE-1', 'källa'])
})

test('work that was killed goes on', { timeout: 120_000 }, async () => {
  using place = scratch()
  const source = path.join(place.folder, 'källa')
  mkdirSync(source)
  for (let index = 0; index < 2_000; index += 1) writeFileSync(path.join(source, `${index}.txt`), `${index}`)
  writeFileSync(path.join(source, 'large.bin'), Buffer.alloc(300_000_000, 1))
  const target = path.join(place.folder, 'SE-1')
  const script = `import { eArk } from
      ${JSON.stringify(new URL('../../../../electron/packaging/e-ark/e-ark.ts', import.meta.url).href)}
    import { packagingScripts } from
      ${JSON.stringify(new URL('../../../../electron/packaging/scripts.ts', import.meta.url).href)}
    const draft = ${JSON.stringify(draftOf([source]))}
    await eArk.write({ ...draft, made: new Date(draft.made) }, ${JSON.stringify(target)}, {
      scripts: packagingScripts(${JSON.stringify(builtFile('main.js').href)}).pack,
      signal: new AbortController().signal,
      onProgress: ({ bytes }) => bytes > 0 && process.kill(process.pid, 'SIGKILL'),
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  const signal = await new Promise((done) => child.once('exit', (_code, by) => done(by)))
  expect([signal, existsSync(target), existsSync(`${target}.work`)]).toEqual(['SIGKILL', false, true])
  await write(draftOf([source]), target)
  const report = await eArk.check(target, { scripts: scripts.check, signal: new AbortController().signal })
  expect(report).toMatchObject({ state: 'valid' })
  expect(readdirSync(place.folder).sort()).toEqual(['SE-1', 'källa'])
})

test('what an earlier run added to a folder is no part of it when others are added', () => {
  using place = scratch()
  const noted = path.join(place.folder, 'added.jsonl')
  const folder = path.join(place.folder, 'SE-1')
  writeFileSync(path.join(place.folder, 'outside.txt'), 'x')
  addToFolder(folder, ['sha256'], noted)('metadata/descriptive/first.xml', ['<ead/>'])
  appendFileSync(noted, '\n"../outside.txt"\n"metadata/descr')
  for (const name of ['second.xml', 'third.xml']) {
    addToFolder(folder, ['sha256'], noted)(`metadata/descriptive/${name}`, ['<ead/>'])
    expect(readdirSync(path.join(folder, 'metadata/descriptive'))).toEqual([name])
  }
  expect(readdirSync(place.folder).sort()).toEqual(['SE-1', 'added.jsonl', 'outside.txt'])
})

test('a draft says what it lacks, and a record comes back from what a package says', () => {
  const { sources: _sources, ...draft } = draftOf([])
  const plan = eArk.plan(draft)
  expect(plan.profile).toMatchObject({ name: 'E-ARK SIP 2.2.0', problems: [] })
  expect(eArk.describe(plan.labels)).toMatchObject({ ...record, senderIdentifier: '' })
  const broken: PackageDraft['record'] = {
    ...record,
    identifier: 'a/b',
    organization: '',
    person: ' ',
    further: [['TYPE', 'x']],
  }
  const { profile } = eArk.plan({ ...draft, record: broken })
  expect(profile?.problems.map(({ rule }) => rule)).toEqual(['OBJID', 'submitter', 'values'])
  expect(profile?.problems.at(-1)).toMatchObject({ label: 'TYPE' })
})

test('a page offers the formats that there are', () => {
  expect([...new Set(draftFormats.map(({ format }) => format))]).toEqual(formats.map(({ name }) => name))
  for (const { format, forms, isNamedAsIdentifier } of draftFormats)
    expect({ sentForms: forms, isNamedAsIdentifier }).toMatchObject({
      sentForms: formatNamed(format).sentForms,
      isNamedAsIdentifier: formatNamed(format).isNamedAsIdentifier,
    })
})

/** Runs the command of packages. @returns its exit code, and what it says on standard output */
const command = (...args: string[]) => {
  try {
    const script = builtFile('package-command.js').pathname
    return { code: 0, text: execFileSync('node', [script, ...args], { encoding: 'utf8', stdio: 'pipe' }) }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return { code: status, text: stdout }
  }
}

test.each([
  ['folder', '', '2.2.0', 'sha256'],
  ['tar', '.tar', '2.1.0', 'sha512'],
  ['zip', '.zip', '2.2.0', 'sha512'],
])('the command makes what every option says (%s)', (form, suffix, version, algorithm) => {
  using place = scratch()
  const source = makeSource(place.folder)
  const descriptive = path.join(place.folder, 'ead.xml')
  writeFileSync(descriptive, '<ead xmlns="http://ead3.archivists.org/schema/"/>')
  const made = path.join(place.folder, `SE-3${suffix}`)
  const order = ['create', source, made, '--format', 'e-ark', '--version', version, '--form', form]
  const said = ['--info', 'CREATOR ORGANIZATION=Nämnden', '--info', 'REFERENCECODE=SE/3=a']
  const how = ['--algorithm', algorithm, '--representations', '--identify', '--polite']
  expect(command(...order, ...said, ...how, '--descriptive', descriptive)).toMatchObject({ code: 0 })
  const valid = command('validate', made)
  expect(valid).toMatchObject({ code: 0, text: expect.stringContaining('"summary":"valid"') as string })
  if (form === 'tar') execFileSync('tar', ['-xf', made, '-C', place.folder])
  if (form === 'zip') execFileSync('unzip', ['-q', made, '-d', place.folder])
  const root = path.join(place.folder, 'SE-3')
  const text = readFileSync(path.join(root, 'METS.xml'), 'utf8')
  expect(attributesOf(path.join(root, 'METS.xml'))['PROFILE']).toContain(version.replaceAll('.', '-'))
  expect(text).toContain(`CHECKSUMTYPE="${algorithm.toUpperCase().replace('SHA', 'SHA-')}"`)
  expect(text).toContain('<altRecordID TYPE="REFERENCECODE">SE/3=a</altRecordID>')
  expect(readdirSync(path.join(root, 'metadata/descriptive'))).toEqual(['ead.xml'])
  expect(readdirSync(path.join(root, 'representations'))).toEqual(['källa'])
  expect(existsSync(path.join(root, 'documentation/formats.csv'))).toBe(true)
  // Whatever is changed is found, and said by the exit code.
  appendFileSync(path.join(root, 'representations/källa/data/tom.dat'), 'x')
  expect(command('validate', root)).toMatchObject({
    code: 1,
    text: expect.stringContaining('"summary":"invalid"') as string,
  })
  expect(command('validate', source).code).toBe(2)
})

test('the command makes both formats, and refuses what it does not know', () => {
  using place = scratch()
  const source = makeSource(place.folder)
  const sip = path.join(place.folder, 'SE-2')
  const submitter = ['--info', 'CREATOR ORGANIZATION=Nämnden']
  expect(command('create', source, sip, '--format', 'e-ark', ...submitter)).toMatchObject({ code: 0 })
  expectWhole(sip)
  expect(attributesOf(path.join(sip, 'METS.xml'))['OBJID']).toBe('SE-2')
  expect(command('create', source, sip, '--format', 'e-ark', ...submitter).code).toBe(2)
  expect(command('validate', sip)).toMatchObject({
    code: 0,
    text: expect.stringContaining('"summary":"valid"') as string,
  })
  rmSync(sip, { recursive: true })
  const wrong = [...submitter, '--info', 'dc:date issued=2020']
  expect(command('create', source, sip, '--format', 'e-ark', ...wrong)).toMatchObject({
    code: 1,
    text: expect.stringContaining('Dublin Core has no element “dc:date issued”.') as string,
  })
  expect(command('create', source, sip, '--format', 'constructor').code).toBe(2)
  expect(command('create', source, sip, '--format', 'e-ark')).toMatchObject({
    code: 1,
    text: expect.stringContaining('Who submits it is needed: --info') as string,
  })
  expect(command('create', source, sip, '--format', 'e-ark', '--version', '1.0').code).toBe(2)
  // What nothing is written of would be lost.
  for (const lost of ['Arkivbildare=Nämnden', 'RECORDSTATUS=NEW'])
    expect(command('create', source, sip, '--format', 'e-ark', ...submitter, '--info', lost)).toMatchObject({
      code: 2,
      text: expect.stringMatching(/An E-ARK SIP has no “.*”; there are OBJID, .*ARCHIVIST/) as string,
    })
  const gone = path.join(place.folder, 'borta.xml')
  const order = ['create', source, sip, '--format', 'e-ark', ...submitter, '--descriptive', gone]
  for (const args of [order, ['validate', gone]])
    expect(command(...args)).toMatchObject({
      code: 2,
      text: expect.stringContaining(`"message":"“${gone}” is not there."`) as string,
    })
  const schemas = path.join(place.folder, 'schemas')
  mkdirSync(schemas)
  const withSchemas = [sip, '--format', 'e-ark', ...submitter, '--schemas', schemas]
  expect(command('create', source, ...withSchemas)).toMatchObject({
    code: 2,
    text: expect.stringContaining('holds no schema') as string,
  })
  writeFileSync(path.join(schemas, 'own.xsd'), Buffer.from([0xe5]))
  expect(command('create', source, ...withSchemas)).toMatchObject({
    code: 2,
    text: expect.stringContaining('own.xsd is not text in UTF-8') as string,
  })
  writeFileSync(path.join(schemas, 'own.xsd'), schemaOf('urn:own'))
  expect(command('create', source, ...withSchemas).code).toBe(0)
  expect(existsSync(path.join(sip, 'schemas/own.xsd'))).toBe(true)
  const bag = path.join(place.folder, 'made')
  for (const option of [['--representations'], ['--schemas', schemas]])
    expect(command('create', source, bag, ...option)).toMatchObject({
      code: 2,
      text: expect.stringContaining('are of E-ARK SIPs.') as string,
    })
  expect(command('create', source, bag).code).toBe(0)
  expect(command('validate', bag)).toMatchObject({
    code: 0,
    text: expect.stringContaining('"summary":"valid"') as string,
  })
})

test.each([
  ['1921', '1921-01-01', '1921-12-31'],
  ['1921-02/1932-02', '1921-02-01', '1932-02-29'],
  ['1921-03-04 / 1921-03-05', '1921-03-04', '1921-03-05'],
  ['1921–1932', '1921-01-01', '1932-12-31'],
  ['1921-1932', '1921-01-01', '1932-12-31'],
  ['1921-03 - 1932', '1921-03-01', '1932-12-31'],
  ['1932/1921', '', ''],
  ['1921/1922/1923', '', ''],
  ['1921-13', '', ''],
  ['before 1921', '', ''],
  ['', '', ''],
])('a package with the date “%s” holds what is of %s to %s', (date, start, end) => {
  const info: [string, string][] = [
    ['CREATOR SOFTWARE', 'Lectern 1.0'],
    ['dc:date', date],
  ]
  expect(eArk.provenanceOf({ version: '2.2.0', info })).toEqual({
    type: 'E-ARK SIP 2.2.0',
    software: 'Lectern 1.0',
    archivist: '',
    start,
    end,
  })
})
