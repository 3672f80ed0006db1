import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Body } from '../../../../electron/local-archive/database.ts'
import type { Container } from '../../../../electron/local-archive/files/container-index.ts'
import { openIndexes } from '../../../../electron/local-archive/files/indexes.ts'
import { contentOf, damagedCopies } from '../../../../electron/local-archive/files/read-copies.ts'
import { partOf, receive } from '../../../../electron/jobs/kinds/download/receiving.ts'
import type { KeptDownload } from '../../../../electron/store/desk/job-bodies.ts'
import { openArchiveClient } from '../../../archives/archive-client.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { present } from '../../../support/present.ts'
import { judgeSavedFile } from '../../../../electron/reader/check-file.ts'
import { findPreservedDigest } from '../../../../electron/reader/preserved-digest.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { writeBag, zipFolder } from '../../../packages/bags.ts'
import { openFilesAt } from '../../../support/open-files.ts'
import { writeTar } from '../../../packages/tars.ts'

const place = scratch()
let archive: RunningArchive
/** Ids of the package that was taken in, and of its AIC. */
let aip = ''
let aic = ''
let copies: string[] = []

const text = Buffer.from('Fasaden målades röd år 1938.')
const long = Buffer.alloc(3_000_000, Buffer.from('0123456789abcdef'))
const contents: Record<string, Buffer> = {
  'data/brev/protokoll.txt': text,
  'data/brev/tom.txt': Buffer.alloc(0),
  'data/Åsa & Örjan/100 % säker?#1.txt': Buffer.from('procent'),
  'data/stor.bin': long,
  'data/sida.html': Buffer.from('<p>hej</p>'),
}

interface Said {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}
/** Asks for a path as it stands: nothing is resolved or encoded on the way. */
const raw = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<Said>((done, failed) => {
    const { hostname, port } = new URL(archive.url)
    request(
      { hostname, port, path: target, method, headers: { authorization: archive.basic, ...headers } },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', failed)
        response.on('end', () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        )
      },
    )
      .on('error', failed)
      .end()
  })
const below = (id: string, query = '') => `/api/information-packages/${id}/files/${query}`
const pathIn = (inside: string, more = '') => `?path=${encodeURIComponent(inside)}${more}`
const file = (inside: string, headers: Record<string, string> = {}, method = 'GET') =>
  raw(below(aip, pathIn(inside)), headers, method)
const listed = async (inside: string, more = '', id = aip) => {
  const said = await raw(below(id, pathIn(inside, more)))
  return { ...said, entries: JSON.parse(said.body.toString()) as Body[] }
}
const namesIn = async (inside: string, more = '', id = aip) =>
  (await listed(inside, more, id)).entries.map(({ name }) => name)
const detailOf = ({ body }: Said) => String((JSON.parse(body.toString()) as Body)['detail'])

/** A tar that lies where the first copy of a package with this id would, entered as that package. */
const enterTar = async (id: string, write: (file: string) => number) => {
  await archive.stop()
  const database = openDatabase(place.folder)
  const folder = path.join(place.folder, 'storage', 'made')
  mkdirSync(folder, { recursive: true })
  const target = path.join(folder, `${id}.tar`)
  const bytes = write(target)
  database.transaction(() => {
    const known = present(database.one('information package', aip))
    database.put('information package', {
      ...known,
      id,
      object_identifier_value: id,
      object_size: bytes,
      message_digest: createHash('sha256').update(id).digest('hex'),
    })
    const object = present(database.where('storage object', 'ip', aip)[0])
    database.put('storage object', { ...object, id: `copy-${id}`, ip: id, content_location_value: target })
  })
  database.close()
  archive = await startArchive(place.folder, '--dialect', 'specification')
  return target
}

/** Lays a bag into the ingest folder, and waits until it is preserved. */
const takeIn = async (identifier: string, files: Record<string, Buffer>) => {
  const bag = path.join(place.folder, `.${identifier}`)
  writeBag(bag, { 'External-Identifier': identifier }, files)
  const known = async () => {
    const families = (await archive.get('information-packages/')) as {
      id: string
      object_identifier_value: string
      information_packages: { id: string }[]
    }[]
    return families.find((family) => family.object_identifier_value === identifier)
  }
  const before = (await known())?.information_packages.length ?? 0
  renameSync(bag, path.join(place.folder, 'ingest', identifier))
  return until(async () => {
    const family = await known()
    return family && family.information_packages.length > before ? family : undefined
  })
}

