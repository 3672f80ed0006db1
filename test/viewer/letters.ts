import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js'

/** What letters and mailboxes are made of, for tests. */
const png = `iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk
+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC`

/** A letter in HTML: with pictures of its own and elsewhere, a file, a letter in it, and all that is bad. */
export const htmlLetter = `From: =?ISO-8859-1?Q?=C5sa_=D6berg?= <asa@hamnen.example>
To: Hamnkontoret <kontoret@hamnen.example>, "Ek, Nils" <nils@hamnen.example>
Cc: arkivet@stad.example
Date: Tue, 12 May 2009 14:45:17 +0200
Subject: =?UTF-8?B?Uml0bmluZ2FyIMO2dmVyIGvDpGxsYXJlbg==?=
Message-ID: <1@hamnen.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="yttre"

--yttre
Content-Type: multipart/related; boundary="inre"

--inre
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

<html><head><style>p { color: #223 } @import url(https://far.example/a.css);
b { background: url(https://far.example/b.png) }</style>
<meta http-equiv=3D"refresh" content=3D"0;url=3Dhttps://far.example/m"></head>
<body background=3D"https://far.example/c.png" onload=3D"window.top.ran=3D1"><h2>K=E4llarplan</h2>
<p onclick=3D"alert(1)">H=E4r =E4r <b>ritningarna</b>. <a href=3D"javascript:alert(1)">L=E4nk</a>
<a href=3D"https://far.example/plan">Planen</a></p><img src=3D"cid:bild@x" alt=3D"plan" width=3D"60">
<img src=3D"https://far.example/pixel.gif"><script>window.ran=3D1; top.ran=3D1</script>
<form action=3D"https://far.example/f"><input name=3D"x" autofocus></form>
<svg onload=3D"alert(1)"><script>alert(2)</script></svg><iframe src=3D"https://far.example/i"></iframe>
<object data=3D"https://far.example/o"></object><link rel=3D"stylesheet" href=3D"https://far.example/l.css">
</body></html>
--inre
Content-Type: image/png
Content-ID: <bild@x>
Content-Transfer-Encoding: base64

${png}
--inre--
--yttre
Content-Type: text/plain; charset=utf-8; name="m=?x?="
Content-Disposition: attachment; filename*=utf-8''m%C3%A5tt.txt
Content-Transfer-Encoding: base64

${Buffer.from('Takhöjd 2,40').toString('base64')}
--yttre
Content-Type: message/rfc822

From: Nils <nils@hamnen.example>
Subject: Inre brev
Date: Mon, 11 May 2009 08:00:00 +0200

Det som ligger i.
--yttre--
`.replaceAll('\n', '\r\n')

/** A letter of a mailbox; every third one answers the one before. */
export const plainLetter = (number: number) => {
  const date = new Date(Date.UTC(2004, 0, 1) + ((number * 7919) % 5000) * 3_600_000)
  const answers = number % 3 === 2 ? `In-Reply-To: <${number - 1}@hamnen.example>\n` : ''
  return `From avsandare@hamnen.example Thu Jan  1 08:00:00 2004
From: Person ${number % 17} <p${number % 17}@hamnen.example>
To: kontoret@hamnen.example
Date: ${date.toUTCString()}
Subject: ${number % 3 === 2 ? 'Re: ' : ''}=?utf-8?Q?=C3=84rende_${number - (number % 3 === 2 ? 1 : 0)}?=
Message-ID: <${number}@hamnen.example>
${answers}Content-Type: text/plain; charset=utf-8

Brev nummer ${number} om kajen.
>From nu handlar det om något annat.
>>From Kajskjul ${number}

`
}

/** Letters of a mailbox from a number on, each with a file of nine kilobytes in it. */
export const mailboxOf = (from: number, count: number): Buffer => {
  const file = `${'S2Fqc2tqdWwgNCDDpHIgbcOlbGF0IHLDtnR0LiBLYWpza2p1bCA1IMOkciBncsO2bnQuIEth\n'.repeat(130)}`
  const letters = Array.from({ length: count }, (_, index) => {
    const [head = '', ...body] = plainLetter(from + index)
      .replace('Content-Type: text/plain; charset=utf-8\n', '')
      .split('\n\n')
    return (
      `${head}\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="delar"\n\n--delar\n` +
      `Content-Type: text/plain; charset=utf-8\n\n${body.join('\n\n')}--delar\n` +
      `Content-Type: application/octet-stream; name="kaj.bin"\nContent-Transfer-Encoding: base64\n\n` +
      `${file}--delar--\n\n`
    )
  })
  return Buffer.from(letters.join(''))
}

