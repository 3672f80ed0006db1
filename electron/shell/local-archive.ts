import { utilityProcess } from 'electron'
import * as v from 'valibot'
import { Failed } from '../contract/failure.ts'

const Ready = v.object({ url: v.string(), username: v.string(), password: v.string() })
export type LocalArchiveAddress = v.InferOutput<typeof Ready>

const waitMs = 30_000
// Long lists are sent as they are made; a small young generation lets go of what was sent soon enough (measured by `npm run bench`).

/**
 * Starts the archives on this computer, each as a process of its own, and waits until it says where it is. Asked for the same
 * folder again, a running one is kept.
 */
export const localArchives = ({
  script,
  log,
  ended,
}: {
  script: string
  log: (line: string) => void
  ended: (isSample: boolean) => void
}) => {
  const running = new Map<string, { address: Promise<LocalArchiveAddress>; stop: () => Promise<void> }>()

  const start = (data: string, sample: boolean) => {
    const child = utilityProcess.fork(script, ['--data', data, ...(sample ? ['--sample'] : [])], {
      stdio: 'pipe',
      execArgv: ['--max-semi-space-size=2'],
      serviceName: 'Lectern archive',
    })
    let errors = ''
    let isOver = false
    const gone = new Promise<void>((over) => child.once('exit', () => over()))
    child.stderr?.on('data', (part: Buffer) => {
      errors = `${errors}${String(part)}`.slice(-2000)
      log(String(part).trimEnd())
    })
    const address = new Promise<LocalArchiveAddress>((ready, failed) => {
      let said = ''
      const give = (detail: string) => failed(new Failed({ kind: 'local-archive', detail }))
      const timer = setTimeout(() => give('…'), waitMs)
      child.stdout?.on('data', (part: Buffer) => {
        said += String(part)
        if (!said.includes('\n')) return
        clearTimeout(timer)
        const read = v.safeParse(Ready, JSON.parse(said.slice(0, said.indexOf('\n'))))
        if (read.success) ready(read.output)
        else give(said.slice(0, 200))
      })
      child.once('exit', (code) => {
        clearTimeout(timer)
        give(errors.trim() || `exit ${code}`)
        if (running.get(data)?.address === address) running.delete(data)
        if (!isOver) ended(sample)
      })
    })
    address.catch(() => undefined)
    return {
      address,
      stop: async () => {
        isOver = true
        child.kill()
        await gone
      },
    }
  }

  return {
    start: (data: string, sample: boolean): Promise<LocalArchiveAddress> => {
      const it = running.get(data) ?? start(data, sample)
      running.set(data, it)
      return it.address
    },
    stop: async () => {
      await Promise.all([...running.values()].map(({ stop }) => stop()))
    },
  }
}
