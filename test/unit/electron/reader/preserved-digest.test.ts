import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { findPreservedDigest } from '../../../../electron/reader/preserved-digest.ts'
import { openArchiveClient } from '../../../archives/archive-client.ts'
import { metsOf } from '../../../essarch/mets.ts'

const composed = 'data/\u00e9.txt'
const decomposed = 'data/e\u0301.txt'
const contents = [
  { path: composed, content: Buffer.from('one') },
  { path: decomposed, content: Buffer.from('another') },
]
const digest = (algorithm: string, content: Buffer) => createHash(algorithm).update(content).digest('hex')

/** What is preserved of two files whose names read the same, in the order in which the package has them. */
const saidOf = async (wanted: string, files: typeof contents, by: 'METS' | 'manifest') => {
  const manifest = files.map(({ path, content }) => `${digest('sha256', content)}  ${path}\n`).join('')
  const texts = new Map(
    by === 'METS' ? [['mets.xml', metsOf('P', files)]] : [['manifest-sha256.txt', manifest]],
  )
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://localhost').searchParams.get('path') ?? ''
    const text = texts.get(asked)
    const entries = [...texts].map(([name, { length: size }]) => ({ type: 'file', name, size }))
    if (text !== undefined) response.writeHead(200, { 'content-type': 'text/plain' }).end(text)
    else if (asked === 'mets.xml')
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail": "Not found."}')
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(asked === '' ? entries : []))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const archive = openArchiveClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const { signal } = new AbortController()
  const said = await findPreservedDigest({ archive, package: 'p', path: wanted, signal })
  await archive.close()
  await new Promise((resolve) => server.close(resolve))
  return said?.digest
}

test.each(['METS', 'manifest'] as const)(
  'of two files whose names read the same each has the digest that the %s says of it',
  async (by) => {
    const algorithm = by === 'METS' ? 'md5' : 'sha256'
    for (const files of [contents, contents.toReversed()])
      for (const { path, content } of contents)
        expect(await saidOf(path, files, by)).toBe(digest(algorithm, content))
    // Where only one is named, another spelling of its name is the same file.
    for (const { path, content } of contents)
      expect(await saidOf(path === composed ? decomposed : composed, [{ path, content }], by)).toBe(
        digest(algorithm, content),
      )
  },
)
