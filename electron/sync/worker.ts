import { parentPort, workerData } from 'node:worker_threads'
import { failureOf } from '../contract/failure.ts'
import { farewell } from '../store/end-thread.ts'
import { openWriter } from '../store/writer.ts'
import { readLists, type Wanted } from './read-lists.ts'
import type { Order, Report } from './thread.ts'

const { file, version } = workerData as { file: string; version: string }
const say = (report: Report) => parentPort?.postMessage(report)
const writer = openWriter({ file, version, committed: (lists) => say({ kind: 'seen', lists }) })
const bug = (error: unknown) => {
  say({ kind: 'bug', text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  return 'reading'
}

const restMs = 2
const betweenWordsMs = 500
let reading = 0
let isIndexing = false
let hasIndexed = false
let saidAt = 0
/** Without room there are no words for now; what is read next tries again. */
const index = () => {
  try {
    return writer.indexSome()
  } catch (error) {
    failureOf(error, bug)
    return false
  }
}
/** The index of words follows what was read, when nothing else is to be done. */
const follow = () => {
  if (isIndexing || reading > 0) return
  isIndexing = index()
  if (isIndexing) hasIndexed = true
  else if (hasIndexed) {
    hasIndexed = false
    say({ kind: 'indexed', isAll: true })
  }
  if (!isIndexing) return
  if (performance.now() - saidAt > betweenWordsMs) {
    saidAt = performance.now()
    say({ kind: 'indexed', isAll: false })
  }
  setTimeout(() => {
    isIndexing = false
    follow()
  }, restMs)
}
const reads = async (wanted: Wanted) => {
  reading += 1
  try {
    return await readLists(writer, wanted, { now: () => new Date(), bug })
  } finally {
    reading -= 1
  }
}

const carryOut = async (order: Order) => {
  if (order.kind === 'read') say({ kind: 'done', id: order.id, read: await reads(order.wanted) })
  else if (order.kind === 'look') writer.look(order.archive, order.subject, order.id)
  else if (order.kind === 'options') writer.holdOptions(order.archive, order.list, order.body)
  else writer.agree(order.archive, order.subject)
  follow()
}

follow()

// Only main, which made this thread, speaks on the port.
parentPort?.on('message', (order: Order | typeof farewell) => {
  if (order !== farewell) return void carryOut(order).catch((error: unknown) => failureOf(error, bug))
  writer.close()
  process.exit()
})
