import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { WhichPackages } from '../../../../electron/contract/packages.ts'
import type { FileCheck, PackageFiles } from '../../../../electron/contract/reader.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { writeBag } from '../../../packages/bags.ts'
import { eArkFiles, writeFolder } from '../../../packages/e-ark.ts'
import { startDialect, type Dialect } from '../../../archives/dialects.ts'
import { siardFile } from '../../../viewer/siard.ts'
import { metsOf } from '../../../essarch/mets.ts'

const flat: WhichPackages = {
  view: 'flat',
  sort: 'label',
  descending: false,
  filter: '',
  open: [],
  offset: 0,
  limit: 500,
}
const digestOf = (algorithm: string, content: Buffer | string) =>
  createHash(algorithm).update(content).digest('hex')
const sha256 = (content: Buffer | string) => digestOf('sha256', content)
/** What the METS of the double names. */
const md5 = (content: string) => digestOf('md5', content)

type Served = Awaited<ReturnType<typeof startDialect>>
const served = new Map<Dialect, Served>()
const archiveOf = (dialect: Dialect) => present(served.get(dialect))
beforeAll(async () => {
  for (const dialect of ['specification', 'essarch'] as const)
    served.set(dialect, await startDialect(dialect))
})
beforeEach(() => served.forEach(({ proxy }) => proxy.misbehave('none')))
afterAll(() => Promise.all([...served.values()].map(({ stop }) => stop())))

/** A desk that hears what is told of checked and indexed files. */
const openReader = async (dialect: Dialect, parts: Parameters<Served['open']>[1] = {}) => {
  const checks: FileCheck[] = []
  const indexes: PackageFiles[] = []
  const opened = await archiveOf(dialect).open('archivist', {
    ...parts,
    sendNewsOf: (_archive, name, payload) => {
      // The news of a name carries what the contract says.
      if (name === 'reader.checked') checks.push(payload as FileCheck)
      if (name === 'reader.indexed') indexes.push(payload as PackageFiles)
    },
  })
  const { reader } = opened
  const whenChecked = async (key: string) => {
    const begun = await reader.check({ key })
    return begun.state === 'working'
      ? until(() => checks.find((check) => check.key === key && check.state !== 'working'))
      : begun
  }
  return {
    ...opened,
    checks,
    whenChecked,
    /** What a check of a file comes to. */
    check: async (id: string, file: string) =>
      whenChecked((await reader.open({ package: id, path: file })).key),
    index: async (id: string) => {
      const begun = await reader.index({ package: id })
      return begun.state === 'working'
        ? until(() => indexes.find(({ state, package: of }) => of === id && state !== 'working'))
        : begun
    },
  }
}

/** Gives a package to the carried archive; what the archive says of the generation that it becomes. */
const takeInFolder = async (identifier: string, write: (folder: string) => void) => {
  const { data, archive } = archiveOf('specification')
  const folder = path.join(data, `.${identifier}`)
  write(folder)
  const generations = async () => {
    const families = (await archive.get('information-packages/')) as {
      object_identifier_value: string
      information_packages: { id: string; generation: number }[]
    }[]
    return families.find((one) => one.object_identifier_value === identifier)?.information_packages ?? []
  }
  const before = new Set((await generations()).map(({ id }) => id))
  renameSync(folder, path.join(data, 'ingest', identifier))
  return until(async () => (await generations()).find(({ id }) => !before.has(id)))
}

/** Gives a bag to the carried archive, and the id of the generation that it becomes. */
const takeIn = async (identifier: string, files: Record<string, Buffer>) =>
  (await takeInFolder(identifier, (bag) => writeBag(bag, { 'External-Identifier': identifier }, files))).id

/** What a package says that the entries of a folder are, by their names. */
const rolesBy = (roles: { name: string; role: string }[]) =>
  Object.fromEntries(roles.map(({ name, role }) => [name, role]))

