import { specification } from '../../electron/dialects/specification.ts'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Archive } from '../../electron/archives/archive.ts'
import { Failed } from '../../electron/contract/failure.ts'
import { archiveEnvironment, archiveFlags } from '../../electron/shell/local-archive.ts'
import { builtFile } from '../support/built.ts'

const inDialects = path.resolve(import.meta.dirname, '../essarch/serve.ts')

export interface RunningArchive {
  url: string
  username: string
  password: string
  others: { username: string; password: string }[]
  data: string
  pid: number
  basic: string
  get: (path: string) => Promise<unknown>
  /** Ends it at once, as a power cut would. */
  kill: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * The local archive as `npm run archive` starts it: a process of its own over real files, in the dialect that
 * the journey speaks.
 */
export const startArchive = (data: string, ...args: string[]): Promise<RunningArchive> => {
  const dialect = process.env['LECTERN_TEST_DIALECT']
  const spoken = dialect !== undefined && !args.includes('--dialect') ? ['--dialect', dialect] : []
  return startScript(inDialects, ['--data', data, ...args, ...spoken], data)
}

/** The same as the product starts it: without what Node needs to read TypeScript, 45 MB. */
export const startBuiltArchive = (data: string): Promise<RunningArchive> =>
  startScript(fileURLToPath(builtFile('local-archive.js')), ['--data', data], data)

const startScript = async (script: string, args: string[], data: string): Promise<RunningArchive> => {
  const child = spawn(process.execPath, [...archiveFlags, script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...archiveEnvironment },
  })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  let errors = ''
  child.stderr.on('data', (part: Buffer) => {
    errors += String(part)
    // What an archive says of its own errors tells why a test failed.
    process.stderr.write(part)
  })
  const line = await new Promise<string>((ready, failed) => {
    let said = ''
    child.stdout.on('data', (part: Buffer) => {
      said += String(part)
      if (said.includes('\n')) ready(said)
    })
    child.once('exit', () => failed(new Error(errors)))
  })
  const { url, username, password, others } = JSON.parse(line) as {
    url: string
    username: string
    password: string
    others: { username: string; password: string }[]
  }
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return {
    url,
    username,
    password,
    others,
    data,
    basic,
    pid: child.pid ?? 0,
    get: async (address) =>
      (
        await fetch(`${url}/api/${address}`, { headers: { authorization: basic } })
      ).json() as Promise<unknown>,
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
    stop: async () => {
      child.kill()
      await gone
    },
  }
}

/** An archive that cannot be reached, as features are given one: what is held of it is all there is. */
export const archiveOf = (id: string) =>
  ({
    id,
    dialect: () => specification,
    findClient: () => undefined,
    client: () => {
      throw new Failed({ kind: 'offline', address: '', detail: '' })
    },
    // Features take no more of an archive than this.
  }) as unknown as Archive
