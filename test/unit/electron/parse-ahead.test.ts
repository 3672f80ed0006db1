import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openClient } from '../../archive-client.ts'
import { scratch } from '../../archive.ts'
import { builtFile } from '../../built.ts'
import { specification } from '../../../electron/dialects/specification.ts'
import { beginGeneration } from '../../../electron/store/generation.ts'
import { openParser, type Parser } from '../../../electron/store/parse-ahead.ts'
import { openWriter } from '../../../electron/store/writer.ts'

const script = builtFile('parsing-worker.js')

/** Packages of some kB each, so that a long list has a few hundred. */
const packageAt = (number: number, more: Record<string, unknown> = {}) => ({
  id: `p${number}`,
  label: `Ritningar, låda ${number}`,
  object_identifier_value: `SE/${number}`,
  package_type: 2,
  information_packages: [],
  note: 'å'.repeat(3_000),
  ...more,
})
const many = (count: number, from = 0) => Array.from({ length: count }, (_, at) => packageAt(from + at))
const longList = () => [
  ...many(400),
  // What is not simply one record of text is read by whoever asked.
  packageAt(400, {
    information_packages: [packageAt(401, { aic: 'p400' }), packageAt(402, { aic: 'p400' })],
  }),
  { label: 'Without an id' },
  packageAt(7, { label: 'The same id once more' }),
  'no package',
  ...many(400, 500),
  packageAt(900, { object_size: 1e300, label: '\\"\ud800' }),
]

/** Serves a text as the packages of an archive, in parts of this length. */
const serve = async (body: Buffer, partLength = 40_000) => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    for (let from = 0; from < body.length; from += partLength)
      response.write(body.subarray(from, from + partLength))
    response.end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((stopped) => server.close(stopped)),
  }
}

/** Notes whether lists went on in the thread. */
const noting = (parser: Parser) => {
  const wentOn: boolean[] = []
  const goOn: Parser['goOn'] = (...asked) => {
    const goingOn = parser.goOn(...asked)
    wentOn.push(goingOn !== undefined)
    return goingOn
  }
  return { parser: { goOn }, wentOn }
}

const tables = {
  elements: 'select number, place, hex(digest) as digest, bytes, rows from element order by number',
  held:
    'select number, id, element, nth, above, model, hex(raw) as raw, typeof(raw) as kind ' +
    'from held order by number',
  packages: 'select * from package order by number',
  unreadable: 'select element, path, why from unreadable order by rowid',
  ages: 'select * from refreshed',
}

/** Takes what an archive answers into a new local copy: what is held then, and how the reading ended. */
const takeIn = async (body: Buffer, parser: Parser | undefined) => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  const writer = openWriter({ file, dialect: specification, parser, committed: () => undefined })
  const server = await serve(body)
  const archive = openClient(server.url, undefined, () => 'en')
  const { reader, finish, giveUp } = beginGeneration(writer, 'packages')
  const ended = await archive
    .elements('information-packages/', reader)
    .then((wholeness) => finish(wholeness, '2026-01-01T00:00:00Z'))
    .catch((error: unknown) => {
      giveUp()
      return String((error as Error).message) + JSON.stringify((error as { failure?: unknown }).failure)
    })
  writer.commit()
  const held = Object.fromEntries(
    Object.entries(tables).map(([name, sql]) => [name, writer.database.prepare(sql).all()]),
  )
  writer.close()
  await archive.close()
  await server.stop()
  return { held, ended: typeof ended === 'string' ? ended.replaceAll(server.url, '') : ended }
}

const inBothWays = async (body: Buffer) => {
  const { parser, wentOn } = noting(openParser(script))
  return { beside: await takeIn(body, parser), alone: await takeIn(body, undefined), wentOn }
}

test('a long list that another thread parses is held as if this one had', async () => {
  const { beside, alone, wentOn } = await inBothWays(Buffer.from(JSON.stringify(longList())))
  expect(wentOn).toEqual([true])
  expect(beside.ended).toEqual({ hasChanged: true, isDoubted: false })
  expect(beside.held['packages']).toHaveLength(804)
  expect(beside.held['unreadable']).not.toHaveLength(0)
  expect(beside).toEqual(alone)
})

test('a short list costs no thread', async () => {
  const { wentOn } = await inBothWays(Buffer.from(JSON.stringify(many(100))))
  expect(wentOn).toEqual([])
})

test.each([
  { what: 'breaks off', broken: (text: string) => text.slice(0, -2_000) },
  { what: 'goes on behind its end', broken: (text: string) => `${text}[]` },
  { what: 'has an element that is no JSON', broken: (text: string) => text.replace('"p700"', 'p700') },
  { what: 'has an element without a beginning', broken: (text: string) => text.replace('{"id":"p700"', '}') },
  { what: 'is nested without end', broken: (text: string) => text.replace('"p700"', '['.repeat(2_000)) },
])('a long list that $what fails as it does where this thread parses it', async ({ broken }) => {
  const { beside, alone, wentOn } = await inBothWays(Buffer.from(broken(JSON.stringify(longList()))))
  expect(wentOn).toEqual([true])
  expect(beside.ended).toContain('server-broke')
  expect(beside.held['ages']).toEqual([])
  expect(beside).toEqual(alone)
})

test('a text that is no UTF-8 is held as it is read', async () => {
  const text = Buffer.from(JSON.stringify(longList()))
  text.fill(0xff, text.indexOf('SE/700'), text.indexOf('SE/700') + 2)
  const { beside, alone } = await inBothWays(text)
  expect(beside.held['packages']).toHaveLength(804)
  expect(beside).toEqual(alone)
})

test('where the thread ends, the list was not read, and the next one goes on in another', async () => {
  const broken = openParser(new URL('data:text/javascript,throw new Error("broken")'))
  const body = Buffer.from(JSON.stringify(many(800)))
  for (let times = 0; times < 2; times += 1) {
    const { parser, wentOn } = noting(broken)
    const { ended, held } = await takeIn(body, parser)
    expect(wentOn).toEqual([true])
    expect(ended).toContain('broken')
    expect(held['ages']).toEqual([])
  }
})

test('one long list at a time is parsed by the thread', async () => {
  const parser = openParser(script)
  const goOn = () =>
    parser.goOn(
      { dialect: specification.name, subject: 'packages', position: 1, rest: Buffer.from('') },
      () => undefined,
      () => undefined,
    )
  const first = goOn()
  expect(first).toBeDefined()
  expect(goOn()).toBeUndefined()
  await first?.close()
  const next = goOn()
  expect(next).toBeDefined()
  await next?.close()
})
