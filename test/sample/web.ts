import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { stableId } from '../../electron/local-archive/sample/stable-id.ts'
import type { Place } from './tools.ts'

interface Captured {
  url: string
  status: string
  type: string
  body: Buffer
  /** Headers of the answer beside its type and length. */
  more?: string
}

const site = 'https://www.staden.example'

const page = (title: string, body: string) =>
  Buffer.from(
    `<!doctype html>\n<html lang="sv"><head><meta charset="utf-8"><title>${title}</title>` +
      `<link rel="stylesheet" href="/stil.css"><script src="/besok.js"></script></head><body>` +
      `<header><a href="/">Staden</a> <nav><a href="/hamnen/">Hamnen</a> <a href="/skolor/">Skolor</a> ` +
      `<a href="/protokoll/2024-06.html">Protokoll</a></nav></header><main><h1>${title}</h1>${body}</main>` +
      `<footer>Senast ändrad den 12 juni 2024</footer></body></html>\n`,
  )

const style =
  'body{margin:0;font:16px/1.5 Georgia,serif;color:#24323a;background:#faf7f0}header{background:#24506b;' +
  'padding:16px 32px}header a{color:#fff;margin-right:24px;text-decoration:none}main{max-width:720px;' +
  'margin:32px auto;padding:0 ' +
  '16px}img{max-width:100%;border-radius:4px}footer{color:#667;text-align:center;' +
  'padding:32px}table{border-collapse:collapse}td{border-bottom:1px solid #ccc;padding:4px 16px 4px 0}\n'

const captures = (photograph: Buffer): Captured[] => [
  {
    url: `${site}/`,
    status: '200 OK',
    type: 'text/html; charset=utf-8',
    body: page(
      'Välkommen till staden',
      '<p>Norra kajen blir park. <a href="/hamnen/">Läs om planerna</a> och säg vad du tycker före ' +
        'den 30 juni.</p><img src="/bilder/kajen.jpg" alt="Norra kajen"><p>Stadsarkivets läsesal är öppen ' +
        'tisdag till torsdag.</p>',
    ),
  },
  { url: `${site}/stil.css`, status: '200 OK', type: 'text/css', body: Buffer.from(style) },
  {
    url: `${site}/besok.js`,
    status: '200 OK',
    type: 'text/javascript',
    body: Buffer.from("document.title = document.title + ' · Staden'\n"),
  },
  { url: `${site}/bilder/kajen.jpg`, status: '200 OK', type: 'image/jpeg', body: photograph },
  {
    url: `${site}/hamnen/`,
    status: '200 OK',
    type: 'text/html; charset=utf-8',
    body: page(
      'Hamnen',
      '<p>Kajen stängdes den 31 januari 2014. Magasin 2 står kvar, och kran nr 3 rustas.</p><table>' +
        '<tr><td>2024</td><td>Samråd</td></tr><tr><td>2025</td><td>Detaljplan</td></tr><tr><td>2027</td>' +
        '<td>Parken öppnas</td></tr></table>',
    ),
  },
  {
    url: `${site}/skolor/`,
    status: '200 OK',
    type: 'text/html; charset=utf-8',
    body: page('Skolor', '<p>Klassfotografier från 1902 till 1931 finns hos Stadsarkivet.</p>'),
  },
  {
    url: `${site}/protokoll/2024-06.html`,
    status: '200 OK',
    type: 'text/html; charset=utf-8',
    body: page(
      'Protokoll juni 2024',
      '<p>§ 88 Detaljplan för Norra kajen. Ärendet bordlades.</p><p>§ 89 Stadsarkivets berättelse ' +
        'lades till handlingarna.</p>',
    ),
  },
  {
    url: `${site}/hamn`,
    status: '301 Moved Permanently',
    type: 'text/html',
    more: `Location: ${site}/hamnen/\r\n`,
    body: Buffer.from('<p>Moved</p>'),
  },
  {
    url: `${site}/badplatser/`,
    status: '404 Not Found',
    type: 'text/html; charset=utf-8',
    body: page('Sidan finns inte', '<p>Sidan har flyttats eller tagits bort.</p>'),
  },
]

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** An identifier that is the same at each run. */
const idOf = (text: string) => `<urn:uuid:${stableId(text)}>`

/** A record of ISO 28500: its headers, its block, and two empty lines. */
const record = (headers: Record<string, string>, block: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `WARC/1.0\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}Content-Length: ${block.length}\r\n\r\n`,
    ),
    block,
    Buffer.from('\r\n\r\n'),
  ])

const answerOf = ({ url, status, type, body, more = '' }: Captured, index: number): Buffer[] => {
  const date = `2024-06-14T08:${String(10 + index).padStart(2, '0')}:00Z`
  const { host, pathname } = new URL(url)
  const response = Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n${more}\r\n`,
    ),
    body,
  ])
  return [
    record(
      {
        'WARC-Type': 'request',
        'WARC-Record-ID': idOf(`request ${url}`),
        'WARC-Date': date,
        'WARC-Target-URI': url,
        'WARC-Concurrent-To': idOf(url),
        'Content-Type': 'application/http; msgtype=request',
      },
      Buffer.from(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: lectern-sample\r\n\r\n`),
    ),
    record(
      {
        'WARC-Type': 'response',
        'WARC-Record-ID': idOf(url),
        'WARC-Date': date,
        'WARC-Target-URI': url,
        'WARC-IP-Address': '192.0.2.17',
        'WARC-Payload-Digest': `sha256:${digestOf(body)}`,
        'WARC-Block-Digest': `sha256:${digestOf(response)}`,
        'Content-Type': 'application/http; msgtype=response',
      },
      response,
    ),
  ]
}

const infoOf = (name: string) =>
  record(
    {
      'WARC-Type': 'warcinfo',
      'WARC-Record-ID': idOf(name),
      'WARC-Date': '2024-06-14T08:09:00Z',
      'WARC-Filename': name,
      'Content-Type': 'application/warc-fields',
    },
    Buffer.from('software: lectern-sample\r\nformat: WARC File Format 1.0\r\noperator: Stadsarkivet\r\n'),
  )

/** The council's web site as it was captured in June 2024: as one file, and with each record compressed. */
export const makeWebSite = (place: Place, photograph: string) => {
  const all = captures(readFileSync(photograph))
  const named = (name: string, some: Captured[]) => [infoOf(name), ...some.flatMap(answerOf)]
  writeFileSync(
    place('1/staden-2024-06-14.warc.gz'),
    Buffer.concat(named('staden-2024-06-14.warc.gz', all).map((bytes) => gzipSync(bytes))),
  )
  writeFileSync(
    place('1/staden-2024-06-14, utan bilder.warc'),
    Buffer.concat(
      named(
        'staden-2024-06-14, utan bilder.warc',
        all.filter(({ type }) => type !== 'image/jpeg'),
      ),
    ),
  )
  writeFileSync(
    place('1/crawl.log'),
    [
      all
        .map(
          ({ url, status, body, type }, index) =>
            `2024-06-14T08:${10 + index}:00.000Z   ${status.slice(0, 3)} ` +
            `${String(body.length).padStart(10)} ${url} L - ${type.split(';')[0] ?? ''}`,
        )
        .join('\n'),
      '\n',
    ].join(''),
  )
}
