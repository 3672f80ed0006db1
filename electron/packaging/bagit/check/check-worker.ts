import { parentPort } from 'node:worker_threads'
import { dataOfThread } from '../../../common/worker-data.ts'
import type { CheckWorkerMessage } from '../../check-workers.ts'
import { checkLines, type FoundInRange, type LinesToCheck } from './check-lines.ts'

const say = (message: CheckWorkerMessage<FoundInRange>) => parentPort?.postMessage(message)
await checkLines(dataOfThread<LinesToCheck>(), (found) => say({ found }))
say('over')