beforeAll(async () => {
  archive = await startArchive(place.folder, '--dialect', 'specification')
  const inner = path.join(place.folder, 'inner')
  mkdirSync(inner)
  const tar = path.join(inner, 'x.tar')
  writeTar(tar, [
    { name: 'inner/', content: Buffer.alloc(0) },
    { name: 'inner/å b%20.txt', content: text },
    { name: './plain.bin', content: long },
    { name: '../escaped.txt', content: text },
    { name: '/absolute.txt', content: text },
  ])
  writeBag(path.join(inner, 'zipped'), {}, { 'data/a.txt': text, 'data/b/long.bin': long })
  await zipFolder(path.join(inner, 'zipped'), path.join(inner, 'y.zip'))
  const family = await takeIn('letters', {
    ...contents,
    'data/lådor/x.tar': readFileSync(tar),
    'data/lådor/y.zip': readFileSync(path.join(inner, 'y.zip')),
    'data/lådor/none.tar': Buffer.from('no tar'),
  })
  aic = family.id
  aip = present(family.information_packages[0]).id
  copies = ((await archive.get('storage-objects/')) as Body[])
    .filter(({ ip }) => ip === aip)
    .map((object) => String(object['content_location_value']))
})
afterAll(async () => {
  await archive.stop()
  place[Symbol.dispose]()
})

describe('what a folder holds', () => {
  test('the package itself, its folders, and the way down to a file', async () => {
    const { status, headers, entries } = await listed('')
    expect([status, headers['count'], headers['content-type']]).toEqual([200, '2', 'application/json'])
    expect(entries).toMatchObject([
      { name: 'content', type: 'dir' },
      { name: 'mets.xml', type: 'file' },
    ])
    expect(await namesIn('content')).toEqual(['bag-info.txt', 'bagit.txt', 'data', 'manifest-sha256.txt'])
    expect(await namesIn('content/data/')).toEqual(['brev', 'lådor', 'sida.html', 'stor.bin', 'Åsa & Örjan'])
    const { entries: letters } = await listed('content/data/brev')
    expect(letters).toMatchObject([
      { name: 'protokoll.txt', type: 'file', size: text.length },
      { name: 'tom.txt', type: 'file', size: 0 },
    ])
    expect(Date.parse(String(letters[0]?.['modified']))).toBeLessThanOrEqual(Date.now())
  })
  test('pages of it', async () => {
    const { headers, entries } = await listed('content', '&page=2&page_size=2')
    expect([headers['count'], entries.map(({ name }) => name)]).toEqual([
      '4',
      ['data', 'manifest-sha256.txt'],
    ])
    expect(headers['link']).toContain('rel="prev"')
  })
  test('a tar and a zip are told flat, without what would lead out of them', async () => {
    const { entries } = await listed('content/data/lådor/x.tar', '&expand_container=true')
    expect(entries.map(({ name, type, size }) => [name, type, size])).toEqual([
      ['plain.bin', 'file', long.length],
      ['inner/å b%20.txt', 'file', text.length],
    ])
    expect(entries[0]?.['modified']).toBe(new Date(1_700_000_000_000).toISOString())
    expect((await namesIn('content/data/lådor/y.zip', '&expand_container=true')).toSorted()).toEqual([
      'bag-info.txt',
      'bagit.txt',
      'data/a.txt',
      'data/b/long.bin',
      'manifest-sha256.txt',
    ])
  })
  test('what is no container, or none that can be read, is not found', async () => {
    for (const inside of ['content/data/lådor/none.tar', 'content/data/stor.bin', 'content/data/lådor'])
      expect([inside, (await listed(inside, '&expand_container=true')).status]).toEqual([inside, 404])
    expect((await file('content/data/lådor/none.tar/a')).status).toBe(404)
    expect((await file('content/data/lådor/x.tar/inner')).status).toBe(404)
  })
})

