import { utilityProcess } from 'electron'
import { archiveEnvironment, type ForkArchive } from './local-archive.ts'

/**
 * Long lists are sent as they are made; a small young generation lets go of what was sent soon enough
 * (measured by `npm run bench`). Chromium starts the process, and hands V8's flags on by a switch of its own:
 * given as to Node they have no effect.
 */
export const forkArchive: ForkArchive = (script, args) =>
  utilityProcess.fork(script, args, {
    stdio: 'pipe',
    execArgv: ['--js-flags=--max-semi-space-size=2'],
    env: { ...process.env, ...archiveEnvironment },
    serviceName: 'Lectern archive',
  })
