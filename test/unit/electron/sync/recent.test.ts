import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import { refreshedSubjects } from '../../../../electron/contract/subjects.ts'
import { openSingleRecordWriter } from '../../../../electron/store/reading/single-records.ts'
import { readLists } from '../../../../electron/sync/read-lists.ts'
import { readIncrement, type Gaps } from '../../../../electron/sync/read-increment.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { startDialect } from '../../../archives/dialects.ts'
import { seeded } from '../../../faults/mutate.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

let essarch: Awaited<ReturnType<typeof startDialect>>
beforeAll(async () => {
  essarch = await startDialect('essarch')
})
afterAll(() => essarch.stop())

/** A copy of the archive that was read whole, and what is asked from then on. */
const openCopy = async (name: string) => {
  const copy = openLocalCopy(path.join(essarch.folder, `${name}.sqlite`))
  const reached = {
    access: { url: essarch.proxy.url, authorization: essarch.archive.basic, cookie: '' },
    routes: [{ kind: 'direct' as const }],
    language: 'en',
  }
  const tools = {
    now: () => new Date(),
    reportBug: (error: unknown) => {
      throw error
    },
  }
  const gaps: Gaps = new Map()
  const asked: string[] = []
  essarch.proxy.tell((request) => void asked.push(request.replace('GET /api/', '')))
  const whole = () =>
    readLists(copy.writer, { ...reached, subjects: refreshedSubjects, hasViews: true, isAll: true }, tools)
  expect(await whole()).toMatchObject({ failure: null })
  asked.length = 0
  return {
    ...copy,
    asked,
    gaps,
    whole,
    increment: (what: 'news' | 'changes') => readIncrement(copy.writer, { what, reached, gaps }, tools),
    labels: () =>
      new Map(
        copy.cache.database
          .prepare(`select id, label from package where type <> 'AIC'`)
          .all()
          .map(({ id, label }) => [String(id), String(label)]),
      ),
  }
}

/** Waits until the archive has told something that it had not before. */
const told = async (act: () => Promise<unknown>) => {
  const count = async () => ((await essarch.act('GET', 'notifications/?pager=none')).body as unknown[]).length
  const before = await count()
  await act()
  await until(async () => ((await count()) > before ? true : undefined))
}

type Held = Record<'id' | 'object_identifier_value' | 'label' | 'aic', string>
const flat = async () =>
  (await essarch.act('GET', 'information-packages/?view_type=flat&pager=none')).body as Held[]

const wholeLists =
  /^(information-packages|storage-objects|events)\/(\?(view_type=flat)?(&?ordering=\w+)?(&?page_size=\d+)?(&page=\d+)?)?$/

test('a notification that names a package reads that package, and not everything', async () => {
  const copy = await openCopy('named')
  const [named, ...others] = (await flat()).filter(({ aic }) => aic !== null)
  const other = others.find(({ aic }) => aic !== named?.aic)
  if (!named || !other) throw new Error('There are no packages')
  await essarch.act('PATCH', `information-packages/${named.id}/`, { label: 'Changed and told' })
  await essarch.act('PATCH', `information-packages/${other.id}/`, { label: 'Changed in silence' })
  await told(() => essarch.act('POST', `information-packages/${named.id}/access/`, { tar: true }))
  copy.asked.length = 0
  expect(await copy.increment('news')).toMatchObject({ failure: null, nameless: 0 })
  expect(copy.asked.filter((request) => wholeLists.test(request))).toEqual([])
  expect(copy.asked.length).toBeLessThanOrEqual(8)
  expect(copy.labels().get(named.id)).toBe('Changed and told')
  expect(copy.labels().get(other.id)).toBe(other.label)
  expect(await copy.increment('news')).toMatchObject({ changed: [] })
  await copy.whole()
  expect(copy.labels().get(other.id)).toBe('Changed in silence')
  copy.close()
})

test('what came and what went is found beside whole readings', async () => {
  const copy = await openCopy('changes')
  expect(await copy.increment('changes')).toMatchObject({ failure: null, changed: [] })
  expect(copy.asked.filter((request) => wholeLists.test(request))).toEqual([])
  await essarch.act('POST', 'information-packages/', {
    label: 'By a colleague',
    package_type: 0,
    object_identifier_value: 'by-a-colleague',
  })
  expect(await copy.increment('changes')).toMatchObject({ failure: null })
  const made = present((await flat()).find((item) => item.object_identifier_value === 'by-a-colleague'))
  expect(copy.labels().get(made.id)).toBe('By a colleague')
  await essarch.act('DELETE', `information-packages/${made.id}/`)
  await until(async () => ((await flat()).some(({ id }) => id === made.id) ? undefined : true))
  await copy.increment('changes')
  expect(copy.labels().has(made.id)).toBe(false)
  // What nobody worked on is missed by the number of packages alone.
  const gone = { id: 'gone', label: 'Gone', object_identifier_value: 'gone', state: 'Preserved' }
  openSingleRecordWriter(copy.writer, 'packages', '2026-01-01T00:00:00Z').take([gone])
  expect(copy.labels().has('gone')).toBe(true)
  await copy.increment('changes')
  expect(copy.labels().has('gone')).toBe(false)
  // A difference that the reading settled is not remembered: the thread that reads stays for what is.
  expect([...copy.gaps.keys()]).toEqual([])
  copy.close()
})

