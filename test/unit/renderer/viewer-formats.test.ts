import { expect, test } from 'vitest'
import { contentOf, type Content } from '../../../renderer/viewer/content.ts'
import { capturesOf, sentIn } from '../../../renderer/viewer/formats/warc.ts'
import { warc } from '../../viewer/specimens.ts'

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
