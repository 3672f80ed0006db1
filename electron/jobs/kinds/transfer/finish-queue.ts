import { background, toProcess } from '../../../common/background.ts'
import type { DeskStore } from '../../../store/desk/desk-store.ts'
import { isReadable } from '../../../store/desk/job-rows.ts'
import type { Engine } from '../../engine.ts'
import type { Finishing } from './finishing.ts'

interface Parts {
  /** So many of an archive are finished at the same time. */
  most: number
  engine: Pick<Engine, 'mayGo'>
  store: Pick<DeskStore, 'transfer'>
  finishing: Finishing
  /** Works at a transfer where nobody does yet; fulfilled when that is over. */
  run: (id: string, task: Finishing['finishNow']) => Promise<void>
}

interface Queue {
  waiting: Set<string>
  working: number
}

/**
 * Finishes what was submitted, a few of each archive at a time, and nothing while a person has stopped what
 * goes there by itself. The queues of the engine (jobs/queues.ts) look up what waits to be sent in the desk's
 * file; what was submitted does not stand there, has no order, and whoever finds it due waits for nothing.
 * @returns takes one that is due
 */
export const openFinishQueue = ({ most, engine, store, finishing, run }: Parts) => {
  const queues = new Map<string, Queue>()
  const queueOf = (archive: string): Queue => {
    const queue = queues.get(archive) ?? { waiting: new Set(), working: 0 }
    queues.set(archive, queue)
    return queue
  }
  const isDue = (id: string): boolean => {
    const transfer = store.transfer(id)
    return transfer !== undefined && isReadable(transfer) && finishing.isDue(transfer)
  }
  const workThrough = async (archive: string, queue: Queue): Promise<void> => {
    queue.working += 1
    try {
      for (const id of queue.waiting) {
        queue.waiting.delete(id)
        if (engine.mayGo(archive) && isDue(id)) await run(id, finishing.finishNow)
      }
    } finally {
      queue.working -= 1
    }
  }
  return (archive: string, id: string): void => {
    const queue = queueOf(archive)
    queue.waiting.add(id)
    if (queue.working < most) background(workThrough(archive, queue), toProcess)
  }
}
