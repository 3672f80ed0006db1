import { readFileSync } from 'node:fs'
import type { CdpSession } from '../chromium/cdp.ts'

/** A frame of a page, and the process that draws it. */
export interface FrameProcess {
  url: string
  osProcessId: number
}

interface TraceEvent {
  name: string
  args: { data?: { frames?: { url: string; processId: number }[] } }
}

/** Chromium traces for one at a time. */
let turn: Promise<unknown> = Promise.resolve()

const trace = async (page: CdpSession): Promise<FrameProcess[]> => {
  const found: FrameProcess[] = []
  const collect = ({ value }: { value: TraceEvent[] }) => {
    for (const { name, args } of value)
      if (name === 'TracingStartedInBrowser')
        for (const { url, processId } of args.data?.frames ?? []) found.push({ url, osProcessId: processId })
  }
  page.on('Tracing.dataCollected', collect)
  const complete = new Promise((done) => page.once('Tracing.tracingComplete', done))
  const includedCategories = ['disabled-by-default-devtools.timeline']
  await page.send('Tracing.start', { traceConfig: { includedCategories }, transferMode: 'ReportEvents' })
  await page.send('Tracing.end')
  await complete
  page.off('Tracing.dataCollected', collect)
  return found
}

/** The frames of a page with their processes, which Chromium tells nobody but who traces it. */
export const framesOf = (page: CdpSession): Promise<FrameProcess[]> => {
  const mine = turn.then(() => trace(page))
  turn = mine.catch(() => undefined)
  return mine
}

/** What a process holds in memory, in KiB; 0 where the system does not say (Linux only). */
export const workingSetOf = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
