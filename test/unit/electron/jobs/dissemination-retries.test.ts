import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openClient } from '../../../archives/archive-client.ts'
import { withRetries } from '../../../../electron/jobs/kinds/dissemination/step-context.ts'

const ask = async (answer: (count: number) => RequestListener) => {
  let asked = 0
  const server = createServer((request, response) => answer((asked += 1))(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const client = openClient(`http://127.0.0.1:${port}`, 'Token t', () => 'en')
  const waits: number[] = []
  const wait = (ms: number) => {
    waits.push(ms)
    return Promise.resolve()
  }
  const { signal: stop } = new AbortController()
  const outcome = await withRetries(() => client.get('workareas/'), { wait, stop }).catch(
    (error: unknown) => error,
  )
  return { outcome, waits, asked }
}
const plain =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end('<p>x</p>')
const well: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]')

test.each([408, 429, 500, 502, 503])(
  'what an archive says with %i is asked for once more',
  async (status) => {
    const { outcome, waits } = await ask((count) => (count < 3 ? plain(status) : well))
    expect(outcome).toEqual([])
    expect(waits).toEqual([1_500, 3_000])
  },
)

test('an answer that broke off is asked for once more', async () => {
  const cutOff: RequestListener = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '9' })
    response.write('[', () => response.destroy())
  }
  const { outcome, waits } = await ask((count) => (count === 1 ? cutOff : well))
  expect([outcome, waits]).toEqual([[], [1_500]])
})

test('an archive is left alone as long as it asks, unless that is long', async () => {
  const soon = await ask((count) => (count === 1 ? plain(503, { 'Retry-After': '7' }) : well))
  expect([soon.outcome, soon.waits]).toEqual([[], [7_000]])
  const late = await ask(() => plain(503, { 'Retry-After': '61' }))
  expect([late.outcome, late.asked]).toMatchObject([{ failure: { kind: 'server-broke' } }, 1])
})

test.each([302, 404, 501, 505])('what would be the same again is asked for once: %i', async (status) => {
  const { outcome, asked } = await ask(() => plain(status, { Location: 'https://elsewhere.example/' }))
  expect([outcome, asked]).toMatchObject([{ failure: { kind: 'server-broke', status } }, 1])
})
