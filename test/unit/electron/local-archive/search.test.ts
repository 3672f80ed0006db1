import { cpSync, mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../../electron/local-archive/database.ts'
import { find } from '../../../../electron/local-archive/search/find.ts'
import {
  indexDocuments,
  indexSlice,
  keepText,
  listFiles,
} from '../../../../electron/local-archive/search/index-records.ts'
import { readQuery } from '../../../../electron/local-archive/search/read-query.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { writeBag } from '../../../packages/bags.ts'

interface Hit {
  _index: string
  _id: string
  _score: number | null
  _source: Record<string, unknown>
  highlight?: Record<string, string[]>
}
interface Facet {
  buckets: { key: string; doc_count: number }[]
}
interface Answer {
  hits: Hit[]
  aggregations: { _filter_type: { type: Facet }; _filter_extension: { extension: Facet } }
}

/** A document of one page, as small as a valid PDF can be. */
const smallPdf = (text: string) => {
  const stream = `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 ' +
      '5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  return (
    `${body}xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R ` +
    `>>\nstartxref\n${body.length}\n%%EOF\n`
  )
}

const place = scratch()
let archive: RunningArchive
let aip = ''
let tag = ''
let producer = ''

const as = (username = archive.username) => {
  const password =
    username === archive.username
      ? archive.password
      : (archive.others.find((account) => account.username === username)?.password ?? '')
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}
const raw = (asked: string, who?: string) => fetch(`${archive.url}/api/${asked}`, { headers: as(who) })
const search = async (asked: string, who?: string) =>
  (await (await raw(`search/${asked}`, who)).json()) as Answer
const names = async (asked: string, who?: string) =>
  (await search(asked, who)).hits.map(({ _source }) => _source['name'])
const post = async (address: string, body: unknown) =>
  (await (
    await fetch(`${archive.url}/api/${address}/`, {
      method: 'POST',
      headers: { ...as(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json()) as Record<string, string>
const first = async (address: string, at = 0) =>
  ((await archive.get(`${address}/`)) as Record<string, unknown>[])[at]?.['id']

beforeAll(async () => {
  archive = await startArchive(place.folder, '--sample')
  producer = String(await first('agents'))
  const bag = path.join(place.folder, 'made-elsewhere')
  writeBag(
    bag,
    { 'External-Identifier': 'oxen-search', 'External-Description': 'Oxen' },
    {
      'data/Ritningar/Fasad mot gården.txt': Buffer.from('Fasaden målades röd år 1938 av Åkessons.'),
      'data/Ritningar/latin.txt': Buffer.from('Räksmörgås', 'latin1'),
      'data/brev/protokoll.pdf': Buffer.from(smallPdf('The harbour committee met on Tuesday')),
      'data/brev/lista.xml': Buffer.from(
        '<?xml version="1.0"?><lista><post nr="1">Kakelugn &amp; spis</post></lista>',
      ),
      'data/brev/sida.html': Buffer.from(
        '<html><head><style>.hemlig{}</style><script>var ' +
          'dold=1</script></head><body><p>Trädgårds<b>mästare</b></p></body></html>',
      ),
      'data/brev/trasig.pdf': Buffer.from('%PDF-1.4 not really'),
      'data/brev/Till kajen.eml': Buffer.from(
        'From: Gun <gun@hamn.example>\r\nSubject: =?utf-8?B?UsOkbGVuIHDDpSBicnlnZ2Fu?=\r\n' +
          'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n' +
          'Kranen f=C3=A5r vila\r\n',
      ),
      'data/foto/Fasad.TIF': Buffer.alloc(2000, 7),
    },
  )
  mkdirSync(path.join(place.folder, 'ingest'), { recursive: true })
  cpSync(bag, path.join(place.folder, 'ingest', '.oxen'), { recursive: true })
  renameSync(path.join(place.folder, 'ingest', '.oxen'), path.join(place.folder, 'ingest', 'oxen'))
  const found = await until(async () => {
    const packages = (await archive.get('information-packages/')) as {
      object_identifier_value: string
      information_packages: { id: string }[]
    }[]
    return packages.find((ip) => ip.object_identifier_value === 'oxen-search')
  })
  aip = found.information_packages[0]?.id ?? ''
  const types = (await archive.get('tag-version-types/')) as {
    id: number
    archive_type: boolean
    information_package_type: boolean
  }[]
  const top = await post('tags', {
    name: 'Oxens arkiv',
    type: types.find((type) => type.archive_type)?.id,
    agent: producer,
    reference_code: 'SE/OX',
  })
  tag = top['id'] ?? ''
  await post('tags', {
    name: 'Ritningar och brev',
    type: types.find((type) => type.information_package_type)?.id,
    parent: tag,
    reference_code: 'SE/OX/1',
    information_package: aip,
  })
})
afterAll(async () => {
  await archive.stop()
  place[Symbol.dispose]()
})

describe('what is found', () => {
  test.each([
    ['a file by its name', 'q=fasad', ['Ritningar/Fasad mot gården.txt', 'foto/Fasad.TIF']],
    ['a file by its folder', 'q=foto', ['foto/Fasad.TIF']],
    ['text of a text file', 'q=Åkessons', ['Ritningar/Fasad mot gården.txt']],
    ['text without its accents', 'q=akessons', ['Ritningar/Fasad mot gården.txt']],
    ['text that is not UTF-8', 'q=räksmörgås', ['Ritningar/latin.txt']],
    ['text of a PDF', 'q=harbour+committee', ['brev/protokoll.pdf']],
    ['text of XML, its entities read', 'q=kakelugn', ['brev/lista.xml']],
    ['text of HTML across tags', 'q=trädgårdsmästare', ['brev/sida.html']],
    ['a letter by its subject', 'q=rälen', ['brev/Till kajen.eml']],
    ['a letter by its words', 'q=kranen+får', ['brev/Till kajen.eml']],
    ['letters alone', 'q=gun&type=e-mail', ['brev/Till kajen.eml']],
    ['a broken PDF by its name alone', 'q=trasig', ['brev/trasig.pdf']],
    ['words that are all there', 'q=fasad+röd', ['Ritningar/Fasad mot gården.txt']],
    ['a phrase', 'q="målades röd"', ['Ritningar/Fasad mot gården.txt']],
    ['a phrase in another order', 'q="röd målades"', []],
    ['scripts and styles of a page', 'q=dold', []],
    ['signs alone', 'q=%22!%22', []],
    ['a reference code', 'q=SE/OX/1', ['Ritningar och brev']],
    [
      'a structure unit',
      'q=Drawings&indices=structure_unit',
      ['Drawings', 'Drawings, part 1', 'Drawings, part 2', 'Drawings, part 3'],
    ],
  ])('%s', async (_what, asked, wanted) => {
    expect((await names(`?${asked}`)).sort()).toEqual([...wanted].sort())
    expect((await names(asked)).sort()).toEqual([...wanted].sort())
  })

  test('what matched is marked, in the name and in the text', async () => {
    const { hits } = await search('?q=fasaden')
    expect(hits[0]?.highlight).toEqual({
      content: ['<strong>Fasaden</strong> målades röd år 1938 av Åkessons.'],
    })
    expect((await search('?q=gården')).hits[0]?.highlight).toEqual({
      name: ['Ritningar/Fasad mot <strong>gården</strong>.txt'],
    })
  })
})

test('a file that is found lies where its hit says', async () => {
  const { hits } = await search('?q=gården&indices=document')
  const { ip, href, filename } = present(hits[0])._source
  expect([ip, href]).toEqual([aip, 'content/data/Ritningar'])
  const query = new URLSearchParams({ path: `${String(href)}/${String(filename)}` })
  const said = await raw(`information-packages/${String(ip)}/files/?${query.toString()}`)
  expect(await said.text()).toBe('Fasaden målades röd år 1938 av Åkessons.')
})

describe('every filter of 4.3, alone and combined, in both forms', () => {
  const cases = (): [string, unknown[]][] => [
    ['indices=archive&q=oxens', ['Oxens arkiv']],
    ['indices=component,archive&q=oxens', ['Oxens arkiv']],
    ['indices=nothing', []],
    ['extension=pdf', ['brev/protokoll.pdf', 'brev/trasig.pdf']],
    ['extension=pdf,xml', ['brev/lista.xml', 'brev/protokoll.pdf', 'brev/trasig.pdf']],
    ['extension=.TIF', ['foto/Fasad.TIF']],
    ['type=image', ['foto/Fasad.TIF']],
    ['type=Information%20package', ['Ritningar och brev']],
    [`archives=${tag}&type=image`, ['foto/Fasad.TIF']],
    [`archives=${tag}&extension=pdf&q=harbour`, ['brev/protokoll.pdf']],
    [
      `archives=${tag},00000000-0000-0000-0000-000000000000&q=fasad&extension=txt`,
      ['Ritningar/Fasad mot gården.txt'],
    ],
    ['archives=00000000-0000-0000-0000-000000000000', []],
    [`agents=${producer}&type=image`, ['foto/Fasad.TIF']],
    [`agents=${producer}&indices=document&extension=xml`, ['brev/lista.xml']],
  ]
  test('gives the same by path and by query string', async () => {
    for (const [asked, wanted] of cases()) {
      expect([asked, (await names(`?${asked}`)).sort()]).toEqual([asked, [...wanted].sort()])
      expect([asked, (await names(`${asked}/`)).sort()]).toEqual([asked, [...wanted].sort()])
    }
    expect(await names('extension=pdf?q=harbour')).toEqual(['brev/protokoll.pdf'])
  })
  test('agents of top-level resources', async () => {
    const found = (await (await raw(`agents/archives=${tag}`)).json()) as { id: string }[]
    expect(found.map(({ id }) => id)).toEqual([producer])
    expect(await (await raw('agents/archives=nothing')).json()).toEqual([])
  })
})

describe('facets and pages', () => {
  test('facets count by type and extension; a facet is not narrowed by its own filter', async () => {
    const all = await search(`?archives=${tag}&indices=document`)
    expect(all.aggregations._filter_extension.extension.buckets).toEqual([
      { key: 'pdf', doc_count: 2 },
      { key: 'txt', doc_count: 2 },
      { key: 'eml', doc_count: 1 },
      { key: 'html', doc_count: 1 },
      { key: 'tif', doc_count: 1 },
      { key: 'xml', doc_count: 1 },
    ])
    expect(all.aggregations._filter_type.type.buckets).toEqual([
      { key: 'document', doc_count: 6 },
      { key: 'e-mail', doc_count: 1 },
      { key: 'image', doc_count: 1 },
    ])
    const narrowed = await search(`?archives=${tag}&indices=document&extension=tif`)
    expect(narrowed.aggregations._filter_extension).toEqual(all.aggregations._filter_extension)
    expect(narrowed.aggregations._filter_type.type.buckets).toEqual([{ key: 'image', doc_count: 1 }])
  })
  test('pages add up, and a page too far is none', async () => {
    const answer = await raw(`search/?archives=${tag}&page_size=4`)
    expect(answer.headers.get('count')).toBe('10')
    const pages = await Promise.all(
      [1, 2, 3].map((page) => names(`?archives=${tag}&page_size=4&page=${page}`)),
    )
    expect(pages.map(({ length }) => length)).toEqual([4, 4, 2])
    expect(new Set(pages.flat()).size).toBe(10)
    expect((await raw(`search/?archives=${tag}&page=2`)).status).toBe(404)
    expect((await raw('search/?page=0')).status).toBe(404)
    expect((await raw('search/?page_size=x')).status).toBe(400)
    expect((await raw('search/?page=101&page_size=100')).status).toBe(400)
    expect(await (await raw('search/?ordering=shoe')).json()).toEqual({ detail: 'Invalid sort field: shoe' })
  })
  test('in the order asked for', async () => {
    const ordered = await names(`?archives=${tag}&indices=document&ordering=-name`)
    expect(ordered).toEqual(
      [...ordered].sort((a, b) => (String(a).toLowerCase() < String(b).toLowerCase() ? 1 : -1)),
    )
  })
})

describe('one object', () => {
  test('every hit opens under its id', async () => {
    const { hits } = await search('?pager=none')
    expect(hits.length).toBeGreaterThan(50)
    for (const { _id, _index, _source } of hits.filter((_, index) => index % 7 === 0))
      expect(await (await raw(`search/${_id}/`)).json()).toMatchObject({ _id, _index, name: _source['name'] })
  })
  test('nothing else does', async () => {
    expect((await raw('search/nobody')).status).toBe(404)
    expect((await fetch(`${archive.url}/api/search/`, { method: 'POST', headers: as() })).status).toBe(405)
    expect((await fetch(`${archive.url}/api/search/`)).status).toBe(401)
  })
})

test.each([
  '?q=%00',
  '?q="',
  '?q=AND+OR+NOT',
  '?q=a*+NEAR(b)',
  "?q='%3B drop table indexed",
  `?q=${'x '.repeat(900)}`,
  `?q=${'x'.repeat(3000)}`,
  '?type=%ff',
  'a=b&c',
  '=',
  '?extension=,,,',
  '?agents="',
])('the odd query %s is answered', async (asked) => {
  expect((await raw(`search/${asked}`)).status).toBeLessThan(500)
})

test('a search over long texts leaves everybody else their turn', async () => {
  using long = scratch()
  const database = openDatabase(long.folder)
  const words = Array.from({ length: 40_000 }, (_, index) => ['och', 'protokoll', `ord${index}`][index % 3])
  const files = Array.from({ length: 80 }, (_, index) => ({ name: `data/${index}.txt`, bytes: 1 }))
  database.transaction(() => {
    listFiles(database, 'long', files)
    for (const { name } of files) keepText(database, 'long', name, words.join(' '))
    indexDocuments(
      database.put('information package', { id: 'long', object_identifier_value: 'SE/1' }),
      [],
      database,
    )
  })
  while (database.transaction(() => indexSlice(database)));
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  for (const asked of [
    'q="och protokoll"&pager=none',
    'q=och protokoll&page_size=80',
    'q=och&ordering=-name&pager=none',
  ]) {
    const query = readQuery(new URLSearchParams(asked))
    if ('detail' in query) throw new Error(query.detail)
    let isOver = false
    const finding = find(database, query, false).finally(() => (isOver = true))
    let longest = 0
    for (let last = cpuMs(); !isOver; last = cpuMs()) {
      await new Promise(setImmediate)
      longest = Math.max(longest, cpuMs() - last)
    }
    const { hits } = (await finding)?.answer ?? { hits: [] }
    expect(hits).toHaveLength(80)
    expect(hits[0]?.['highlight']).toHaveProperty('content')
    expect(longest).toBeLessThan(250)
  }
  database.close()
})

test.each([
  [`q=${'a+'.repeat(101)}`, 'A query has at most 100 words.'],
  [
    `extension=${Array.from({ length: 101 }, (_, index) => index).join()}`,
    'A filter has at most 100 values.',
  ],
])('what asks for too much is refused: %s', async (asked, detail) => {
  const answer = await raw(`search/?${asked}`)
  expect([answer.status, await answer.json()]).toEqual([400, { detail }])
})
