import { parentPort, workerData } from 'node:worker_threads'
import { openWriter } from '../store/writer.ts'
import { readLists } from './read-lists.ts'
import type { Order, Report } from './thread.ts'

const { file, version } = workerData as { file: string; version: string }
const say = (report: Report) => parentPort?.postMessage(report)
const writer = openWriter({ file, version, committed: (lists) => say({ kind: 'seen', lists }) })
const bug = (error: unknown) => {
  say({ kind: 'bug', text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  return 'reading'
}

const carryOut = async (order: Order) => {
  if (order.kind === 'read') say({ kind: 'done', id: order.id, read: await readLists(writer, order.wanted, { now: () => new Date(), bug }) })
  else if (order.kind === 'look') writer.look(order.archive, order.subject, order.id)
  else if (order.kind === 'options') writer.holdOptions(order.archive, order.list, order.body)
  else writer.agree(order.archive, order.subject)
}

// Only main, which made this thread, speaks on the port.
parentPort?.on('message', (order: Order) => void carryOut(order).catch((error: unknown) => bug(error)))
