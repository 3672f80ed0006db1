import { parentPort } from 'node:worker_threads'
import { background, toProcess } from './background.ts'
import { farewell, type Reply, type Request } from './request-thread.ts'

const post = (reply: Reply<unknown>) => parentPort?.postMessage(reply)

/** Says something without having been asked. */
export const sayEvent = (event: unknown) => post({ kind: 'event', event })

/**
 * Answers what this thread is asked, as its script. Only main, which made the thread, speaks on the port.
 * @param answer gives what is answered, at once or later; what it throws is told to whoever asked, and ends
 * the thread where nobody waits for an answer
 * @param closing closes what is open before the thread ends
 */
export const serveRequests = <Body>(
  answer: (body: Body) => unknown,
  closing: () => void = () => undefined,
) => {
  const serve = async ({ id, body }: Request<Body>) => {
    if (id === null) return void (await answer(body))
    try {
      post({ kind: 'answer', id, value: await answer(body) })
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      post({ kind: 'failure', id, message })
    }
  }
  parentPort?.on('message', (request: Request<Body> | typeof farewell) => {
    if (request === farewell) {
      closing()
      process.exit()
    }
    background(serve(request), toProcess)
  })
}
