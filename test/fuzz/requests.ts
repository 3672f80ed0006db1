import type { Field, Fields } from '../../electron/local-archive/http/fields.ts'
import { resources } from '../../electron/local-archive/resources/index.ts'
import type { Draw } from './draw.ts'

/** A request of HTTP as a client would write it. */
export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** What a stranger writes to the socket without caring for HTTP, and how long it is left open. */
export interface Raw {
  parts: string[]
  holdMs: number
}

const lists = Object.keys(resources)
/** Lists that are long are asked for by pages, mostly. */
const long = ['information-packages', 'storage-objects', 'events']
/**
 * After so many requests a list has grown by its own length again. The longer the lists are, the fewer of
 * them are asked for whole: else the time goes into sending the same bytes.
 */
const grownAfter = 20_000

const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels)
const longText = 'och protokoll från nämnden '.repeat(2_000)

/** Values as JSON text, since some cannot be written by JSON.stringify. */
const oddValues = [
  'null',
  'true',
  '0',
  '-1',
  '1',
  '1e400',
  '-0.0',
  '9007199254740993',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"x"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"å\\u0301"',
  '"%00"',
  '"2026-02-30"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '[{}]',
  '{"a":1}',
  '{"__proto__":{"id":1}}',
  '{"constructor":{"prototype":1}}',
  '{"status":200,"body":{"id":1}}',
  '{"id":{"id":{}}}',
  '"\'; drop table record; --"',
  '"../../etc/passwd"',
  deep(50, '[', ']'),
  deep(101, '[', ']'),
]
/** The same, and costly to make, to send and to read: they come less often. */
const heavyValues = [
  deep(5_000, '[', ']'),
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  JSON.stringify(longText),
  JSON.stringify(Array.from({ length: 1_500 }, (_, index) => index)),
  JSON.stringify(Array.from({ length: 1_200 }, () => ({ name: 'x', main: 'x' }))),
  JSON.stringify(Array.from({ length: 1_000 }, (_, index) => ({ main: `n${index}`, agent: index, type: 1 }))),
]

const wholeBodies = [
  '',
  '{',
  '[]',
  'null',
  '5',
  '"x"',
  '{"a":1,}',
  '\u0000',
  'a=b',
  '<xml/>',
  '{"name":"x","name":5}',
  '{"status":200,"body":{}}',
  '{"status":500,"body":null,"headers":{"x":"y"}}',
  '{"status":999,"body":1}',
  '{"__proto__":{"name":"x"}}',
  '{"toString":1,"hasOwnProperty":2}',
  '{"refusal":{"status":200}}',
]

