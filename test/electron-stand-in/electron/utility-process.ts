import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'

const child = fileURLToPath(new URL('./utility-child.ts', import.meta.url))

/** A process of its own, which ends with its parent as Electron's does. */
export const utilityProcess = {
  fork: (
    script: string,
    args: string[] = [],
    { stdio = 'inherit', execArgv = [] }: { stdio?: 'pipe' | 'inherit' | 'ignore'; execArgv?: string[] } = {},
  ) => {
    const started = fork(child, [script, ...args], {
      execArgv: [...process.execArgv, ...execArgv],
      stdio: ['ignore', stdio, stdio, 'ipc'],
    })
    const it = Object.assign(new EventEmitter(), {
      pid: started.pid,
      stdout: started.stdout,
      stderr: started.stderr,
      kill: () => started.kill(),
      postMessage: (message: unknown) => started.send({ message }),
    })
    started.on('message', (message) => it.emit('message', message))
    started.on('spawn', () => it.emit('spawn'))
    started.on('exit', (code, signal) => {
      it.pid = undefined
      it.emit('exit', code ?? (signal ? 128 : 0))
    })
    return it
  },
}
