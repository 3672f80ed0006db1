import { needed } from '../../../dialects/dialect.ts'
import { Failed } from '../../../contract/failure.ts'
import type { DipItem, Dissemination } from '../../../contract/dips.ts'
import type { WorkStep } from '../../../contract/packages.ts'
import {
  ArchiveFailed,
  disseminationOf,
  withRetries,
  pollIntervalMs,
  withItem,
  type StepContext,
} from './step-context.ts'

/** What the archive says of a step that failed, with the name of the package that it was for. */
const reasonOf = ({ label }: DipItem, step: WorkStep) => {
  const task = step.tasks.find(({ state }) => state === 'failed')
  const said = [task?.label ?? step.label, task?.message ?? step.message].filter(Boolean).join(' – ')
  return `${label}: ${said}`
}

/**
 * So long a package is waited for of which the archive says (409) that it is in the workspace, or on its way,
 * already: nobody would hear that it failed.
 */
const longestUnheardMs = 3_600_000

/**
 * Why the work that was to bring a package does not: it failed, or the archive has it no more; where nothing
 * is known of the work, that it is waited for in vain.
 * @param waitedMs by looks, and by no clock: clocks jump, and computers sleep
 */
const whyNot = async (
  item: DipItem,
  waitedMs: number,
  { archive }: Pick<StepContext, 'archive'>,
): Promise<Error | undefined> => {
  if (item.step === null && waitedMs > longestUnheardMs)
    return new Failed({ kind: 'conflict', detail: 'no copy came' })
  try {
    const step = item.step === null ? undefined : await needed(archive.dialect.work).step(archive, item.step)
    const hasEnded = step?.state === 'failed' || step?.state === 'stopped'
    return hasEnded ? new ArchiveFailed(reasonOf(item, step)) : undefined
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === 'not-found') return error
    throw error
  }
}

/**
 * Whether a package is to be asked for, though it may have been: of one without a step nobody hears that it
 * failed, and what was in the workspace may be there no more.
 */
const isToAsk = ({ state, step, package: id }: DipItem, present: Set<string>) =>
  state === 'to do' || (state === 'asked' && step === null) || (state === 'there' && !present.has(id))

/**
 * Has the packages of an order fetched into the archive's workspace, all at the same time, and waits for
 * them.
 */
export const fetchItems = async (begun: Dissemination, doing: StepContext): Promise<Dissemination> => {
  const { archive, save, stop, wait, now } = doing
  const lying = () => withRetries(() => disseminationOf(archive).inWorkspace(archive), doing)
  let dissemination = begun
  const mark = (item: DipItem, change: Partial<DipItem>) =>
    void (dissemination = save(withItem(dissemination, item, change)))
  let present = await lying()
  for (const item of begun.items)
    if (isToAsk(item, present)) {
      const step = await disseminationOf(archive).fetch(archive, item.package)
      const asked = item.state === 'asked' && step === null ? item.asked : null
      mark(item, { state: 'asked', step, asked: asked ?? now().toISOString() })
    }
  for (let waitedMs = 0; ; waitedMs += pollIntervalMs) {
    for (const item of dissemination.items)
      if (item.state === 'asked' && present.has(item.package)) mark(item, { state: 'there', asked: null })
    const waiting = dissemination.items.filter(({ state }) => state === 'asked')
    if (waiting.length === 0) return dissemination
    const reasons: Error[] = []
    for (const item of waiting) {
      const reason = await withRetries(() => whyNot(item, waitedMs, doing), doing)
      if (reason === undefined) continue
      // The next attempt asks for it anew.
      mark(item, { state: 'to do', step: null, asked: null })
      reasons.push(reason)
    }
    const [first] = reasons
    if (first !== undefined) throw first
    await wait(pollIntervalMs, stop)
    present = await lying()
  }
}
