import { parentPort, workerData } from 'node:worker_threads'
import { failureOf } from '../contract/failure.ts'
import { noteDamage } from '../store/cache-file.ts'
import { farewell } from '../store/end-thread.ts'
import { openFiles } from '../store/open-files.ts'
import { openWriter, type Writer } from '../store/writer.ts'
import { readLists, type Wanted } from './read-lists.ts'
import type { Closing, Order, Report } from './thread.ts'

const { version } = workerData as { version: string }
const say = (report: Report) => parentPort?.postMessage(report)
const bug = (error: unknown) => {
  say({ kind: 'bug', text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  return 'reading'
}

const restMs = 2
const betweenWordsMs = 500

/** The local copy of an archive, and what goes on with it. */
interface Copy {
  archive: string
  file: string
  writer: Writer
  readings: Set<Promise<unknown>>
  stop: AbortController
  hasIndexed: boolean
  /** When it was said last that words came into the index. */
  saidAt: number
  keepInMemory: Writer['keepInMemory']
  close: () => void
}

/** Copies whose words may have to be brought into the index, the one whose turn is next first. */
const toIndex = new Set<Copy>()
let turn: NodeJS.Timeout | undefined

const files = openFiles<Copy>({
  open: (archive, file) => {
    const writer = openWriter({
      file,
      version,
      committed: (subjects) => say({ kind: 'seen', archive, subjects }),
    })
    return {
      archive,
      file,
      writer,
      readings: new Set(),
      stop: new AbortController(),
      hasIndexed: false,
      saidAt: 0,
      keepInMemory: writer.keepInMemory,
      // What could not be written any more is read anew; the others are closed all the same.
      close: () => {
        try {
          writer.close()
        } catch (error) {
          noteDamage(file, error)
          failureOf(error, bug)
        }
      },
    }
  },
  most: 3,
  bytes: 16_000 * 1024,
  fewestBytes: 2_000 * 1024,
  isIdle: (copy) => copy.readings.size === 0 && !toIndex.has(copy),
})

/** Without room there are no words for now; what is read next tries again. */
const indexSome = ({ file, writer }: Copy) => {
  try {
    return writer.indexSome()
  } catch (error) {
    noteDamage(file, error)
    failureOf(error, bug)
    return false
  }
}
/** The words of some rows of one copy; those of the next one come after a rest, in which other things are done. */
const takeTurn = () => {
  turn = undefined
  const [copy] = toIndex
  if (!copy) return
  toIndex.delete(copy)
  // The words of an archive follow when nothing of it is read.
  if (copy.readings.size === 0) {
    const { archive } = copy
    if (indexSome(copy)) {
      copy.hasIndexed = true
      toIndex.add(copy)
      if (performance.now() - copy.saidAt > betweenWordsMs) {
        copy.saidAt = performance.now()
        say({ kind: 'indexed', archive, isAll: false })
      }
    } else if (copy.hasIndexed) {
      copy.hasIndexed = false
      say({ kind: 'indexed', archive, isAll: true })
    }
  }
  if (toIndex.size > 0) turn = setTimeout(takeTurn, restMs)
}
const follow = (copy: Copy) => {
  toIndex.add(copy)
  turn ??= setTimeout(takeTurn)
}

const read = async (copy: Copy, wanted: Wanted) => {
  const { file, writer, readings, stop } = copy
  const reading = readLists(writer, wanted, {
    now: () => new Date(),
    signal: stop.signal,
    bug: (error) => {
      noteDamage(file, error)
      return bug(error)
    },
  })
  readings.add(reading)
  try {
    return await reading
  } finally {
    readings.delete(reading)
  }
}
/** Nothing of it is under way any more when it is closed. */
const close = async ({ archive, id }: Closing) => {
  const copy = files.known(archive)
  copy?.stop.abort()
  await Promise.allSettled([...(copy?.readings ?? [])])
  if (copy) toIndex.delete(copy)
  files.close(archive)
  say({ kind: 'closed', id })
}

const carryOut = async (order: Order) => {
  const copy = files.of(order.archive, order.file)
  const { writer } = copy
  if (order.kind === 'read') say({ kind: 'done', id: order.id, read: await read(copy, order.wanted) })
  else if (order.kind === 'look') writer.look(order.subject, order.id)
  else if (order.kind === 'options') writer.holdOptions(order.list, order.body)
  else if (order.kind === 'agree') writer.agree(order.subject)
  if (!copy.stop.signal.aborted) follow(copy)
}

// Only main, which made this thread, speaks on the port.
parentPort?.on('message', (order: Order | Closing | typeof farewell) => {
  if (order === farewell) {
    files.closeAll()
    process.exit()
  }
  if (order.kind === 'close') return void close(order)
  carryOut(order).catch((error: unknown) => {
    noteDamage(order.file, error)
    const failure = failureOf(error, bug)
    // Nobody waits for what cannot be opened.
    if (order.kind === 'read') say({ kind: 'done', id: order.id, read: { changed: [], failure } })
  })
})
