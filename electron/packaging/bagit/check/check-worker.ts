import { parentPort } from 'node:worker_threads'
import { dataOfThread } from '../../../common/worker-data.ts'
import { checkLines, type FoundInRange, type LinesToCheck } from './check-lines.ts'

/** What a thread found in one range; and its last word, without which nobody knows what it left out. */
export type CheckWorkerMessage = { found: FoundInRange } | 'over'

const say = (message: CheckWorkerMessage) => parentPort?.postMessage(message)
await checkLines(dataOfThread<LinesToCheck>(), (found) => say({ found }))
say('over')
