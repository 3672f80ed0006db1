import { workerData } from 'node:worker_threads'
import { serveRequests } from '../../common/serve-requests.ts'
import { openIndexes, type IndexQuestion } from './indexes.ts'

// A thread of its own: a tar of a million names is read to its end before the first of them is found.
const indexes = openIndexes(String(workerData))
serveRequests<IndexQuestion>(indexes.answer, indexes.close)