/** Lays files into the double of ESSArch as those of two packages of its holdings. */
const lay = (identifier: string, contents: Record<string, Buffer | string>, hasMets: boolean) => {
  const folder = path.join(archiveOf('essarch').data, 'packages-over-rest', identifier)
  rmSync(folder, { recursive: true, force: true })
  const files = Object.entries(contents).map(([name, text]) => ({ path: name, content: Buffer.from(text) }))
  for (const { path: name, content } of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  if (hasMets) writeFileSync(path.join(folder, 'mets.xml'), metsOf(identifier, files))
}
const somePackage = async ({ packages }: Awaited<ReturnType<typeof openReader>>) => {
  const { rows } = await packages.list(flat)
  const row = present(rows.find(({ type, identifier }) => type !== 'AIC' && identifier !== ''))
  return { id: row.id, identifier: row.identifier }
}

describe('what was preserved', () => {
  test('is told by the manifest of the nearest bag, its names as a bag writes them', async () => {
    const plan = Buffer.from('en plan')
    const id = await takeIn('checked', { 'data/plan.txt': plan, 'data/å 100 %.txt': Buffer.from('udda') })
    const { desk, check } = await openReader('specification')
    expect(await check(id, 'content/data/plan.txt')).toMatchObject({
      state: 'done',
      bytes: plan.length,
      verdict: {
        is: 'preserved',
        algorithm: 'SHA-256',
        digest: sha256(plan),
        preserved: sha256(plan),
        source: 'content/manifest-sha256.txt',
      },
    })
    expect(await check(id, 'content/data/å 100 %.txt')).toMatchObject({ verdict: { is: 'preserved' } })
    await desk.stop()
  })

  test('is told by the METS of the package, and a file that is another one is named so', async () => {
    const opened = await openReader('essarch')
    const { id, identifier } = await somePackage(opened)
    lay(identifier, { 'content/a.txt': 'one', 'content/b.txt': 'two' }, true)
    writeFileSync(
      path.join(archiveOf('essarch').data, 'packages-over-rest', identifier, 'content', 'b.txt'),
      'owt',
    )
    expect(await opened.check(id, 'content/a.txt')).toMatchObject({
      verdict: { is: 'preserved', algorithm: 'MD5', digest: md5('one'), source: 'mets.xml' },
    })
    expect(await opened.check(id, 'content/b.txt')).toMatchObject({
      verdict: { is: 'changed', digest: md5('owt'), preserved: md5('two') },
    })
    await opened.desk.stop()
  })

  test('is told by the METS of the package before the manifest of a bag inside it', async () => {
    const opened = await openReader('essarch')
    const { id, identifier } = await somePackage(opened)
    const manifest = `${sha256('two')}  data/a.txt\n${sha256('odd')} *data/100%25%0A.txt\n`
    const odd = 'content/bag/data/100%\n.txt'
    const contents = {
      'content/bag/data/a.txt': 'one',
      [odd]: 'odd',
      'content/bag/manifest-sha256.txt': manifest,
    }
    lay(identifier, contents, true)
    expect(await opened.check(id, 'content/bag/data/a.txt')).toMatchObject({
      verdict: { is: 'preserved', preserved: md5('one'), source: 'mets.xml' },
    })
    lay(identifier, contents, false)
    const source = 'content/bag/manifest-sha256.txt'
    expect(await opened.check(id, odd)).toMatchObject({ verdict: { is: 'preserved', source } })
    expect(await opened.check(id, 'content/bag/data/a.txt')).toMatchObject({
      verdict: { is: 'changed', preserved: sha256('two'), source },
    })
    await opened.desk.stop()
  })

  test('is told by the METS that a package brought with it, each for what it names', async () => {
    const opened = await openReader('essarch')
    const { id, identifier } = await somePackage(opened)
    const namedBy = (href: string, text: string) =>
      `<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink"><fileSec><fileGrp>` +
      `<file CHECKSUM="${sha256(text).toUpperCase()}" CHECKSUMTYPE="SHA-256"><FLocat LOCTYPE="URL" ` +
      `xlink:href="${href}"/></file></fileGrp></fileSec></mets>`
    const representation = namedBy('data/a%20%C3%A5.txt', 'one')
    const inSip = 'content/sip/representations/rep1'
    const file = `${inSip}/data/a å.txt`
    lay(
      identifier,
      {
        'content/sip/METS.xml': namedBy('representations/rep1/METS.xml', representation),
        [`${inSip}/METS.xml`]: representation,
        [file]: 'one',
        [`${inSip}/data/unnamed.txt`]: 'two',
      },
      false,
    )
    expect(await opened.check(id, file)).toMatchObject({
      verdict: { is: 'preserved', algorithm: 'SHA-256', source: `${inSip}/METS.xml` },
    })
    expect(await opened.check(id, `${inSip}/METS.xml`)).toMatchObject({
      verdict: { is: 'preserved', source: 'content/sip/METS.xml' },
    })
    expect(await opened.check(id, `${inSip}/data/unnamed.txt`)).toMatchObject({ verdict: { is: 'unsaid' } })
    lay(identifier, { 'content/sip/METS.xml': '<mets', 'content/sip/b.txt': 'two' }, false)
    expect(await opened.check(id, 'content/sip/b.txt')).toMatchObject({ verdict: { is: 'unsaid' } })
    await opened.desk.stop()
  })

  test('is told by the outermost manifest: one inside is payload, and may say what it likes', async () => {
    const [plan, other] = [Buffer.from('en plan'), sha256('something else')]
    const id = await takeIn('nested', {
      'data/inner/data/plan.txt': plan,
      'data/inner/manifest-sha256.txt': Buffer.from(`${other}  data/plan.txt\n`),
    })
    const { desk, check } = await openReader('specification')
    expect(await check(id, 'content/data/inner/data/plan.txt')).toMatchObject({
      verdict: { is: 'preserved', preserved: sha256(plan), source: 'content/manifest-sha256.txt' },
    })
    await desk.stop()
  })

  test('is said by nobody where nothing names the file, and an archive that breaks says nothing', async () => {
    const opened = await openReader('essarch')
    const { id, identifier } = await somePackage(opened)
    lay(identifier, { 'content/a.txt': 'one' }, false)
    expect(await opened.check(id, 'content/a.txt')).toMatchObject({
      verdict: { is: 'unsaid', digest: sha256('one'), preserved: '', source: '' },
    })
    const { key } = await opened.reader.open({ package: id, path: 'content/a.txt' })
    archiveOf('essarch').proxy.misbehave('html 500', /mets\.xml/)
    expect(await opened.whenChecked(key)).toMatchObject({
      state: 'failed',
      verdict: null,
      failure: { kind: 'server-broke' },
    })
    await opened.desk.stop()
  })
})

test('a check that is begun once more before the one that was stopped has ended goes to its end', async () => {
  const opened = await openReader('essarch')
  const { id, identifier } = await somePackage(opened)
  lay(identifier, { 'content/a.txt': 'one' }, true)
  const { key } = await opened.reader.open({ package: id, path: 'content/a.txt' })
  await opened.reader.check({ key })
  await opened.reader.stopCheck({ key })
  expect(await opened.whenChecked(key)).toMatchObject({ state: 'done', verdict: { is: 'preserved' } })
  expect(opened.checks.map(({ state }) => state)).not.toContain('stopped')
  await opened.desk.stop()
})

test('a file that is saved while it is open has its digest read once, and once more when it is not', async () => {
  const { data, proxy } = archiveOf('essarch')
  const target = path.join(data, 'saved.txt')
  const opened = await openReader('essarch', { chooseTarget: () => Promise.resolve(target) })
  const { id, identifier } = await somePackage(opened)
  lay(identifier, { 'content/a.txt': 'one' }, true)
  const file = { package: id, path: 'content/a.txt' }
  let read = 0
  proxy.tell((heard) => void (heard.includes('mets.xml') && (read += 1)))
  const save = async () => {
    const { id: saving } = present(await opened.files.download(file))
    const found = async () => (await opened.files.downloads(file)).find((one) => one.id === saving)
    return until(async () => (await found())?.verdict ?? undefined)
  }
  const { key } = await opened.reader.open(file)
  expect(await opened.whenChecked(key)).toMatchObject({ verdict: { is: 'preserved' } })
  const readOnce = read
  expect(readOnce).toBeGreaterThan(0)
  expect(await save()).toMatchObject({ is: 'preserved', source: 'mets.xml' })
  expect(read).toBe(readOnce)
  await opened.reader.close({ key })
  expect(await save()).toMatchObject({ is: 'preserved', source: 'mets.xml' })
  expect(read).toBe(2 * readOnce)
  proxy.tell(() => undefined)
  await opened.desk.stop()
})

test('what was saved as the program ended is compared once the archive is there again', async () => {
  const { data, proxy, open } = archiveOf('essarch')
  const target = path.join(data, 'saved-last.txt')
  const opened = await openReader('essarch', { chooseTarget: () => Promise.resolve(target) })
  const { id, identifier } = await somePackage(opened)
  lay(identifier, { 'content/a.txt': 'one' }, true)
  const file = { package: id, path: 'content/a.txt' }
  const comparing = Promise.withResolvers<void>()
  proxy.misbehave('stalls', /mets\.xml/)
  proxy.tell((heard) => heard.includes('mets.xml') && comparing.resolve())
  const { id: saving } = present(await opened.files.download(file))
  await comparing.promise
  await opened.desk.stop()
  proxy.tell(() => undefined)
  proxy.misbehave('none')
  const again = await open('archivist', {}, opened.folder)
  const found = async () => (await again.files.downloads(file)).find((one) => one.id === saving)
  expect(await until(async () => (await found())?.verdict ?? undefined)).toMatchObject({ is: 'preserved' })
  await again.desk.stop()
})

test('a file is found in the other generations of its package, and is the same there or not', async () => {
  const plan = { 'data/plan.txt': Buffer.from('en plan'), 'data/brev.txt': Buffer.from('ett brev') }
  const first = await takeIn('twice', plan)
  const second = await takeIn('twice', { ...plan, 'data/brev.txt': Buffer.from('ett bref') })
  const { desk, reader } = await openReader('specification')
  const at = (id: string, file: string) => reader.generations({ package: id, path: `content/data/${file}` })
  expect(await at(second, 'plan.txt')).toMatchObject([
    { package: first, generation: 1, is: 'same', by: 'digest' },
  ])
  expect(await at(first, 'brev.txt')).toMatchObject([{ package: second, is: 'changed', by: 'digest' }])
  await desk.stop()
})

test('of two files whose names read the same, each is compared with itself in another generation', async () => {
  const [composed, decomposed] = ['data/\u00e9.txt', 'data/e\u0301.txt']
  const files = { [composed]: Buffer.from('one'), [decomposed]: Buffer.from('another') }
  const first = await takeIn('twins', files)
  const second = await takeIn('twins', { ...files, [composed]: Buffer.from('one, and more') })
  const { desk, reader } = await openReader('specification')
  const at = (file: string) => reader.generations({ package: second, path: `content/${file}` })
  expect(await at(composed)).toMatchObject([{ package: first, is: 'changed', by: 'size' }])
  expect(await at(decomposed)).toMatchObject([{ package: first, is: 'same', by: 'digest' }])
  await desk.stop()
})

test('once its file is left, no further generation is asked about', async () => {
  const { proxy } = archiveOf('specification')
  const plan = { 'data/plan.txt': Buffer.from('en plan') }
  const [first, second, third] = [
    await takeIn('thrice', plan),
    await takeIn('thrice', plan),
    await takeIn('thrice', plan),
  ]
  const { desk, reader } = await openReader('specification')
  const file = { package: third, path: 'content/data/plan.txt' }
  const asked: string[] = []
  const left = Promise.withResolvers<void>()
  proxy.tell((request) => {
    asked.push(request)
    if (request.includes(first)) left.resolve(reader.leaveGenerations(file))
  })
  await expect(reader.generations(file)).rejects.toMatchObject({ failure: { kind: 'conflict' } })
  await left.promise
  expect(asked.filter((request) => request.includes(second))).toEqual([])
  // It is asked anew by whoever comes back.
  proxy.tell(() => undefined)
  expect(await reader.generations(file)).toHaveLength(2)
  await desk.stop()
})

test('a database in a zip is called by its format, not by what it is packed in', async () => {
  const opened = await openReader('essarch')
  const { id, identifier } = await somePackage(opened)
  const siard = await siardFile('2.1', 3, true)
  lay(identifier, { 'content/lov.siard': siard }, false)
  const { key } = await opened.reader.open({ package: id, path: 'content/lov.siard' })
  expect(await opened.reader.identify({ key })).toMatchObject({ puid: '', name: 'SIARD' })
  await opened.desk.stop()
})

test('of a file it is told how many others have its format, as far as that is known', async () => {
  const opened = await openReader('essarch')
  const { id, identifier } = await somePackage(opened)
  const names = ['content/a.dwg', 'content/b.DWG', 'content/c.bin', 'content/1.gif', 'content/2.gif']
  lay(identifier, Object.fromEntries(names.map((name) => [name, 'GIF89a'])), false)
  const alike = (path: string) => opened.reader.alike({ package: id, path })
  expect(await alike('content/a.dwg')).toEqual({ format: 'DWG', inPackage: null, identified: 0 })
  for (const path of ['content/1.gif', 'content/2.gif']) {
    const { key } = await opened.reader.open({ package: id, path })
    await opened.reader.identify({ key })
  }
  await opened.index(id)
  expect(await alike('content/a.dwg')).toEqual({ format: 'DWG', inPackage: 2, identified: 0 })
  expect(await alike('content/1.gif')).toEqual({ format: 'GIF', inPackage: 2, identified: 2 })
  await opened.desk.stop()
})

test('all files of a package are found by words of their paths and by their formats', async () => {
  const opened = await openReader('essarch')
  const { id, identifier } = await somePackage(opened)
  const names = [
    'content/1938/plan 1, källare.tif',
    'content/1938/Fasad.TIF',
    'content/brev/plan.txt',
    'läs mig',
    'mets.xml',
  ]
  lay(identifier, Object.fromEntries(names.map((name) => [name, 'x'])), false)
  expect(await opened.index(id)).toMatchObject({
    state: 'done',
    files: 5,
    isCut: false,
    hasContainer: false,
    formats: [
      { format: 'TIFF', files: 2, bytes: 2 },
      { format: '', files: 1, bytes: 1 },
      { format: 'Text', files: 1, bytes: 1 },
      { format: 'XML', files: 1, bytes: 1 },
    ],
    // Pictures first, then one of each other format, and none that only packs the others.
    leading: [
      { id: 'content/1938/Fasad.TIF', bytes: 1 },
      { id: 'content/1938/plan 1, källare.tif', bytes: 1 },
      { id: 'content/brev/plan.txt', bytes: 1 },
      { id: 'läs mig', bytes: 1 },
    ],
  })
  const found = async (text: string, format: string | null = null) => {
    const { rows, total } = await opened.reader.find({ package: id, text, format, offset: 0, limit: 50 })
    expect(rows).toHaveLength(total)
    return rows.map((row) => row.id)
  }
  expect(await found('')).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
  expect(await found('PLAN 1938')).toEqual(['content/1938/plan 1, källare.tif'])
  expect(await found('plan')).toHaveLength(2)
  expect(await found('', 'TIFF')).toHaveLength(2)
  expect(await found('plan', 'Text')).toEqual(['content/brev/plan.txt'])
  // A package that was sent in one tar holds what is in the tar.
  const tar = pack()
  for (const name of ['x/content/a.txt', 'x/content/b.txt']) tar.entry({ name }, 'text')
  tar.finalize()
  lay(identifier, { 'x.tar': await buffer(tar) }, false)
  await opened.desk.stop()
  const again = await openReader('essarch')
  expect(await again.index(id)).toMatchObject({ state: 'done', files: 2, hasContainer: true })
  const { rows } = await again.reader.find({ package: id, text: '', format: null, offset: 1, limit: 1 })
  expect(rows).toEqual([{ id: 'x.tar/x/content/b.txt', bytes: 4 }])
  await again.desk.stop()
})

test('a package that many others were looked at after is looked through no further, which is no bug', async () => {
  const bugs: unknown[] = []
  const reportBug = (error: unknown) => {
    bugs.push(error)
    return ''
  }
  const opened = await openReader('essarch', { reportBug })
  const { rows } = await opened.packages.list(flat)
  const [first = '', ...others] = rows.map(({ id }) => id).slice(0, 4)
  await opened.reader.index({ package: first })
  const looked = await Promise.all(others.map(opened.index))
  expect(looked.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
  expect(bugs).toEqual([])
  await opened.desk.stop()
})

test('what a tool identified goes before the ending of a name', async () => {
  const opened = await openReader('specification')
  const flac = Buffer.from('fLaC\0\0\0"rest')
  const id = await takeIn('identified', { 'data/a.dat': flac, 'data/b.flac': flac, 'data/c.dat': flac })
  const { key } = await opened.reader.open({ package: id, path: 'content/data/a.dat' })
  expect(await opened.reader.identify({ key })).toMatchObject({ puid: 'fmt/279' })
  const { formats } = await opened.index(id)
  expect(formats).toContainEqual({ format: 'FLAC', files: 2, bytes: 2 * flac.length })
  expect(formats).toContainEqual({ format: 'DAT', files: 1, bytes: flac.length })
  await opened.desk.stop()
})

test('thumbnails of its files are kept for a package', async () => {
  const { desk, reader } = await openReader('specification')
  await reader.keepThumbnail({ package: 'p', path: 'a.tif', picture: 'UklGRg==' })
  await reader.keepThumbnail({ package: 'p', path: 'b.tif', picture: null })
  expect(await reader.thumbnails({ package: 'p', paths: ['a.tif', 'b.tif', 'c.tif'] })).toEqual([
    { path: 'a.tif', picture: 'UklGRg==' },
    { path: 'b.tif', picture: null },
  ])
  await desk.stop()
})

test('a file is identified once, by a tool where one does its work, and one that fails is named', async () => {
  const opened = await openReader('essarch')
  const { id, identifier } = await somePackage(opened)
  const flac = 'fLaC\0\0\0"rest'
  lay(identifier, { 'content/a.flac': flac, 'content/b.flac': flac, 'content/c.txt': 'text' }, false)
  const open = async (name: string) =>
    (await opened.reader.open({ package: id, path: `content/${name}` })).key
  const [a, b, c] = [await open('a.flac'), await open('b.flac'), await open('c.txt')]
  const tools = path.join(archiveOf('essarch').folder, 'tools')
  mkdirSync(tools)
  const tool = path.join(tools, 'sf')
  const install = (script: string) =>
    writeFileSync(tool, `#!${process.execPath}\nconst fs = require('node:fs')\n${script}\n`, { mode: 0o755 })
  const before = process.env['PATH']
  try {
    process.env['PATH'] = tools
    // Without a tool, the beginning makes some formats certain.
    const certain = { puid: 'fmt/279', tool: 'built-in', failed: [] }
    expect(await opened.reader.identify({ key: a })).toMatchObject(certain)
    expect(await opened.reader.identify({ key: c })).toMatchObject({
      puid: '',
      name: 'TXT',
      tool: 'built-in',
    })
    install('process.exit(3)')
    expect(await opened.reader.identify({ key: b })).toMatchObject({ ...certain, failed: ['siegfried'] })
    // It is not asked again what it could not say; what nobody asked it is.
    install(`const names = process.argv[process.argv.indexOf('-f') + 1]
      const [file] = fs.readFileSync(names, 'utf8').split('\\n')
      const length = fs.readFileSync(file, 'latin1').length
      console.log('filename,id,format,mime,basis\\n"' + file + '",fmt/1,Known,x/y,' + length)`)
    expect(await opened.reader.identify({ key: b })).toMatchObject({ failed: ['siegfried'] })
    const known = { puid: 'fmt/1', name: 'Known', mime: 'x/y', tool: 'siegfried', failed: [] }
    expect(await opened.reader.identify({ key: a })).toEqual(known)
    install('process.exit(3)')
    expect(await opened.reader.identify({ key: a })).toEqual(known)
  } finally {
    process.env['PATH'] = before
  }
  await opened.desk.stop()
})

test('notes of a file stay at this desk, with who wrote them', async () => {
  const { desk, reader, folder } = await openReader('essarch')
  const file = { package: 'a', path: 'content/plan.tif' }
  const note = await reader.addNote({ ...file, text: 'The shelter is closed on the sheet of 1952.' })
  const other = await reader.addNote({ ...file, text: 'Torn' })
  expect(note.author).not.toBe('')
  await reader.removeNote({ id: other.id })
  expect(await reader.notes({ ...file, path: 'content/other.tif' })).toEqual([])
  await desk.stop()
  const again = await archiveOf('essarch').open('archivist', {}, folder)
  expect(await again.reader.notes(file)).toEqual([note])
  await again.desk.stop()
})

test('files are what the METS of their package says that they are', async () => {
  const opened = await openReader('essarch')
  const { id, identifier } = await somePackage(opened)
  const files = eArkFiles({ files: (all) => ({ ...all, 'representations/rep1/data/more.txt': '' }) })
  lay(
    identifier,
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`sip/${name}`, text])),
    false,
  )
  const roles = async (folder: string) => rolesBy(await opened.files.roles({ package: id, path: folder }))
  expect(await roles('')).toEqual({})
  expect(await roles('sip')).toEqual({
    'METS.xml': 'description',
    documentation: 'documentation',
    schemas: 'schemas',
  })
  expect(await roles('sip/metadata')).toEqual({
    descriptive: 'descriptive metadata',
    preservation: 'preservation metadata',
    other: 'rights metadata',
  })
  expect(await roles('sip/representations')).toEqual({ rep1: 'representation' })
  expect(await roles('sip/representations/rep1')).toEqual({
    'METS.xml': 'description',
    data: 'content',
    metadata: 'preservation metadata',
  })
  expect(await roles('sip/representations/rep1/data')).toEqual({
    'a.txt': 'content',
    folder: 'content',
    'more.txt': 'unnamed',
  })
  const asked: string[] = []
  archiveOf('essarch').proxy.tell((request) => asked.push(request))
  expect(await roles('sip/representations/rep1/data/folder')).toEqual({ 'å b%.txt': 'content' })
  // What a description says is kept while somebody goes through its folders.
  expect(asked.some((request) => decodeURIComponent(request).includes('METS.xml'))).toBe(false)
  // Of what cannot be read to its end nothing is said.
  lay(identifier, { 'sip/METS.xml': '<mets', 'sip/b.txt': 'two' }, false)
  expect(await roles('sip')).toEqual({})
  expect(asked.some((request) => decodeURIComponent(request).includes('METS.xml'))).toBe(true)
  await opened.desk.stop()
})

