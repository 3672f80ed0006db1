import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ArrivedPart } from '../../../../electron/contract/reader.ts'
import { content, openContentAnswers } from '../../../../electron/reader/content-answer.ts'
import { mostPartBytes, openOpenedFiles } from '../../../../electron/reader/opened-files.ts'
import { openArchiveClient } from '../../../archives/archive-client.ts'
import { scratch } from '../../../support/scratch.ts'

const bytes = 6 * 1024 * 1024 + 17
const whole = Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 7 + (index >> 12)) % 251))

interface Given {
  file: Buffer
  hasRanges: boolean
  saysLength?: boolean
  etag?: () => string
  /** So many bytes of a part are given at once, however many are asked for. */
  most?: number
}

/** Gives a file as an archive does, with parts of it or without. */
const give = (response: ServerResponse, range: string | undefined, given: Given) => {
  const { file, hasRanges, saysLength = true, etag = () => '"a"', most = Infinity } = given
  response.setHeader('ETag', etag())
  const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (hasRanges && range !== undefined && Number(from) >= file.length) {
    response.writeHead(416, { 'Content-Range': `bytes */${file.length}` }).end()
  } else if (hasRanges && range !== undefined) {
    const part = file.subarray(Number(from), Math.min(Number(to) + 1, Number(from) + most))
    const last = Number(from) + part.length - 1
    response.writeHead(206, { 'Content-Range': `bytes ${from}-${last}/${file.length}` }).end(part)
  } else if (saysLength) response.writeHead(200, { 'Content-Length': file.length }).end(file)
  else {
    response.writeHead(200)
    response.write(file.subarray(0, 1_000_000))
    response.end(file.subarray(1_000_000))
  }
}