describe('the bytes of a file', () => {
  test.each(Object.entries(contents))('%s', async (name, content) => {
    const said = await file(`content/${name}`)
    expect([said.status, said.body.equals(content)]).toEqual([200, true])
    expect(said.headers).toMatchObject({
      'content-length': String(content.length),
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(content).digest('hex')}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    })
    const inPath = name.split('/').map(encodeURIComponent).join('/')
    expect((await raw(below(aip, `content/${inPath}`))).body.equals(content)).toBe(true)
  })
  test('of a tar, of a zip, and of what lies in them', async () => {
    const whole = await file('content/data/lådor/x.tar')
    expect(whole.body.equals(readFileSync(path.join(place.folder, 'inner', 'x.tar')))).toBe(true)
    for (const [inside, content] of [
      ['x.tar/inner/å b%20.txt', text],
      ['x.tar/plain.bin', long],
      ['y.zip/data/a.txt', text],
      ['y.zip/data/b/long.bin', long],
    ] as const) {
      const said = await file(`content/data/lådor/${inside}`)
      expect([inside, said.status, said.body.equals(content)]).toEqual([inside, 200, true])
      const part = await file(`content/data/lådor/${inside}`, { range: 'bytes=5-14' })
      expect([inside, part.status, part.body.equals(content.subarray(5, 15))]).toEqual([inside, 206, true])
    }
  })
  test('are of a type by their name, shown or kept under it', async () => {
    const { headers } = await file('content/data/sida.html')
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      'text/html',
      'inline; filename="sida.html"',
    ])
    const kept = await raw(
      below(aip, pathIn('content/data/Åsa & Örjan/100 % säker?#1.txt', '&download=true')),
    )
    expect(kept.headers['content-disposition']).toBe(
      `attachment; filename="100 _ s_ker?#1.txt"; filename*=UTF-8''100%20%25%20s%C3%A4ker%3F%231.txt`,
    )
  })
})

