import { setImmediate as afterOthers } from 'node:timers/promises'

/** Lets others have their turn between the parts of a long description. */
export async function* yieldingChunks(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of body) {
    yield part
    await afterOthers()
  }
}
