import { codeOf } from '../common/errors.ts'

/**
 * Ends a process that takes no notice; one that ended by itself meanwhile is none any more.
 * @throws the system's error where it may not be ended
 */
export const killNow = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
