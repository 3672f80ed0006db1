import { expect, test } from 'vitest'
import { contentOf, readWhole, Unreachable, type Content } from '../../../renderer/viewer/content.ts'
import { capturesOf, sentIn } from '../../../renderer/viewer/formats/warc.ts'
import { openZip } from '../../../renderer/viewer/formats/zip-by-parts.ts'
import { warc, zipOf } from '../../viewer/specimens.ts'

test.each([
  ['bil%E5d.gif', 'bil%E5d.gif'],
  ['k%C3%A4llare.gif', 'källare.gif'],
  ['', 'index.html'],
])('what was captured at an address that ends with "%s" is read', async (written, name) => {
  const archive = warc([{ address: `http://hamn.example/${written}`, type: 'image/gif', body: 'GIF89a' }])
  const sent: Content[] = []
  for await (const capture of capturesOf(contentOf('webb.warc', new Uint8Array(archive))))
    if (capture.record === 'response') sent.push(await sentIn(capture))
  expect(sent.map((one) => [one.name, one.bytes])).toEqual([[name, 6]])
})

test('a member of a zip is read once the archive gives it again', async () => {
  const rows = Array.from({ length: 60_000 }, (_, row) => `rad ${(row * 7919) % 10_007}`).join('\n')
  const bytes = new Uint8Array(await zipOf({ 'rader.txt': rows }))
  let isGiven = true
  const whole: Content = {
    name: 'arkiv.zip',
    bytes: bytes.length,
    read: async (from, to) => {
      if (!isGiven) throw new Unreachable('503')
      return await Promise.resolve(bytes.slice(from, to))
    },
  }
  const member = await (await openZip(whole)).open('rader.txt')
  if (!member) throw new Error('The zip has no such member.')
  isGiven = false
  await expect(readWhole(member)).rejects.toThrow(Unreachable)
  isGiven = true
  expect(Buffer.from(await readWhole(member)).toString()).toBe(rows)
})