const heavyBodies = [
  deep(100_000, '[', ']'),
  `{"query":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
  `{"name":"${'x'.repeat(1_100_000)}"}`,
]

const validValue = (draw: Draw, { type, choices, of }: Field, number: number): unknown => {
  if (type === 'string') return `fuzz ${number}`
  if (type === 'integer') return 1_000_000 + number
  if (type === 'boolean') return draw.isOneIn(2)
  if (type === 'date') return '2026-01-01'
  if (type === 'choice') return draw.one(choices ?? [])
  if (type === 'reference') return draw.below(5)
  return of ? [validBody(draw, of, number)] : []
}
const validBody = (draw: Draw, fields: Fields, number: number): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field.required || draw.isOneIn(3))
      .map(([name, field]) => [name, validValue(draw, field, number)]),
  )

const hostileBody = (draw: Draw, list: string, number: number): string => {
  if (draw.isOneIn(100)) return draw.one(heavyBodies)
  if (draw.isOneIn(6)) return draw.one(wholeBodies)
  const fields = resources[list]?.fields ?? { name: { type: 'string', required: true } }
  const valid = validBody(draw, fields, number)
  if (draw.isOneIn(12)) return JSON.stringify(valid)
  const parts = Object.keys(fields).map((name) =>
    [
      JSON.stringify(name),
      draw.isOneIn(3) && name in valid
        ? JSON.stringify(valid[name])
        : draw.one(draw.isOneIn(20) ? heavyValues : oddValues),
    ].join(':'),
  )
  if (draw.isOneIn(3)) parts.push('"status":200,"body":{"id":1},"__proto__":{"x":1}')
  return `{${parts.join()}}`
}

const oddNumbers = [
  '0',
  '1',
  '-1',
  '2',
  '10',
  '999999',
  '1e9',
  '99999999999999999999',
  'x',
  '',
  '%00',
  'NaN',
  '1.5',
]
const oddIds = [
  '1',
  '0',
  '-1',
  '00000000-0000-0000-0000-000000000000',
  '%',
  '%00',
  '%zz',
  '%ff',
  '..%2f..',
  'constructor',
  '__proto__',
  'a=b',
  'archives=1',
  `archives=${'1,'.repeat(500)}`,
  'x'.repeat(5_000),
  '%F0%9F%92%A9',
  'a/b/c',
]
const queryOf = (draw: Draw): string => {
  const parts = [
    () => `page=${draw.one(oddNumbers)}`,
    () => `page_size=${draw.one(oddNumbers)}`,
    () => `page=${1 + draw.below(30)}&page_size=${1 + draw.below(50)}`,
    () => `ordering=${draw.one(['name', '-name', 'id', '', "x';--", 'a'.repeat(300)])}`,
    () => `pager=${draw.one(['none', 'all', ''])}`,
    () => `${'unknown=1&'.repeat(200)}x`,
    () => `%zz=%&&&=&%C3%A9=%E9`,
    () => `search=${encodeURIComponent(draw.one(searched).toWellFormed())}`,
  ]
  return draw.one(parts)()
}

const searched = [
  'och',
  'protokoll',
  '"och protokoll"',
  'protokoll OR och',
  '*',
  '"',
  '"""',
  '( ) NEAR/2 ^',
  '-',
  'NOT',
  'a:b',
  '\u0000',
  '\ud800',
  'å',
  'a\u0301',
  '😀',
  '"😀"',
  '%',
  'marks : every',
  'name : x',
  'x'.repeat(2_100),
  'a '.repeat(120),
  'och '.repeat(90),
  '"och protokoll från nämnden"',
  'ⅷ ㊀ ٣',
  '" "',
  'q=1&q=2',
]
const searchOf = (draw: Draw): string => {
  const filters = [
    () => `q=${encodeURIComponent(draw.one(searched).toWellFormed())}`,
    () => `extension=${draw.one(['pdf', 'pdf,txt', ',,,', 'x,'.repeat(150), '%00'])}`,
    () => `type=${draw.one(['image', 'document', 'folder', '"'])}`,
    () => `agents=${draw.one(['1', 'x,y', '%ff'])}`,
    () => `archives=${draw.one(['1', 'x,y', "'"])}`,
    () => `indices=${draw.one(['archive', 'component,document', 'none'])}`,
    () => `ordering=${draw.one(['name', '-reference_code', 'seq', '-', 'name,-name'])}`,
    () => queryOf(draw),
  ]
  const asked = Array.from({ length: 1 + draw.below(4) }, () => draw.one(filters)()).join('&')
  if (draw.isOneIn(20)) return `search/q${'/'.repeat(15_000)}x`
  return draw.isOneIn(3) ? `search/${asked}` : `search/?${asked}`
}

const methods = [
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'LINK',
]
const oddHeaders: Record<string, string>[] = [
  { range: 'bytes=0-10' },
  { range: 'bytes=-1' },
  { range: 'lines=1-2' },
  { 'if-match': '*' },
  { 'if-none-match': '"x"' },
  { host: '127.0.0.1:99999' },
  { host: 'localhost:0' },
  { host: 'evil.example' },
  { host: '' },
  { host: '[::1]' },
  { host: '127.0.0.1:' },
  { host: 'localhost' },
  { 'if-modified-since': 'never' },
  { accept: 'text/html;q=x' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': '' },
  { 'content-encoding': 'gzip' },
  { expect: '200-ok' },
  { cookie: `lectern_session=${'1'.repeat(64)}` },
  { cookie: `lectern_session=1-9999999999999--${'0'.repeat(64)}` },
  { authorization: 'Token' },
  { authorization: 'Basic' },
  { authorization: 'Basic %%%' },
  { authorization: `Token ${'x'.repeat(4_000)}` },
  { authorization: 'Bearer x' },
  { 'x-http-method-override': 'DELETE' },
  { upgrade: 'websocket', connection: 'Upgrade' },
  { 'x-long': 'x'.repeat(10_000) },
]

/** The next request, of every kind that the interface or a stranger knows. */
export const nextRequest = (draw: Draw, number: number, authorization: string): Sent => {
  const headers = { authorization }
  const list = draw.one(lists)
  const kind = draw.below(100)
  const wholeOneIn = long.includes(list) ? 200 : 1 + Math.floor(number / grownAfter)
  const paged = draw.isOneIn(wholeOneIn) ? '' : `page=${1 + draw.below(400)}&page_size=20`
  if (kind < 32)
    return { method: 'GET', path: `${list}/?${[paged, queryOf(draw)].sort().join('&')}`, headers }
  if (kind < 46) return { method: 'GET', path: `${list}/${draw.one(oddIds)}/`, headers }
  if (kind < 54) return { method: 'GET', path: searchOf(draw), headers }
  if (kind < 62) {
    const path = `${list}/${draw.isOneIn(2) ? '' : draw.one(oddIds)}?page_size=5&page=1`
    return { method: draw.one(methods), path, headers }
  }
  if (kind < 72)
    return {
      method: draw.one(['GET', 'HEAD', 'POST']),
      path: `${list}/?page_size=5`,
      headers: { ...headers, ...draw.one(oddHeaders) },
    }
  const path = draw.isOneIn(50) ? 'auth/token_login/' : `${list}/`
  const sent = { ...headers, 'content-type': 'application/json' }
  return { method: 'POST', path, headers: sent, body: hostileBody(draw, list, number) }
}

/** The next thing that no client of HTTP would send. */
export const nextRaw = (draw: Draw, authorization: string): Raw => {
  const head = (line: string, ...lines: string[]) =>
    `${[line, 'Host: localhost', `Authorization: ${authorization}`, ...lines].join('\r\n')}\r\n\r\n`
  const post = 'POST /api/metric-types/ HTTP/1.1'
  const json = 'Content-Type: application/json'
  return draw.one<Raw>([
    { parts: [''], holdMs: 50 },
    { parts: ['GET /api/me/ HTTP/1.1\r\nHost: local'], holdMs: 200 },
    { parts: [...head('GET /api/me/ HTTP/1.1')].slice(0, 40), holdMs: 500 },
    { parts: [head(post, json, 'Content-Length: 1000'), '{"name":'], holdMs: 200 },
    { parts: [head(post, json, 'Content-Length: 5', 'Transfer-Encoding: chunked'), '0\r\n\r\n'], holdMs: 20 },
    { parts: [head(post, json, 'Transfer-Encoding: chunked'), 'ffffffffffffffff\r\n{'], holdMs: 50 },
    { parts: [head(post, json, 'Transfer-Encoding: chunked'), '2\r\n{}\r\n', '0\r\n'], holdMs: 50 },
    { parts: [head(post, json, 'Transfer-Encoding: identity, chunked, x'), '0\r\n\r\n'], holdMs: 20 },
    { parts: [head(post, json, 'Content-Length: -1')], holdMs: 20 },
    { parts: [head(post, json, 'Content-Length: 2', 'Content-Length: 3'), '{}x'], holdMs: 20 },
    { parts: [head(post, json, 'Expect: 100-continue', 'Content-Length: 9')], holdMs: 50 },
    { parts: [head('GET /api/me/ HTTP/1.1', `X: ${'y'.repeat(70_000)}`)], holdMs: 20 },
    { parts: [head(`GET /api/${'x/'.repeat(20_000)} HTTP/1.1`)], holdMs: 20 },
    { parts: [head('GET //evil.example/api/me/ HTTP/1.1')], holdMs: 20 },
    { parts: [head('GET http://evil.example/api/me/ HTTP/1.1')], holdMs: 20 },
    { parts: [head('GET * HTTP/1.1')], holdMs: 20 },
    { parts: [head('CONNECT localhost:80 HTTP/1.1')], holdMs: 20 },
    { parts: ['GET /api/me/ HTTP/1.0\r\n\r\n'], holdMs: 20 },
    { parts: ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'], holdMs: 20 },
    { parts: [head('GET /api/information-packages/ HTTP/1.1').repeat(20)], holdMs: 100 },
  ])
}
