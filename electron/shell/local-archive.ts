import * as v from 'valibot'
import { background, toProcess } from '../common/background.ts'
import { Failed } from '../contract/failure.ts'
import { killNow } from './kill-now.ts'

const Ready = v.object({ url: v.string(), username: v.string(), password: v.string() })
export type LocalArchiveAddress = v.InferOutput<typeof Ready>

interface ArchiveProcess {
  /** Undefined where it could not be started, or has ended. */
  pid?: number | undefined
  stdout: NodeJS.ReadableStream | null
  stderr: NodeJS.ReadableStream | null
  once: (event: 'exit', listener: (code: number | null) => void) => unknown
  postMessage: (message: unknown) => void
}

/**
 * What an archive finds in its environment: glibc gives threads up to eight heaps for each processor, and
 * keeps what was freed in each of them; and once a large block was freed, it puts those that come later among
 * the small ones, where they leave holes (mallopt(3)). Measured by `npm run bench -- ingest`: 55 MB by the
 * one, 60 to 100 MB by the other.
 */
export const archiveEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(128 * 1024) }

/**
 * V8's flags of an archive. Long lists are sent as they are made, and packages come by the thousand: a small
 * young generation, and an old one that is looked through before it has grown by more than a half, let go of
 * them soon enough. Measured by `npm run bench -- archive` and `-- ingest`.
 */
export const archiveFlags = ['--max-semi-space-size=2', '--heap-growing-percent=50']

export type ForkArchive = (script: string, args: string[]) => ArchiveProcess

interface Parts {
  script: string
  fork: ForkArchive
  log: (line: string) => void
  /** How long one who asks for an archive waits for it to start. */
  waitMs?: number
  /** A start that takes longer than this hangs: the next one who asks gets a new process. */
  hangsAfterMs?: number
  /** One that is to end and has not done so after this time is killed. */
  stopsWithinMs?: number
}

const readLine = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** An archive that runs, or starts, or ends. */
interface Running {
  address: Promise<LocalArchiveAddress>
  startedAt: number
  isReady: boolean
  /** It is to end, or has ended. */
  isOver: boolean
  stop: () => Promise<void>
}

interface Start {
  data: string
  isSample: boolean
  /** Its process has ended; "by itself" where nobody had told it to. */
  ended: (running: Running, isByItself: boolean) => void
}

/** Starts the process of an archive. */
const startArchive = (
  { script, fork, log, stopsWithinMs = 3_000 }: Parts,
  { data, isSample, ended }: Start,
): Running => {
  const child = fork(script, ['--data', data, ...(isSample ? ['--practice'] : [])])
  let errors = ''
  const gone = new Promise<void>((over) => child.once('exit', () => over()))
  child.stderr?.on('data', (part: Buffer) => {
    errors = `${errors}${String(part)}`.slice(-2000)
    log(String(part).trimEnd())
  })
  const stop = async () => {
    running.isOver = true
    // Electron's `kill` ends it two seconds later in any case (base::EnsureProcessTerminated), and on Windows
    // at once: there are no signals.
    child.postMessage('stop')
    const late = setTimeout(() => {
      log(`The archive in ${data} did not stop within ${stopsWithinMs / 1000} s and was killed.`)
      if (child.pid !== undefined) killNow(child.pid)
    }, stopsWithinMs)
    await gone
    clearTimeout(late)
  }
  const address = new Promise<LocalArchiveAddress>((ready, failed) => {
    let said = ''
    const fail = (detail: string) => failed(new Failed({ kind: 'local-archive', detail }))
    child.stdout?.on('data', (part: Buffer) => {
      if (running.isReady) return
      said += String(part)
      if (!said.includes('\n')) return
      const read = v.safeParse(Ready, readLine(said.slice(0, said.indexOf('\n'))))
      if (read.success) {
        running.isReady = true
        ready(read.output)
        return
      }
      // What does not say where it is can be of no use to the next one either.
      fail(said.slice(0, 200))
      background(stop(), toProcess)
    })
    child.once('exit', (code) => {
      fail(errors.trim() || `exit ${code}`)
      const isByItself = !running.isOver
      running.isOver = true
      if (isByItself) log(`The archive in ${data} ended by itself, with code ${code}.`)
      ended(running, isByItself)
    })
  })
  address.catch(() => undefined)
  const running: Running = { address, startedAt: performance.now(), isReady: false, isOver: false, stop }
  return running
}

/** @throws Failed where it takes longer than that */
const withinPatience = async (address: Promise<LocalArchiveAddress>, waitMs: number) => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Failed({ kind: 'local-archive', detail: '…' })), waitMs)
  })
  return Promise.race([address, late]).finally(() => clearTimeout(timer))
}

/**
 * Starts the archives on this computer, each as a process of its own, and waits until it says where it is.
 * Asked for the same folder again, a running one is kept, and so is one that is still starting: whoever asked
 * too early asks again.
 */
export const localArchives = (parts: Parts) => {
  const { waitMs = 30_000, hangsAfterMs = 300_000 } = parts
  const all = new Map<string, Running>()
  let tellEnded: (isSample: boolean) => void = () => undefined

  const start = (data: string, isSample: boolean): Running =>
    startArchive(parts, {
      data,
      isSample,
      ended: (running, isByItself) => {
        if (all.get(data) === running) all.delete(data)
        if (isByItself) tellEnded(isSample)
      },
    })

  return {
    /**
     * @throws Failed where it cannot be started, or has not started yet: then the next one who asks may find
     * it there.
     */
    start: async (data: string, isSample: boolean): Promise<LocalArchiveAddress> => {
      const known = all.get(data)
      const hangs = known && !known.isReady && performance.now() - known.startedAt > hangsAfterMs
      // Two processes must not work in the same folder.
      if (hangs || known?.isOver) await known.stop()
      const running = all.get(data) ?? start(data, isSample)
      all.set(data, running)
      return withinPatience(running.address, waitMs)
    },
    /** @param handle hears of one that ended by itself: the sample, or the other one */
    onEnded: (handle: (isSample: boolean) => void) => {
      tellEnded = handle
    },
    stop: async () => {
      await Promise.all([...all.values()].map(({ stop }) => stop()))
    },
  }
}
