import os from 'node:os'
import { isMainThread } from 'node:worker_threads'

const behindOthers = 10

/**
 * Lets this thread work when no other one of the desk wants to, for what nobody waits for at the next key. A
 * thread has a priority of its own on Linux alone; elsewhere it would be that of the whole desk.
 */
export const giveWay = () => {
  if (process.platform !== 'linux' || isMainThread) return
  try {
    // The thread that asks is number 0 (setpriority(2)).
    os.setPriority(0, behindOthers)
  } catch {
    // Where that is forbidden it works beside the others.
  }
}