test('packages in their AICs are read once, and what stands in none is found all the same', async () => {
  const copy = await openCopy('views')
  await copy.whole()
  expect(copy.asked.filter((request) => wholeLists.test(request))).toContain('information-packages/')
  const flatOnly = (request: string) =>
    /view_type=flat(&ordering=\w+)?(&page_size=(?!1$)\d+)?(&page=\d+)?$/.test(request)
  expect(copy.asked.filter(flatOnly)).toEqual([])
  const all = (await flat()).map(({ id }) => id)
  expect([...copy.labels().keys()].toSorted()).toEqual(all.toSorted())
  copy.close()
})

test('a new delivery, of which no notification tells, is found with what has changed', async () => {
  const copy = await openCopy('deliveries')
  const held = copy.cache.database.prepare(`select raw from held where subject = 'deliveries'`)
  const names = () => held.all().map(({ raw }) => (JSON.parse(String(raw)) as { name: string }).name)
  const [type] = (await essarch.act('GET', 'delivery-types/?pager=none')).body as { id: number }[]
  await essarch.act('POST', 'deliveries/', { name: 'Came meanwhile', type: type?.id })
  expect(names()).not.toContain('Came meanwhile')
  expect((await copy.increment('changes')).changed).toContain('deliveries')
  expect(names()).toContain('Came meanwhile')
  copy.close()
})

test.each([
  ['takes no such filter', () => Promise.reject(new Failed({ kind: 'refused', fields: {} }))],
  ['has a package that stands in no AIC', () => Promise.resolve([])],
])('an archive that %s gives all packages all the same', async (_name, likely) => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'beside.sqlite'))
  const [inside, alone] = ['a', null].map((aic, index) => ({ id: `p${index}`, aic, package_type: 2 }))
  const views: Record<string, unknown[]> = {
    'information-packages/': [{ id: 'a', package_type: 1, information_packages: [inside] }],
    'information-packages/?view_type=flat': [inside, alone],
  }
  const reading = {
    access: { url: '', authorization: undefined, cookie: '' },
    routes: [],
    language: 'en',
    subjects: ['packages' as const],
    hasViews: true,
    isAll: false,
  }
  const read = await readLists(copy.writer, reading, {
    now: () => new Date(0),
    reportBug: String,
    open: () => ({
      elements: async (view, reader) => {
        const rows = views[view] ?? (await likely())
        for (const row of rows) reader.take(Buffer.from(JSON.stringify(row)), 0)
        return { pass: 0, count: rows.length, isSure: true }
      },
      answer: () => Promise.resolve({ body: [], count: 2 }),
      close: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    }),
  })
  expect(read).toMatchObject({ failure: null, complete: ['packages'] })
  const ids = copy.cache.database.prepare('select id from package order by id').all()
  expect(ids.map(({ id }) => id)).toEqual(['a', 'p0', 'p1'])
  copy.close()
})

describe.each(Array.from({ length: 20 }, (_, index) => index + 1))('records taken alone, seed %i', (seed) => {
  test('leave nothing behind that the next whole reading does not set right', () => {
    using place = scratch()
    const random = seeded(seed)
    const below = (most: number) => Math.floor(random() * most)
    const packageOf = (number: number, family: number | null, label: string) => ({
      id: `p${number}`,
      label,
      object_identifier_value: `P-${number}`,
      package_type: 2,
      aic: family === null ? null : `a${family}`,
    })
    type Package = ReturnType<typeof packageOf>
    /** The archive: packages by their numbers, each in a family or in none. */
    const archive = new Map<number, Package>()
    const change = () => {
      const number = below(12)
      if (random() < 0.25) archive.delete(number)
      else {
        // A package stands in no AIC before it is received, and then in the same one for good.
        const isReceived = random() < 0.7 || (archive.get(number)?.aic ?? null) !== null
        archive.set(number, packageOf(number, isReceived ? number % 6 : null, `v${below(3)}`))
      }
      return number
    }
    const elements = () => {
      const families = Array.from({ length: 6 }, (_, family) => ({
        id: `a${family}`,
        label: `A ${family}`,
        object_identifier_value: `A-${family}`,
        package_type: 1,
        information_packages: [...archive.values()].filter(({ aic }) => aic === `a${family}`),
      })).filter((family) => family.information_packages.length > 0)
      return [...families, ...[...archive.values()].filter(({ aic }) => aic === null)]
    }
    const facts = (copy: ReturnType<typeof openLocalCopy>) =>
      copy.cache.database
        .prepare(
          `select p.id, p.label, p.aic, p.generations, p.isTop, h.raw from package p
             join held h on h.subject = 'packages' and h.id = p.id order by p.id`,
        )
        .all()
    for (let step = 0; step < 20; step += 1) change()
    const copy = openLocalCopy(path.join(place.folder, 'parts.sqlite'))
    copy.hold('packages', elements(), '2026-01-01T00:00:00Z')
    for (let round = 0; round < 6; round += 1) {
      const part = openSingleRecordWriter(copy.writer, 'packages', '2026-01-02T00:00:00Z')
      for (let step = 0; step < 10; step += 1) {
        const number = change()
        const now = archive.get(number)
        if (random() < 0.3) continue
        if (now) part.take([now])
        else part.remove([`p${number}`])
        const held = copy.cache.database.prepare('select label from package where id = ?').get(`p${number}`)
        expect(held?.['label']).toBe(now?.label)
      }
      const hold = () => copy.hold('packages', elements(), `2026-01-0${round + 3}T00:00:00Z`)
      if (hold().isDoubted) {
        copy.writer.acceptShrunk('packages')
        hold()
      }
      const fresh = openLocalCopy(path.join(place.folder, `fresh-${round}.sqlite`))
      fresh.hold('packages', elements(), '2026-01-01T00:00:00Z')
      expect(facts(copy)).toEqual(facts(fresh))
      fresh.close()
    }
    copy.close()
  })
})