describe('a part of a file (RFC 9110 14)', () => {
  const size = long.length
  test.each([
    ['bytes=0-0', 0, 0],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    ['bytes=100-199', 100, 199],
    ['Bytes=2999990-99999999', size - 10, size - 1],
    ['bytes=-7', size - 7, size - 1],
    ['bytes=-99999999', 0, size - 1],
  ])('%s', async (range, first, last) => {
    const said = await file('content/data/stor.bin', { range })
    expect([said.status, said.headers['content-range'], said.headers['content-length']]).toEqual([
      206,
      `bytes ${first}-${last}/${size}`,
      String(last - first + 1),
    ])
    expect(said.body.equals(long.subarray(first, last + 1))).toBe(true)
  })
  test.each([`bytes=${size}-`, 'bytes=99999999999999999999-', 'bytes=-0'])(
    '%s is not there',
    async (range) => {
      const said = await file('content/data/stor.bin', { range })
      expect([said.status, said.headers['content-range']]).toEqual([416, `bytes */${size}`])
    },
  )
  test.each(['bytes=0-1,4-5', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes', ''])(
    '“%s” is answered by the whole',
    async (range) => {
      const said = await file('content/data/stor.bin', { range })
      expect([said.status, said.body.length]).toEqual([200, size])
    },
  )
  test('of an empty file', async () => {
    const of = (range: string) => file('content/data/brev/tom.txt', { range })
    expect((await of('bytes=0-')).status).toBe(416)
    expect((await of('bytes=-5')).status).toBe(200)
  })
  test('is sent only of the file that the client has a part of', async () => {
    const { headers } = await file('content/data/stor.bin', {}, 'HEAD')
    const etag = String(headers.etag)
    const time = String(headers['last-modified'])
    const of = async (mark: string) =>
      (await file('content/data/stor.bin', { range: 'bytes=1-2', 'if-range': mark })).status
    expect(await of(etag)).toBe(206)
    expect(await of(time)).toBe(206)
    for (const mark of ['"another"', `W/${etag}`, 'Tue, 03 Feb 1970 04:05:06 GMT', 'nonsense'])
      expect([mark, await of(mark)]).toEqual([mark, 200])
  })
})

test('what a client has already is not sent again, and what it wants to be the same is', async () => {
  const { headers, body } = await file('content/data/brev/protokoll.txt', {}, 'HEAD')
  expect([headers['content-length'], body.length]).toEqual([String(text.length), 0])
  const etag = String(headers.etag)
  const time = String(headers['last-modified'])
  const of = async (given: Record<string, string>) => {
    const said = await file('content/data/brev/protokoll.txt', given)
    return [said.status, said.headers.etag]
  }
  for (const given of [
    { 'if-none-match': etag },
    { 'if-none-match': `"a", W/${etag}` },
    { 'if-none-match': '*' },
    { 'if-modified-since': time },
  ])
    expect(await of(given)).toEqual([304, etag])
  expect(await of({ 'if-none-match': '"a"', 'if-modified-since': time })).toEqual([200, etag])
  expect(await of({ 'if-match': '"a"' })).toEqual([412, etag])
  expect(await of({ 'if-match': `W/${etag}` })).toEqual([412, etag])
  expect(await of({ 'if-match': etag, 'if-unmodified-since': time })).toEqual([200, etag])
  expect(await of({ 'if-unmodified-since': 'Tue, 03 Feb 1970 04:05:06 GMT' })).toEqual([412, etag])
})

test.each([
  '?path=../',
  '?path=content/../../x',
  '?path=..%2F..%2Farchive.sqlite',
  '?path=%2e%2e/%2e%2e/archive.sqlite',
  '?path=/etc/passwd',
  '?path=/',
  '?path=content//data',
  '?path=content/./data',
  '?path=content/data/brev/protokoll.txt%00',
  '?path=content%5Cdata',
  '?path=nothing',
  '?path=constructor',
  '?path=content/data/l%C3%A5dor/x.tar/../escaped.txt',
  '?path=content/data/brev/protokoll.txt/more',
  '../',
  '%2e%2e/%2e%2e/me/',
  '..%2F..%2Fme/',
  'content/%2e%2E/mets.xml',
  '%2Fetc/passwd',
  'content/%',
])('a path that leads nowhere or out of the package is not found: %s', async (asked) => {
  expect((await raw(below(aip, asked))).status).toBe(404)
})

describe('who asks of what', () => {
  test('that files can be read is told of every package, and nothing can be written', async () => {
    for (const id of [aip, '00000000-0000-0000-0000-000000000000']) {
      const said = await raw(below(id), {}, 'OPTIONS')
      expect([said.status, said.headers['allow']]).toEqual([200, 'GET, HEAD, OPTIONS'])
    }
    for (const method of ['POST', 'DELETE', 'PUT'])
      expect((await raw(below(aip), {}, method)).status).toBe(405)
  })
  test('an AIC has no files, and neither has a package that there is not', async () => {
    expect((await raw(below(aic))).status).toBe(404)
    expect((await raw(below('nothing'))).status).toBe(404)
  })
  test('who may see a package may see its files, and nobody else', async () => {
    const { username, password } = present(archive.others.find((other) => other.username === 'reader'))
    const authorization = `Basic ${btoa(`${username}:${password}`)}`
    const of = async () => (await file('content/data/brev/protokoll.txt', { authorization })).status
    expect(await of()).toBe(200)
    expect((await file('mets.xml', { authorization: '' })).status).toBe(401)
    await archive.stop()
    const database = openDatabase(place.folder)
    database.put('restriction', { id: aic })
    database.close()
    archive = await startArchive(place.folder, '--dialect', 'specification')
    const hidden = present(archive.others.find((other) => other.username === 'reader'))
    const hiddenFrom = `Basic ${btoa(`${hidden.username}:${hidden.password}`)}`
    expect((await file('mets.xml', { authorization: hiddenFrom })).status).toBe(404)
    expect((await file('mets.xml')).status).toBe(200)
  })
  test('each generation has the files that were its own', async () => {
    const family = await takeIn('letters', { 'data/brev/nytt.txt': Buffer.from('nytt') })
    const later = present(family.information_packages.find(({ id }) => id !== aip)).id
    expect(await namesIn('content/data/brev', '', later)).toEqual(['nytt.txt'])
    expect(await namesIn('content/data/brev')).toEqual(['protokoll.txt', 'tom.txt'])
  })
})

test('a download of the desk that was stopped goes on from there', async () => {
  const client = openArchiveClient(archive.url, archive.basic)
  const target = path.join(place.folder, 'received.bin')
  const kept: KeptDownload[] = []
  const download: KeptDownload = {
    id: randomUUID(),
    package: aip,
    path: 'content/data/stor.bin',
    target,
    state: 'running',
    bytesDone: 0,
    bytes: null,
    failure: null,
    verdict: null,
    mark: '',
    replaces: false,
    isToCompare: false,
    placing: null,
  }
  const stop = new AbortController()
  const how = { archive: client, signal: stop.signal, progress: () => undefined }
  // It is stopped when the first bytes of the whole come, and what is on the disk by then is part of it.
  const stopped = receive(download, {
    ...how,
    keep: (first) => {
      kept.push(first)
      stop.abort()
    },
  })
  await expect(stopped).rejects.toThrow()
  writeFileSync(partOf(download), long.subarray(0, 1_000_000))
  await receive(
    { ...download, mark: kept[0]?.mark ?? '' },
    { ...how, signal: new AbortController().signal, keep: (again) => void kept.push(again) },
  )
  expect(kept.map(({ bytesDone, bytes, placing }) => [bytesDone, bytes, placing])).toEqual([
    [0, long.length, null],
    [999_999, long.length, null],
    [long.length, long.length, target],
  ])
  expect(readFileSync(target).equals(long)).toBe(true)
  const { signal } = new AbortController()
  const asked = { archive: client, package: aip, path: 'content/data/stor.bin', signal }
  const preserved = await findPreservedDigest(asked)
  const judged = () => judgeSavedFile({ target, bytes: long.length, preserved, signal })
  expect(await judged()).toMatchObject({ is: 'preserved', algorithm: 'SHA-256' })
  writeFileSync(target, Buffer.concat([long.subarray(1), Buffer.from('x')]))
  expect(await judged()).toMatchObject({ is: 'changed', algorithm: 'SHA-256' })
  truncateSync(target, 1)
  await expect(judged()).rejects.toMatchObject({ failure: { detail: '1 of 3000000 bytes came.' } })
  await client.close()
})

describe('copies', () => {
  const aside = (copy: string) => `${copy}.aside`
  const give = (copy: string, bytes: Buffer) => writeFileSync(copy, bytes)

  test('the next one is taken where one is gone, cut or closed', async () => {
    const [first = '', second = '', third = ''] = copies
    const whole = readFileSync(first)
    rmSync(first)
    expect((await file('content/data/stor.bin')).body.equals(long)).toBe(true)
    truncateSync(second, whole.length - 512)
    expect((await file('content/data/stor.bin')).body.equals(long)).toBe(true)
    expect(await namesIn('')).toEqual(['content', 'mets.xml'])
    rmSync(third)
    mkdirSync(third)
    const said = await file('content/data/stor.bin')
    expect([said.status, detailOf(said)]).toEqual([
      404,
      'No copy of this package can be read here, and so none of its files. Copies: ' +
        'FOLDER-1 in This computer (not there), FOLDER-2 in This computer (damaged), ' +
        'FOLDER-3 in This computer (not there).',
    ])
    expect((await raw(below(aip))).status).toBe(404)
    rmSync(third, { recursive: true })
    for (const copy of copies) give(copy, whole)
    expect((await file('content/data/stor.bin')).status).toBe(200)
  })
  test('a trouble of the computer is no missing file', async () => {
    for (const copy of copies) {
      renameSync(copy, aside(copy))
      // The system refuses to open what leads to itself.
      symlinkSync(copy, copy)
    }
    const said = await file('mets.xml')
    expect([said.status, said.headers['retry-after']]).toEqual([503, '30'])
    for (const copy of copies) {
      rmSync(copy)
      renameSync(aside(copy), copy)
    }
    expect((await file('mets.xml')).status).toBe(200)
  })
  test('bytes that are not those of the manifest are not given for a file', async () => {
    const [first = ''] = copies
    const whole = readFileSync(first)
    const damage = (inside: string, byte: number) => {
      const handle = openSync(first, 'r+')
      writeSync(handle, Buffer.from('X'), 0, 1, whole.indexOf(`${aip}/${inside}`) + 512 + byte)
      closeSync(handle)
    }
    // A short file comes from the next copy.
    damage('content/data/brev/protokoll.txt', 3)
    expect((await file('content/data/brev/protokoll.txt')).body.equals(text)).toBe(true)
    give(first, whole)
    // What was sent of a long one is cut off before its end; who asks again gets it from the next copy.
    damage('content/data/stor.bin', 2_900_000)
    expect(await file('content/data/stor.bin').catch(({ code }: Error & { code: string }) => code)).toBe(
      'ECONNRESET',
    )
    expect((await file('content/data/stor.bin')).body.equals(long)).toBe(true)
    give(first, whole)
  })
  test('the next one is taken where the header of a file is not there any more', async () => {
    const [first = ''] = copies
    const whole = readFileSync(first)
    const header = whole.indexOf(`${aip}/content/data/stor.bin`)
    give(first, Buffer.concat([whole.subarray(0, header), Buffer.alloc(512), whole.subarray(header + 512)]))
    const part = await file('content/data/stor.bin', { range: 'bytes=16-31' })
    expect([part.status, part.body.toString()]).toEqual([206, '0123456789abcdef'])
    give(first, whole)
  })
  test('the next one is taken where a tar cannot be read to its end', async () => {
    for (const name of readdirSync(path.join(place.folder, 'file-index')))
      rmSync(path.join(place.folder, 'file-index', name))
    await archive.stop()
    archive = await startArchive(place.folder, '--dialect', 'specification')
    const [first = ''] = copies
    const whole = readFileSync(first)
    const broken = Buffer.from(whole)
    broken.write('X', whole.indexOf(`${aip}/content/data/stor.bin`))
    give(first, broken)
    expect(await namesIn('content/data/brev')).toEqual(['protokoll.txt', 'tom.txt'])
    give(first, whole)
  })
  test('one that ends in the middle of a file is gone on with by the next', async () => {
    using two = scratch()
    const made = ['a.tar', 'b.tar'].map((name) => path.join(two.folder, name))
    const bytes = made.map((name) => writeTar(name, [{ name: 'long.bin', content: long }]))[0] ?? 0
    const entry = {
      name: 'long.bin',
      isFolder: false,
      position: 512,
      bytes: long.length,
      stored: long.length,
      isCompressed: false,
      modifiedMs: null,
      sha256: null,
    }
    const chunks = contentOf(
      made.map((name) => ({ file: name, bytes, medium: '', location: '' })),
      entry,
      { first: 5, last: long.length - 1 },
      damagedCopies(),
    )
    const read: Buffer[] = []
    for await (const chunk of chunks) {
      read.push(chunk)
      truncateSync(made[0] ?? '', 300_000)
    }
    expect(Buffer.concat(read).equals(long.subarray(5))).toBe(true)
    expect(openFilesAt(two.folder)).toEqual([])
  })
  test('a copy that disappears while it is read is read to its end', async () => {
    const target = `${archive.url}${below(aip, pathIn('content/data/stor.bin'))}`
    const response = await fetch(target, { headers: { authorization: archive.basic } })
    for (const copy of copies) renameSync(copy, aside(copy))
    expect(Buffer.from(await response.arrayBuffer()).equals(long)).toBe(true)
    for (const copy of copies) renameSync(aside(copy), copy)
  })
})

test('a description without copies on this computer says so', async () => {
  using other = scratch()
  const sample = await startArchive(other.folder, '--sample', '--dialect', 'specification')
  const [object] = (await sample.get('storage-objects/')) as Body[]
  const said = await fetch(`${sample.url}${below(String(object?.['ip']))}`, {
    headers: { authorization: sample.basic },
  })
  expect([said.status, ((await said.json()) as Body)['detail']]).toEqual([
    404,
    expect.stringContaining(String(object?.['medium_id'])),
  ])
  await sample.stop()
})

describe('the index of a tar', () => {
  const openTwo = (folder: string, limit?: number) => {
    const containers = ['a', 'b'].map((name): Container => {
      const tar = path.join(folder, `${name}.tar`)
      const bytes = writeTar(tar, [
        { name: './in/twice.txt', content: Buffer.from('1') },
        { name: 'in/twice.txt', content: Buffer.from('22') },
      ])
      return { key: name, file: tar, fileBytes: bytes, form: 'tar', start: 0, bytes, top: '', mets: null }
    })
    const indexes = openIndexes(path.join(folder, 'index'), limit)
    const sizeIn = async (container: Container) => {
      const said = await indexes.answer({ ask: 'find', container, path: 'in/twice.txt' })
      return 'value' in said ? (said.value as { bytes: number } | undefined)?.bytes : said
    }
    const kept = () => readdirSync(path.join(folder, 'index'))
    return { indexes, containers, sizeIn, kept }
  }

  test('is kept, and asked without the tar; of two files of one name the last counts', async () => {
    using two = scratch()
    const { indexes, containers, sizeIn, kept } = openTwo(two.folder)
    const first = present(containers[0])
    expect(await Promise.all([sizeIn(first), sizeIn(first)])).toEqual([2, 2])
    indexes.close()
    expect(kept()).toHaveLength(1)
    rmSync(first.file)
    const again = openIndexes(path.join(two.folder, 'index'))
    expect(await again.answer({ ask: 'count', container: first, folder: 'in' })).toEqual({ value: 1 })
    again.close()
  })
  test('is written anew where it is damaged, and what was left half written is removed', async () => {
    using two = scratch()
    const { indexes, containers, sizeIn, kept } = openTwo(two.folder)
    const first = present(containers[0])
    await sizeIn(first)
    indexes.close()
    const [name = ''] = kept()
    writeFileSync(path.join(two.folder, 'index', name), Buffer.alloc(8_192, 'x'))
    writeFileSync(path.join(two.folder, 'index', `${name}.partial`), 'x')
    const again = openTwo(two.folder)
    expect(again.kept()).toEqual([name])
    expect(await again.sizeIn(first)).toBe(2)
    again.indexes.close()
  })
  test('gives way to newer ones where there is no room', async () => {
    using two = scratch()
    const { indexes, containers, sizeIn, kept } = openTwo(two.folder, 1)
    for (const container of [...containers, ...containers]) expect(await sizeIn(container)).toBe(2)
    expect(kept()).toHaveLength(1)
    indexes.close()
  })
})

describe('large tars', () => {
  const gigabytes = 5_000_000_000

  test('of 5 GB no more is read than is asked for, and who leaves lets go of the file', async () => {
    const beginning = Buffer.from('beginning')
    const target = await enterTar('large', (made) =>
      writeTar(made, [
        { name: 'large/content/data/film.mov', content: beginning, bytes: gigabytes },
        { name: 'large/content/data/after.txt', content: text },
      ]),
    )
    const of = (headers: Record<string, string>) =>
      raw(below('large', pathIn('content/data/film.mov')), headers)
    expect((await of({ range: 'bytes=0-8' })).body).toEqual(beginning)
    const part = await of({ range: 'bytes=4999999999-' })
    expect([part.status, part.headers['content-range'], part.body]).toEqual([
      206,
      `bytes ${gigabytes - 1}-${gigabytes - 1}/${gigabytes}`,
      Buffer.alloc(1),
    ])
    expect((await raw(below('large', pathIn('content/data/after.txt')))).body).toEqual(text)

    const leaving = new AbortController()
    const response = await fetch(`${archive.url}${below('large', pathIn('content/data/film.mov'))}`, {
      headers: { authorization: archive.basic },
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    expect(openFilesAt(target, archive.pid)).toEqual([target])
    leaving.abort()
    await until(() => (openFilesAt(target, archive.pid).length === 0 ? true : undefined))
  })

  test('of 100 000 names each is found, and others are answered meanwhile', async () => {
    const count = 100_000
    const nameOf = (number: number) => `b${String(number).padStart(6, '0')}.txt`
    await enterTar('many', (made) =>
      writeTar(
        made,
        Array.from({ length: count }, (_, number) => ({
          name: `many/content/data/${nameOf(number)}`,
          content: Buffer.from(String(number)),
        })),
      ),
    )
    const first = listed('content/data', '', 'many')
    let isListed = false
    let answered = 0
    const over = first.then(() => (isListed = true))
    while (!isListed) {
      // Of another package as well, whose files are found by the same thread.
      expect((await raw('/api/me/')).status).toBe(200)
      expect((await file('content/data/brev/protokoll.txt')).status).toBe(200)
      answered += 1
    }
    await over
    const { headers, entries } = await first
    expect([headers['count'], entries.length, entries[99_999]?.['name']]).toEqual([
      String(count),
      count,
      nameOf(count - 1),
    ])
    // Whoever waits for the whole of a list is answered once.
    expect(answered).toBeGreaterThan(20)
    expect((await listed('content/data', '&page=1000&page_size=100', 'many')).entries[99]).toMatchObject({
      name: nameOf(99_999),
      size: 5,
    })
    const one = await raw(below('many', pathIn(`content/data/${nameOf(54_321)}`)))
    expect(one.body.toString()).toBe('54321')
  })
})
