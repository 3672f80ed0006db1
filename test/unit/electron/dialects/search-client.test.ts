import { expect, test } from 'vitest'
import type { Client } from '../../../../electron/archive-client/http.ts'
import { askIndex } from '../../../../electron/dialects/specification/search.ts'
import { nothing } from '../../../../electron/contract/search-filters.ts'
import { Failed } from '../../../../electron/contract/failure.ts'
import { mutate, seeded } from '../../../faults/mutate.ts'

const document = '531592f7-9e9c-4ed2-8ca6-b3d85132c4bc'
const answering = (answer: (path: string) => { body: unknown; count: number | null }) => {
  const asked: string[] = []
  const archive = {
    answer: (path: string) => {
      asked.push(path)
      return Promise.resolve().then(() => answer(path))
    },
    get: (path: string) => {
      asked.push(path)
      return path.includes(document)
        ? Promise.resolve({ _id: document, _index: 'document', _source: { name: 'brev.pdf', ip: 'p1' } })
        : Promise.reject(new Failed({ kind: 'not-found', what: path }))
    },
  } as unknown as Client
  return { archive, asked }
}
/**
 * As ESSArch answers: an index with a time stamp, facets in filters of their own, keys that nobody asked for.
 */
const good = {
  hits: [
    {
      _index: 'component-2024-05-01',
      _type: '_doc',
      _id: 'c1',
      _score: 2.5,
      _source: {
        id: 'c1',
        name: 'Volym 1',
        reference_code: 'A1',
        type: 'Volume',
        archive: { id: 'x', name: 'Arkivet', reference_code: 'SE' },
        agents: ['g'],
      },
      highlight: { name: ['<strong>Volym</strong> <b>1</b>'] },
    },
    { _index: 'structure_unit', _id: 7, _source: { name: 'Protokoll', type: { name: 'Serie' } } },
    {
      _index: 'document',
      _id: 'd1',
      _source: { name: 'brev.pdf', filename: 'brev.pdf', href: 'content/å 1', ip: 'p1', size: 12 },
      highlight: { 'attachment.content': ['kära <strong>vän</strong>'] },
    },
  ],
  aggregations: {
    _filter_type: {
      doc_count: 3,
      type: {
        buckets: [
          { key: 'Volume', doc_count: 2 },
          { key: 'none', doc_count: 0 },
        ],
      },
    },
    _filter_extension: { doc_count: 1, extension: { buckets: [{ key: 'pdf', doc_count: 1 }] } },
  },
}

test('hits lead to their pages, and text of the archive is never markup', async () => {
  const { archive, asked } = answering(() => ({ body: good, count: 3 }))
  const answer = await askIndex(archive, {
    ...nothing,
    q: 'volym å',
    types: ['Volume', 'box'],
    archives: ['x'],
  })
  expect(asked).toEqual(['search/?q=volym+%C3%A5&type=Volume%2Cbox&archives=x&page=1&page_size=50'])
  expect(answer.hits.map(({ to }) => to)).toEqual([
    { list: 'tags', id: 'c1' },
    { list: 'structure-units', id: '7' },
    { list: 'information-packages', id: 'p1' },
  ])
  expect(answer.hits.map(({ file }) => file)).toEqual([
    null,
    null,
    { package: 'p1', path: 'content/å 1/brev.pdf' },
  ])
  expect(answer.hits[0]).toMatchObject({
    part: 'component',
    title: [
      { text: 'Volym', isMatch: true },
      { text: ' <b>1</b>', isMatch: false },
    ],
    archive: { name: 'Arkivet' },
  })
  expect(answer.hits[2]?.excerpt).toEqual([
    { text: 'kära ', isMatch: false },
    { text: 'vän', isMatch: true },
  ])
  expect(answer).toMatchObject({
    total: 3,
    types: [{ key: 'Volume', count: 2 }],
    extensions: [{ key: 'pdf', count: 1 }],
    pages: 1,
  })
})

test('an id is asked for by its path, and one that is nowhere is nothing', async () => {
  const none = () => ({ body: { hits: [] }, count: 0 })
  const { archive, asked } = answering(none)
  expect(await askIndex(archive, { ...nothing, q: ` ${document} ` })).toMatchObject({
    total: 1,
    hits: [{ id: document, to: { list: 'information-packages', id: 'p1' } }],
  })
  expect(asked[1]).toBe(`search/${document}/`)
  expect(
    await askIndex(answering(none).archive, { ...nothing, q: document.replace('5', '6') }),
  ).toMatchObject({ total: 0, hits: [] })
})

test('an archive that knows only the form of the specification is asked in that', async () => {
  const { archive, asked } = answering((path) => {
    if (path.startsWith('search/?')) throw new Failed({ kind: 'not-found', what: path })
    return { body: good, count: null }
  })
  expect((await askIndex(archive, { ...nothing, q: 'a b', extensions: ['pdf'] })).total).toBeNull()
  expect(asked[1]).toBe('search/q=a%20b&extension=pdf/?page=1&page_size=50')
})

test('an answer that is none is a failure in words', async () => {
  for (const body of [null, 'x', { results: [] }, 5])
    await expect(askIndex(answering(() => ({ body, count: 0 })).archive, nothing)).rejects.toMatchObject({
      failure: { kind: 'server-broke', detail: 'unexpected' },
    })
})

test('answers that were tampered with are read as far as they can be', async () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const body = mutate(good, seeded(seed), 0.05)
    const answer = await askIndex(answering(() => ({ body, count: 3 })).archive, nothing).catch(
      (error: unknown) => error,
    )
    if (answer instanceof Error) expect(answer).toBeInstanceOf(Failed)
    else
      expect(answer).toMatchObject({
        hits: expect.any(Array) as unknown,
        types: expect.any(Array) as unknown,
      })
  }
})
