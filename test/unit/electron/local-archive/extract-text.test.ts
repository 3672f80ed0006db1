import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { textOfFile } from '../../../../electron/local-archive/search/extract-text.ts'
import { scratch } from '../../../support/scratch.ts'

const textOf = async (name: string, content: string) => {
  using place = scratch()
  const file = path.join(place.folder, name)
  writeFileSync(file, content)
  return await textOfFile(file, path.extname(name).slice(1))
}

test.each([
  [
    'sida.html',
    '<style>p { }</style><p>Norra <b>kaj</b>en</p><script>kod()</script><td>1938</td>',
    'Norra kajen 1938',
  ],
  ['sida.html', '<p>Hamn</p><script>if (a < b) kod("</p>")</script><p>kontor', 'Hamn kontor'],
  ['post.xml', '<a><script>Hamn</script><b/><style>kontor</style></a>', 'Hamn kontor'],
])('the text of %s %s is what stands between the tags', async (name, content, text) => {
  expect(await textOf(name, content)).toBe(text)
})

// Whoever looks through all that is open, at each tag, is not done with this today.
test.each([
  ['sida.html', '<b>', ''],
  ['sida.html', '<svg><b>', '</p>'],
  ['post.xml', '<a>', '</b>'],
  ['post.xml', '<script>', ''],
])('a text in millions of elements that are never closed is read: %s %s', async (name, open, close) => {
  expect(await textOf(name, `${open.repeat(900_000)}Hamnkontoret${close.repeat(900_000)}`)).toBe(
    'Hamnkontoret',
  )
})

test('the text of a letter is who wrote to whom about what, and its words, however they were sent', async () => {
  const head = 'From: =?utf-8?Q?Gun_=C3=85kesson?= <gun@hamn.example>\r\nTo: Arkivet <arkiv@stad.example>\r\n'
  const subject = 'Subject: =?utf-8?B?UsOkbGVuIHDDpSBicnlnZ2Fu?=\r\nMIME-Version: 1.0\r\n'
  const sent = (type: string, body: string) =>
    `${head}${subject}Content-Type: ${type}; charset=utf-8\r\n` +
    `Content-Transfer-Encoding: quoted-printable\r\n\r\n${body}\r\n`
  const people = 'Gun Åkesson gun@hamn.example Arkivet arkiv@stad.example'
  const text = `Rälen på bryggan ${people} Kranen är färdigmålad`
  expect(await textOf('brev.eml', sent('text/plain', 'Kranen =C3=A4r f=C3=A4rdig=\r\nm=C3=A5lad'))).toBe(text)
  expect(await textOf('brev.eml', sent('text/html', '<p>Kranen =C3=A4r <b>f=C3=A4rdig</b>m=C3=A5lad'))).toBe(
    text,
  )
  // The plain words may only say that the others are to be read; attachments are found by their names.
  const parts = [
    'Content-Type: text/plain; charset=utf-8\r\n\r\nOpen this in a browser.',
    'Content-Type: text/html; charset=utf-8\r\n\r\n<p>Ritningar av kajen</p>',
    'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="kaj.pdf"\r\n\r\nx',
  ]
  const body = ['', ...parts].join('\r\n--b\r\n')
  const mixed = `${head}${subject}Content-Type: multipart/mixed; boundary=b\r\n${body}\r\n--b--\r\n`
  expect(await textOf('brev.eml', mixed)).toMatch(/Open this in a browser\..*Ritningar av kajen.*kaj\.pdf/s)
})

test('the text of a mailbox is that of its letters, however they were sent, but for one that is broken', async () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const letter = (subject: string, body: string) =>
    [
      'From gun@hamn.example Tue May 12 14:45:17 2009',
      `Subject: =?utf-8?B?${encoded(subject)}?=`,
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      `\r\n${encoded(body)}\r\n\r\n`,
    ].join('\r\n')
  const nested = 'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'
  const deep = `From x 12:00\r\n${nested.repeat(60)}\r\n\r\n`
  // The second one begins in another part of the file than its border.
  const filler = 'å'.repeat(98_200)
  const text = await textOf(
    'låda.mbox',
    [letter('Rälen', `Kranen ${filler}`), deep, letter('Bryggan', 'Kajen är färdig')].join(''),
  )
  expect([text.slice(0, 12), text.slice(-23)]).toEqual(['Rälen Kranen', 'Bryggan Kajen är färdig'])
})
