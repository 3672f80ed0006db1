import fc from '../../../support/properties.ts'
import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { creations } from '../../../conformance/specification.ts'

const place = scratch()
let archive: RunningArchive
beforeAll(async () => {
  archive = await startArchive(place.folder, '--sample')
})
afterAll(async () => {
  await archive.stop()
  place[Symbol.dispose]()
})

const as = (username: string) => {
  const password =
    username === archive.username
      ? archive.password
      : (archive.others.find((account) => account.username === username)?.password ?? '')
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return (address: string, init: RequestInit = {}) =>
    fetch(`${archive.url}/api/${address}`, {
      ...init,
      headers: { authorization, ...(init.headers as Record<string, string> | undefined) },
    })
}
const post = (who: string, address: string, body: unknown) =>
  as(who)(`${address}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const listed = async (address: string, who = 'archivist') =>
  (await (await as(who)(`${address}/`)).json()) as Record<string, unknown>[]
const first = async (address: string) => (await listed(address))[0]?.['id']
let last = 0
const unique = () => `prov ${Date.now().toString(36)}${(last += 1).toString(36).padStart(3, '0')}`

describe('every POST of section 4.2', () => {
  test.each(Object.keys(creations))('%s creates, shows and refuses', async (address) => {
    const body = await creations[address]?.(first, unique())
    const made = await post('archivist', address, body)
    const record = (await made.json()) as { id?: unknown }
    expect(made.status, JSON.stringify(record)).toBe(201)
    expect(record.id).toBeDefined()
    expect(
      await (await as('archivist')(`${address}/${encodeURIComponent(String(record.id))}/`)).json(),
    ).toEqual(record)
    const empty = await post('archivist', address, {})
    expect(empty.status).toBe(400)
    expect(Object.values((await empty.json()) as object).flat()).toContain('This field is required.')
  })

  test.each(Object.keys(creations))('%s describes its fields', async (address) => {
    const body = (await creations[address]?.(first, unique())) ?? {}
    const said = (await (await as('archivist')(`${address}/`, { method: 'OPTIONS' })).json()) as {
      actions: { POST: Record<string, { type: string; required: boolean; label: string }> }
    }
    expect(Object.keys(said.actions.POST)).toEqual(expect.arrayContaining(Object.keys(body)))
    for (const field of Object.values(said.actions.POST))
      expect(field).toMatchObject({
        type: expect.any(String) as string,
        required: expect.any(Boolean) as boolean,
        label: expect.any(String) as string,
      })
  })

  test('places nest, units know their leaves, and a code is used once in a structure', async () => {
    interface Place {
      name: string
      children?: Place[]
    }
    const [house] = (await listed('locations')) as unknown as Place[]
    expect([
      house?.name,
      house?.children?.length,
      house?.children?.[0]?.children?.map(({ name }) => name),
    ]).toEqual(['City archive', 5, ['Shelf 1', 'Shelf 2', 'Shelf 3', 'Shelf 4']])
    const units = await listed('structure-units')
    expect(units.slice(0, 2).map((unit) => unit['is_unit_leaf_node'])).toEqual([false, true])
    const again = {
      name: 'x',
      structure: units[0]?.['structure'],
      reference_code: units[0]?.['reference_code'],
    }
    expect(await (await post('archivist', 'structure-units', again)).json()).toEqual({
      reference_code: ['The reference code is used in this structure already.'],
    })
  })

  test('a name that is taken is refused', async () => {
    const name = unique()
    expect((await post('archivist', 'metric-types', { name })).status).toBe(201)
    expect(await (await post('archivist', 'metric-types', { name })).json()).toEqual({
      name: ['metric type with this name already exists.'],
    })
  })

  test('messages of nested lists mirror the input', async () => {
    const refused = await post('archivist', 'agents', {
      type: await first('agent-types'),
      names: [{ main: 'A' }, { main: '' }, 5],
    })
    expect(await refused.json()).toEqual({
      names: [
        {},
        { main: ['This field may not be blank.'] },
        { non_field_errors: ['Invalid data. Expected a dictionary.'] },
      ],
    })
  })
})

describe('who may do what', () => {
  test('a reader reads, orders and keeps searches, and creates nothing else', async () => {
    for (const address of Object.keys(creations)) {
      const { status } = await post('reader', address, (await creations[address]?.(first, unique())) ?? {})
      expect([address, status]).toEqual([
        address,
        address === 'orders' || address === 'me/searches' ? 201 : 403,
      ])
    }
    const options = await as('reader')('agents/', { method: 'OPTIONS' })
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
  test('what is restricted is not shown to a reader, in no list and under no address', async () => {
    const label = 'Barnavårdsnämndens protokoll'
    const [hidden] = (await listed('information-packages')).filter((ip) => ip['label'] === label)
    expect(hidden).toBeDefined()
    expect((await listed('information-packages', 'reader')).some((ip) => ip['label'] === label)).toBe(false)
    expect((await as('reader')(`information-packages/${String(hidden?.['id'])}/`)).status).toBe(404)
    expect(JSON.stringify(await listed('information-packages'))).not.toContain('restricted')
  })
  test('permissions of a package are those of the one who asks', async () => {
    const of = async (who: string) =>
      (await listed('information-packages', who))[0]?.['permissions'] as string[]
    expect(await of('reader')).toEqual(['view_informationpackage', 'query', 'see_other_user_ip_files'])
    expect(await of('archivist')).toContain('get_from_storage')
    expect(await of('administrator')).toHaveLength(30)
  })
  test('orders and searches are one’s own; an administrator sees every order', async () => {
    await post('reader', 'orders', { name: 'Only mine', information_packages: [] })
    const names = async (who: string) => (await listed('orders', who)).map((order) => order['name'])
    expect(await names('reader')).toContain('Only mine')
    expect(await names('archivist')).not.toContain('Only mine')
    expect(await names('administrator')).toEqual(
      expect.arrayContaining(['Only mine', 'Reading room, Thursday']),
    )
  })
})

describe('paging when it is asked for', () => {
  test('pages, their neighbours and the count add up to the whole list', async () => {
    const whole = await listed('languages')
    const rows: unknown[] = []
    let next: string | undefined = 'languages/?page_size=7'
    for (let pages = 0; next !== undefined && pages < 50; pages += 1) {
      const answer = await as('archivist')(next)
      expect(answer.headers.get('count')).toBe(String(whole.length))
      rows.push(...((await answer.json()) as unknown[]))
      next = /<[^>]*\/api\/([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(rows).toEqual(whole)
  })
  test('packages come as they are kept: each as it shows under its own address, whoever asks, whatever the page', async () => {
    for (const who of ['archivist', 'reader', 'administrator']) {
      const whole = await listed('information-packages', who)
      for (const record of whole.slice(0, 5))
        expect(await (await as(who)(`information-packages/${String(record['id'])}/`)).json()).toEqual(record)
      const paged: unknown[] = []
      for (let page = 1; paged.length < whole.length; page += 1) {
        const answer = await as(who)(`information-packages/?page=${page}&page_size=9`)
        expect(answer.headers.get('count')).toBe(String(whole.length))
        paged.push(...((await answer.json()) as unknown[]))
      }
      expect(paged).toEqual(whole)
    }
  })
  test('a reader who leaves in the middle of a list does no harm', async () => {
    const leaving = new AbortController()
    const answer = await as('archivist')('information-packages/', { signal: leaving.signal })
    leaving.abort()
    await answer.text().catch(() => '')
    expect((await as('archivist')('me/')).status).toBe(200)
  })
  test('without asking there is the whole list, and nonsense is no error', async () => {
    expect((await as('archivist')('languages/')).headers.get('link')).toBeNull()
    for (const asked of [
      'page=0',
      'page=-1',
      'page=x',
      'page=999',
      'page_size=0',
      'page_size=%00',
      'page=1&page=2',
    ])
      expect((await as('archivist')(`languages/?${asked}`)).status).toBe(200)
  })
})

describe('fuzzing', () => {
  const anything = fc.anything({
    withNullPrototype: false,
    withDate: false,
    withMap: false,
    withSet: false,
    withTypedArray: false,
    withBigInt: false,
    maxDepth: 3,
  })
  const count = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.keys(creations).map(
          async (address) => [address, (await listed(address, 'administrator')).length] as const,
        ),
      ),
    )

  test('whatever is sent to whatever path is answered with a 4xx, or kept whole', async () => {
    const options: [string, string[]][] = []
    for (const address of Object.keys(creations)) {
      const said = (await (await as('archivist')(`${address}/`, { method: 'OPTIONS' })).json()) as {
        actions: { POST: object }
      }
      options.push([address, Object.keys(said.actions.POST)])
    }
    const before = await count()
    let created = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...options),
        fc.array(anything, { minLength: 20, maxLength: 20 }),
        fc.boolean(),
        async ([address, names], values, isPartial) => {
          const body = Object.fromEntries(
            names
              .filter((_, index) => !isPartial || index % 2 === 0)
              .map((name, index) => [name, values[index % values.length] ?? null]),
          )
          const { status } = await post('archivist', address, body)
          if (status === 201) created += 1
          return status === 201 || (status >= 400 && status < 500)
        },
      ),
      { numRuns: 400 },
    )
    const after = await count()
    expect(
      Object.values(after).reduce((sum, n) => sum + n, 0) -
        Object.values(before).reduce((sum, n) => sum + n, 0),
    ).toBeLessThanOrEqual(created)
  })

  const answerLike = {
    status: 201,
    body: { id: 1 },
    headers: { 'x-sent': 'back' },
    refusal: {},
    messages: {},
  }
  test.each([...Object.keys(creations), 'auth/token_login'])(
    'a body like an answer is not sent back by %s',
    async (address) => {
      const answer = await post('archivist', address, answerLike)
      expect([answer.status, answer.headers.get('x-sent')]).toEqual([400, null])
      expect(Object.values((await answer.json()) as object).flat()).toContain('This field is required.')
    },
  )

  test('a list of too many items is refused', async () => {
    const many = { type: await first('agent-types'), names: Array.from({ length: 1001 }, () => ({})) }
    expect(await (await post('archivist', 'agents', many)).json()).toEqual({
      names: ['Ensure this field has no more than 1000 items.'],
    })
    const references = { name: 'x', information_packages: Array.from({ length: 10_001 }, () => 1) }
    expect(await (await post('archivist', 'orders', references)).json()).toEqual({
      information_packages: ['Ensure this field has no more than 10000 items.'],
    })
  })

  test.each(['127.0.0.1:99999', 'localhost:65536', '127.0.0.1:', '[::1]:x'])(
    'the host %s is no name of ours',
    async (host) => {
      const authorization = archive.basic
      const status = await new Promise((said) =>
        get(`${archive.url}/api/languages/?page=1`, { headers: { host, authorization } }, (answer) =>
          said(answer.resume().statusCode),
        ),
      )
      expect(status).toBe(421)
    },
  )

  const odd: [string, string, number][] = [
    ['broken JSON', '{"name": ', 400],
    ['a list', '[]', 400],
    ['a number', '5', 400],
    ['nothing', '', 400],
    ['a prototype', '{"__proto__": {"name": "x"}, "constructor": 1}', 400],
    ['duplicate keys, of which the last counts', '{"name": "x", "name": 5}', 400],
    ['lone surrogates', '{"name": "\\ud800"}', 201],
    ['deep nesting', `{"name": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 400],
    ['the deepest nesting', `{"name": ${'['.repeat(524_000)}${']'.repeat(524_000)}}`, 400],
    ['a body of 10 MB', `{"name": "${'x'.repeat(10_000_000)}"}`, 413],
  ]
  test.each(odd)('%s', async (_name, body, wanted) => {
    const status = await post('archivist', 'metric-types', body).then(
      (answer) => answer.status,
      // The connection may be closed while the rest of a body that is too large is still on its way.
      () => 413,
    )
    expect(status).toBe(wanted)
    expect((await as('archivist')('me/')).status).toBe(200)
  })

  test.each([101, 20_000, 500_000])('a search of %i levels is not kept', async (levels) => {
    const nested = `{"name": "deep", "query": ${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect((await post('archivist', 'me/searches', nested)).status).toBe(400)
    expect((await as('archivist')('me/searches/')).status).toBe(200)
  })

  test.each([
    'information-packages/%',
    'events/%00',
    '../etc/passwd',
    'constructor/',
    '__proto__/',
    'agents/a/b/c/',
    '%2e%2e/',
    'me/searches/x/y/',
    '//',
    'agents/?page=%zz',
  ])('the path %s is answered', async (address) => {
    expect((await as('archivist')(address)).status).toBeLessThan(500)
  })
})
