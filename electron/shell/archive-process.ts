import { utilityProcess } from 'electron'
import { archiveEnvironment, archiveFlags, type ForkArchive } from './local-archive.ts'

/**
 * Chromium starts the process, and hands V8's flags on by a switch of its own: given as to Node they have no
 * effect.
 */
export const forkArchive: ForkArchive = (script, args) =>
  utilityProcess.fork(script, args, {
    stdio: 'pipe',
    execArgv: [`--js-flags=${archiveFlags.join(' ')}`],
    env: { ...process.env, ...archiveEnvironment },
    serviceName: 'Lectern archive',
  })