const openReader = async (given: Given, place = scratch()) => {
  const asked: string[] = []
  const server = createServer(({ headers }, response) => {
    asked.push(String(headers.range))
    give(response, headers.range, given)
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = openArchiveClient(url)
  const arrived: ArrivedPart[] = []
  const folder = path.join(place.folder, 'desk', 'opened')
  const files = openOpenedFiles({ folder, arrived: (_archive, part) => arrived.push(part) })
  onTestFinished(async () => {
    await files.closeAll()
    await client.stop()
    server.close()
    place[Symbol.dispose]()
  })
  return {
    files,
    folder,
    asked,
    arrived,
    open: (most?: number) =>
      files.open({ archive: 'a', client: () => client, path: 'f', of: { package: 'p', path: 'f' }, most }),
  }
}

test('a file is read by parts, and nothing but the parts that were asked for is fetched', async () => {
  const { files, asked, open } = await openReader({ file: whole, hasRanges: true })
  const file = await open()
  expect(file).toMatchObject({ bytes, isByParts: true })
  const read = (first: number, last: number) => files.read(file.key, { first, last })
  expect(await read(0, 99)).toEqual(whole.subarray(0, 100))
  expect(await read(5_000_000, 5_000_999)).toEqual(whole.subarray(5_000_000, 5_001_000))
  expect(await read(bytes - 5, bytes + 5)).toEqual(whole.subarray(-5))
  expect((await read(1_000_000, bytes)).length).toBe(mostPartBytes)
  expect(asked).toEqual([
    'bytes=0-262143',
    'bytes=5000000-5000999',
    `bytes=${bytes - 5}-${bytes - 1}`,
    `bytes=1000000-${1_000_000 + mostPartBytes - 1}`,
  ])
})

test.each([{ saysLength: true }, { saysLength: false }])(
  'a file that an archive gives only whole lies on the disk while it is open ($saysLength)',
  async ({ saysLength }) => {
    const { files, folder, asked, arrived, open } = await openReader({
      file: whole,
      hasRanges: false,
      saysLength,
    })
    const file = await open()
    expect(file).toMatchObject({ bytes, isByParts: false })
    expect(await files.read(file.key, { first: 6_000_000, last: 6_000_009 })).toEqual(
      whole.subarray(6_000_000, 6_000_010),
    )
    expect(asked).toHaveLength(1)
    if (saysLength) await expect.poll(() => arrived.at(-1)).toEqual({ key: file.key, bytes, total: bytes })
    expect(readdirSync(folder)).toHaveLength(1)
    await files.close(file.key)
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
    expect(files.bytesOf(file.key)).toBeUndefined()
  },
)

test('a folder that could not be made at the start is made once the disk lets it', async () => {
  const place = scratch()
  const desk = path.join(place.folder, 'desk')
  writeFileSync(desk, '')
  const { open } = await openReader({ file: whole, hasRanges: false }, place)
  await expect(open()).rejects.toThrow('ENOTDIR')
  rmSync(desk)
  expect(await open()).toMatchObject({ bytes })
})

test('a short file and an empty one are there at once, whatever the archive gives', async () => {
  for (const hasRanges of [true, false])
    for (const file of [Buffer.alloc(0), Buffer.from('å')]) {
      const { files, folder, open } = await openReader({ file, hasRanges })
      const opened = await open()
      expect(opened.bytes).toBe(file.length)
      expect(await files.read(opened.key, { first: 0, last: 10 })).toEqual(file)
      expect(existsSync(folder) && readdirSync(folder).length > 0).toBe(false)
    }
})

test('another file under the same path is not taken for the one that is open', async () => {
  let etag = '"a"'
  const { files, open } = await openReader({ file: whole, hasRanges: true, etag: () => etag })
  const { key } = await open()
  etag = '"b"'
  await expect(files.read(key, { first: 1_000_000, last: 1_000_001 })).rejects.toMatchObject({
    failure: { kind: 'conflict' },
  })
})

test('what is still read of a file as it is closed says that it is open no more', async () => {
  const { files, open } = await openReader({ file: whole, hasRanges: true })
  const { key } = await open()
  const reading = files.stream(key, new AbortController().signal)[Symbol.asyncIterator]().next()
  await Promise.all([
    expect(reading).rejects.toMatchObject({ failure: { kind: 'not-found', what: 'file' } }),
    files.close(key),
  ])
})

test('the frame is answered by parts, and by nothing for what is not open', async () => {
  const { files, open } = await openReader({ file: whole, hasRanges: true })
  const { key } = await open()
  const answer = openContentAnswers(files, String)
  const ask = (range?: string, url = content + key) =>
    answer({ url, headers: new Headers(range === undefined ? {} : { range }) })
  const part = await ask('bytes=10-19')
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes}`])
  expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20))
  // A player asks for all that follows, and again where less came: it is given more each time it goes on.
  const half = 512 * 1024
  let first = 1_000_000
  for (const given of [half, 4 * half, bytes - 1_000_000 - 5 * half]) {
    const rest = await ask(`bytes=${first}-`)
    expect(rest.headers.get('content-range')).toBe(`bytes ${first}-${first + given - 1}/${bytes}`)
    first += given
  }
  // It looks for its index at the end, and comes back.
  const back = await ask('bytes=5-')
  expect(back.headers.get('content-range')).toBe(`bytes 5-${5 + half - 1}/${bytes}`)
  const end = await ask('bytes=-7')
  expect(Buffer.from(await end.arrayBuffer())).toEqual(whole.subarray(-7))
  expect(Buffer.from(await (await ask()).arrayBuffer()).equals(whole)).toBe(true)
  expect((await ask(`bytes=${bytes}-`)).status).toBe(416)
  expect((await ask('bytes=0-1', `${content}${'x'.repeat(32)}`)).status).toBe(404)
  await files.close(key)
  expect((await ask('bytes=0-1')).status).toBe(404)
})

test('the frame is told of no part that cannot be read; a bug is written to the log, a failure is not', async () => {
  let isBroken = false
  const given = {
    file: whole,
    hasRanges: true,
    etag: () => (isBroken ? '"b"' : '"a"'),
  }
  const { files, open } = await openReader(given)
  const { key } = await open()
  const bugs: unknown[] = []
  const answerBy = (read: typeof files.read) => {
    const answer = openContentAnswers({ bytesOf: files.bytesOf, read }, (error) => String(bugs.push(error)))
    return (headers: HeadersInit) => answer({ url: content + key, headers: new Headers(headers) })
  }
  isBroken = true
  expect((await answerBy(files.read)({ range: 'bytes=1000000-1000001' })).status).toBe(502)
  await expect((await answerBy(files.read)({})).arrayBuffer()).rejects.toThrow()
  expect(bugs).toEqual([])
  const bug = new TypeError('of nothing')
  const broken = answerBy(() => Promise.reject(bug))
  expect((await broken({ range: 'bytes=1000000-1000001' })).status).toBe(502)
  await expect((await broken({})).arrayBuffer()).rejects.toThrow()
  expect(bugs).toEqual([bug, bug])
})

test('what is asked of a file that comes whole, as it is closed, is no bug', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': bytes })
    response.write(whole.subarray(0, 1_000_000))
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const client = openArchiveClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const place = scratch()
  const files = openOpenedFiles({ folder: path.join(place.folder, 'opened'), arrived: () => undefined })
  const of = { package: 'p', path: 'f' }
  const { key } = await files.open({ archive: 'a', client: () => client, path: 'f', of })
  const bugs: unknown[] = []
  const answer = openContentAnswers(files, (error) => String(bugs.push(error)))
  const answered = answer({ url: content + key, headers: new Headers({ range: 'bytes=5000000-5000001' }) })
  await files.close(key)
  expect([(await answered).status, bugs]).toEqual([502, []])
  await client.stop()
  server.closeAllConnections()
  server.close()
  place[Symbol.dispose]()
})

test('an archive that gives less than was asked for is asked on, for a short file too', async () => {
  for (const file of [whole, whole.subarray(0, 1_000)]) {
    const { files, open } = await openReader({
      file,
      hasRanges: true,
      most: file.length > 1_000 ? 100_000 : 300,
    })
    const { key } = await open()
    const parts: Buffer[] = []
    for await (const part of files.stream(key, AbortSignal.timeout(60_000))) parts.push(part)
    expect(Buffer.concat(parts).equals(file)).toBe(true)
    expect((await files.read(key, { first: 100, last: 899 })).equals(file.subarray(100, 900))).toBe(true)
  }
})

test('of an archive that gives the whole later on, only the part that was asked for is held', async () => {
  let hasRanges = true
  const given = {
    file: whole,
    get hasRanges() {
      return hasRanges
    },
  }
  const { files, open } = await openReader(given)
  const { key } = await open()
  hasRanges = false
  const part = await files.read(key, { first: 5_000_000, last: 5_000_999 })
  expect(part.equals(whole.subarray(5_000_000, 5_001_000))).toBe(true)
})

test.each([{ saysLength: true }, { saysLength: false }])(
  'a file that is longer than it may be is not opened, and leaves nothing ($saysLength)',
  async ({ saysLength }) => {
    const { open, folder } = await openReader({ file: whole, hasRanges: false, saysLength })
    await expect(open(1_000_000)).rejects.toMatchObject({ failure: { kind: 'conflict', detail: 'too long' } })
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  },
)

test('a page to sign in at, given in place of everything, is not shown as a file', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>')
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const client = openArchiveClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const place = scratch()
  const files = openOpenedFiles({ folder: path.join(place.folder, 'opened'), arrived: () => undefined })
  const asked = { archive: 'a', client: () => client, path: 'f', of: { package: 'p', path: 'brev.txt' } }
  await expect(files.open(asked)).rejects.toMatchObject({ failure: { kind: 'server-broke', detail: 'html' } })
  await files.closeAll()
  await client.stop()
  server.close()
  place[Symbol.dispose]()
})
