import { parentPort } from 'node:worker_threads'
import { dataOfThread } from '../../../common/worker-data.ts'
import type { CheckWorkerMessage } from '../../check-workers.ts'
import { checkClaims, type ClaimsToCheck, type FoundClaims } from './claims.ts'

const say = (message: CheckWorkerMessage<FoundClaims>) => parentPort?.postMessage(message)
await checkClaims(dataOfThread<ClaimsToCheck>(), (found) => say({ found }))
say('over')