test('files of a SIP that was preserved as one tar are what its METS says, read from inside the tar', async () => {
  const opened = await openReader('essarch')
  const { id, identifier } = await somePackage(opened)
  using place = scratch()
  writeFolder(path.join(place.folder, 'SE-1'), eArkFiles({ identifier: 'SE-1' }))
  const tar = execFileSync('tar', ['-c', '-C', place.folder, 'SE-1'])
  lay(identifier, { [`content/${identifier}/content/sip.tar`]: tar }, false)
  const top = `content/${identifier}/content/sip.tar/SE-1`
  const roles = async (folder: string) =>
    rolesBy(await opened.files.roles({ package: id, path: `${top}${folder}` }))
  expect(await roles('')).toMatchObject({ 'METS.xml': 'description', schemas: 'schemas' })
  expect(await roles('/metadata')).toMatchObject({
    descriptive: 'descriptive metadata',
    preservation: 'preservation metadata',
  })
  expect(await roles('/representations')).toEqual({ rep1: 'representation' })
  expect(await roles('/representations/rep1/data')).toMatchObject({ 'a.txt': 'content' })
  await opened.desk.stop()
})

test('an E-ARK SIP with the identifier of one that is held becomes its next generation', async () => {
  const { desk, files } = await openReader('specification')
  const send = (text: string) =>
    takeInFolder('package-1', (folder) => writeFolder(folder, eArkFiles({ data: { 'a.txt': text } })))
  expect(await send('one')).toMatchObject({ generation: 1 })
  const second = await send('two')
  expect(second).toMatchObject({ generation: 2, last_generation: true })
  const { id } = second
  const names = async (folder: string) =>
    (await files.list({ package: id, path: folder })).map(({ name }) => name).sort()
  expect(await names('content')).toEqual(
    expect.arrayContaining(['METS.xml', 'documentation', 'metadata', 'representations', 'schemas']),
  )
  const roles = await files.roles({ package: id, path: 'content/representations' })
  expect(roles).toEqual([{ name: 'rep1', role: 'representation' }])
  await desk.stop()
})
