import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { app } from './app.ts'

const child = fileURLToPath(new URL('./utility-child.ts', import.meta.url))
const v8Switch = '--js-flags='

interface Options {
  stdio?: 'pipe' | 'inherit' | 'ignore'
  execArgv?: string[]
  /** Instead of that of its parent. */
  env?: NodeJS.ProcessEnv
  serviceName?: string
}

/** What Electron calls every such process; its script is not on its command line. */
const serviceName = 'node.mojom.NodeService'

/** Chromium waits so long for a process that it has asked to end. */
const killedAfterMs = 2_000

/**
 * A process of its own, which ends with its parent as Electron's does. Flags of V8 reach it by Chromium's
 * switch only, and one that a signal ends has that signal's number as its exit code.
 */
export const utilityProcess = {
  fork: (script: string, args: string[] = [], options: Options = {}) => {
    const { stdio = 'inherit', execArgv = [], env, serviceName: name = 'Node Utility Process' } = options
    const v8Flags = execArgv
      .filter((flag) => flag.startsWith(v8Switch))
      .flatMap((flag) => flag.slice(v8Switch.length).split(/[ ,]+/))
    const started = fork(child, [`--utility-sub-type=${serviceName}`], {
      execArgv: [...process.execArgv, ...v8Flags],
      stdio: ['ignore', stdio, stdio, 'ipc'],
      ...(env && { env }),
    })
    started.send({ script, args })
    const running = Object.assign(new EventEmitter(), {
      pid: started.pid,
      stdout: started.stdout,
      stderr: started.stderr,
      kill: () => {
        const late = setTimeout(() => started.kill('SIGKILL'), killedAfterMs).unref()
        started.once('exit', () => clearTimeout(late))
        return started.kill()
      },
      // Nobody is told that a process has ended meanwhile, as in Electron.
      postMessage: (message: unknown) => void (started.connected && started.send({ message })),
    })
    const metric = { pid: started.pid ?? 0, type: 'Utility', serviceName, name }
    app.standIn.processes.add(metric)
    started.on('message', (message) => running.emit('message', message))
    started.on('spawn', () => running.emit('spawn'))
    started.on('exit', (code, signal) => {
      running.pid = undefined
      app.standIn.processes.delete(metric)
      const exitCode = code ?? (signal ? os.constants.signals[signal] : 0)
      if (exitCode !== 0) {
        const reason = signal ? 'killed' : 'abnormal-exit'
        app.emit('child-process-gone', {}, { type: 'Utility', serviceName, name, reason, exitCode })
      }
      running.emit('exit', exitCode)
    })
    return running
  },
}
