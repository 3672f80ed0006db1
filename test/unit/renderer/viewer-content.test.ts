import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openContent, Unreachable } from '../../../renderer/viewer/content.ts'

test('a part that comes short is none, and is asked for again', async () => {
  const whole = Buffer.from('Hamnkontoret')
  let given = 4
  const server = createServer((_request, response) => {
    response.writeHead(206).end(whole.subarray(0, given))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const place = server.address()
  if (place === null || typeof place === 'string') throw new Error('The server has no port.')
  const content = openContent({
    address: `http://127.0.0.1:${place.port}/`,
    name: 'brev.txt',
    bytes: whole.length,
    progressed: () => undefined,
    signal: new AbortController().signal,
  })
  await expect(content.read(0, whole.length)).rejects.toThrow(Unreachable)
  given = whole.length
  expect(Buffer.from(await content.read(0, whole.length)).toString()).toBe('Hamnkontoret')
})
