import { parentPort } from 'node:worker_threads'
import { background, toProcess } from './background.ts'
import { endIfIdleMessage, endMessage, type Reply, type Request } from './request-thread.ts'

const post = (reply: Reply<unknown>) => parentPort?.postMessage(reply)

/** Says something without having been asked. */
export const sayEvent = (event: unknown) => post({ kind: 'event', event })

/**
 * Answers what this thread is asked, as its script. Only main, which made the thread, speaks on the port.
 * @param answer gives what is answered, at once or later; what it throws is told to whoever asked, and ends
 * the thread where nobody waits for an answer
 * @param closing closes what is open before the thread ends
 * @param isIdle whether it has nothing to go on with that nobody waits for
 */
export const serveRequests = <Body>(
  answer: (body: Body) => unknown,
  closing: () => void = () => undefined,
  isIdle: () => boolean = () => true,
) => {
  let working = 0
  const end = () => {
    closing()
    process.exit()
  }
  const serve = async ({ id, body }: Request<Body>) => {
    if (id === null) return void (await answer(body))
    try {
      post({ kind: 'answer', id, value: await answer(body) })
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      post({ kind: 'failure', id, message })
    }
  }
  parentPort?.on('message', (request: Request<Body> | typeof endMessage | typeof endIfIdleMessage) => {
    if (request === endMessage) return end()
    if (request === endIfIdleMessage) return working === 0 && isIdle() ? end() : post({ kind: 'not idle' })
    working += 1
    background(
      serve(request).finally(() => (working -= 1)),
      toProcess,
    )
  })
}
