import net, { type AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { openClient } from '../../../archives/archive-client.ts'

// In a file of its own: the clock of undici begins with the first request, and would else be a real one.
test('what is sent may take as long as a slow line takes for it', async () => {
  let arrived = 0
  let answer: () => void = () => undefined
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', ({ length }) => (arrived += length))
    answer = () => socket.write('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const client = openClient(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'Token secret',
    () => 'en',
  )
  const bytes = new Uint8Array(8 * 1024 * 1024)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    /** All of it is on its way, in whatever holds it between here and the archive. */
    const send = async () => {
      arrived = 0
      const sent = client.upload('upload/', {}, { field: 'file', name: 'a.tar', bytes })
      sent.catch(() => undefined)
      await vi.waitUntil(() => arrived > bytes.length)
      return { sent }
    }
    const { sent } = await send()
    await vi.advanceTimersByTimeAsync(150_000)
    answer()
    await expect(sent).resolves.toBeUndefined()
    const { sent: unanswered } = await send()
    await vi.advanceTimersByTimeAsync(300_000)
    await expect(unanswered).rejects.toMatchObject({
      failure: { kind: 'server-broke', detail: 'too-slow' },
    })
  } finally {
    vi.useRealTimers()
    await client.stop()
    server.close()
  }
})
