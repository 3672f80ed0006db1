import { workerData } from 'node:worker_threads'

/** What this thread was started with: one function alone starts each script, and gives what it asks for. */
export const dataOfThread = <Data>(): Data =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- whoever starts it satisfies Data
  workerData as Data
