import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'

/** What this thread was started with: one function alone starts each script, and gives what it asks for. */
export const dataOfThread = <Data>(): Data =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- whoever starts it satisfies Data
  workerData as Data

/** What this thread is sent, one after the other, until it is ended: by one function alone, as above. */
export async function* sentToThread<Data>(): AsyncGenerator<Data> {
  if (!parentPort) return
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- whoever sends it satisfies Data
  for await (const [data] of on(parentPort, 'message') as AsyncIterable<[Data]>) yield data
}