/** A mailbox of so many letters. */
export const mailbox = (count: number) =>
  Array.from({ length: count }, (_, number) => plainLetter(number)).join('')

const unicode = (text: string) => Buffer.from(text, 'utf16le')

/** The streams of a property set of Outlook (MS-OXMSG): texts, bytes, and the list of what is fixed. */
const propertiesOf = (
  headerBytes: number,
  texts: Record<string, string>,
  bytes: Record<string, Buffer> = {},
) => {
  const streams: [string, Buffer][] = Object.entries(texts).map(([tag, text]) => [
    `${tag}001F`,
    unicode(text),
  ])
  for (const [tag, value] of Object.entries(bytes)) streams.push([`${tag}0102`, value])
  const list = Buffer.alloc(headerBytes + streams.length * 16)
  for (const [index, [tag, value]] of streams.entries()) {
    list.writeUInt32LE(Number.parseInt(tag, 16), headerBytes + index * 16)
    list.writeUInt32LE(6, headerBytes + index * 16 + 4)
    list.writeUInt32LE(value.length, headerBytes + index * 16 + 8)
  }
  return [
    ['__properties_version1.0', list] as const,
    ...streams.map(([tag, value]) => [`__substg1.0_${tag}`, value] as const),
  ]
}

/**
 * Rich Text as Outlook compresses it (MS-OXRTFCP): eleven signs that every text knows, then the text sign by
 * sign, what was said once before again, and the end.
 */
const compressedRtf = (text: string, again: { from: number; length: number }) => {
  const begun = '{\\rtf1\\ansi'
  const dictionary = 207
  const items: (number[] & { isReference?: boolean })[] = []
  const refer = (from: number, length: number) => {
    const word = (from << 4) | (length - 2)
    items.push(Object.assign([word >> 8, word & 255], { isReference: true }))
  }
  refer(0, begun.length)
  for (const byte of Buffer.from(text, 'latin1')) items.push([byte])
  refer(dictionary + begun.length + again.from, again.length)
  items.push(['}'.charCodeAt(0)])
  refer(dictionary + begun.length + text.length + again.length + 1, 2)
  const runs = Array.from({ length: Math.ceil(items.length / 8) }, (_, run) => {
    const eight = items.slice(run * 8, run * 8 + 8)
    const flags = eight.reduce((sum, { isReference }, bit) => sum | (isReference ? 1 << bit : 0), 0)
    return [flags, ...eight.flat()]
  })
  const body = Buffer.from(runs.flat())
  const head = Buffer.alloc(16)
  head.writeUInt32LE(body.length + 12, 0)
  head.writeUInt32LE(begun.length + text.length + again.length + 1, 4)
  head.write('LZFu', 8)
  return Buffer.concat([head, body])
}

/** A letter as Outlook keeps it, with somebody it went to and a file. @param isRichText alone */
export const outlookLetter = (isRichText = false) => {
  const entries: Entry[] = [{ name: 'Root Entry', type: 5, length: 0, children: [] }]
  const add = (parent: number, entry: Entry) => {
    entries.push(entry)
    entries[parent]?.children?.push(entries.length - 1)
    return entries.length - 1
  }
  const addFiles = (parent: number, files: readonly (readonly [string, Buffer])[]) => {
    for (const [name, value] of files)
      add(parent, { name, type: 2, length: value.length, binaryProvider: () => new Uint8Array(value) })
  }
  const folder = (name: string) => add(0, { name, type: 1, length: 0, children: [] })
  const texts: Record<string, string> = {
    '0037': 'Anbud på kajen',
    '0C1A': 'Nils Ek',
    '5D01': 'nils@hamnen.example',
  }
  if (!isRichText) texts['1000'] = 'Bifogat följer anbudet.'
  const rtf = compressedRtf("\\pard Bifogat f\\'f6ljer anbudet.\\par Bifogat ", { from: 6, length: 12 })
  addFiles(0, isRichText ? propertiesOf(32, texts, { '1009': rtf }) : propertiesOf(32, texts))
  addFiles(folder('__recip_version1.0_#00000000'), propertiesOf(8, { '3001': 'Hamnkontoret' }))
  addFiles(
    folder('__attach_version1.0_#00000000'),
    propertiesOf(8, { '3707': 'anbud.txt' }, { '3701': Buffer.from('Hundra kronor') }),
  )
  return Buffer.from(burn(entries))
}
