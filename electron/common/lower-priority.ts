import os from 'node:os'
import { isMainThread } from 'node:worker_threads'

/**
 * As `nice` has it: three quarters of a processor for whoever else wants it. More would starve, where several
 * want it, what somebody waits for in the end.
 */
const behindOthers = 5

/**
 * Lets this thread work behind the others of the desk, for what nobody waits for at the next key. A thread
 * has a priority of its own on Linux alone; elsewhere it would be that of the whole desk.
 */
export const lowerPriority = () => {
  if (process.platform !== 'linux' || isMainThread) return
  try {
    // The thread that asks is number 0 (setpriority(2)).
    os.setPriority(0, behindOthers)
  } catch {
    // Where that is forbidden it works beside the others.
  }
}
