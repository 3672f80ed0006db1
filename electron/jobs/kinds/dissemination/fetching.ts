import { needed } from '../../../dialects/dialect.ts'
import type { DipItem, DipTask } from '../../../contract/dips.ts'
import type { WorkStep } from '../../../contract/packages.ts'
import { ArchiveFailed, pollIntervalMs, disseminationOf, withItem, type StepContext } from './step-context.ts'

/** What the archive says of a step that failed, with the name of the package that it was for. */
const reasonOf = ({ label }: DipItem, step: WorkStep) => {
  const task = step.tasks.find(({ state }) => state === 'failed')
  const said = [task?.label ?? step.label, task?.message ?? step.message].filter(Boolean).join(' – ')
  return `${label}: ${said}`
}

/**
 * Has the packages of an order fetched into the archive's workspace, all at the same time, and waits for
 * them.
 */
export const fetchItems = async (
  begun: DipTask,
  { archive, save, stop, wait }: StepContext,
): Promise<DipTask> => {
  let task = begun
  const mark = (item: DipItem, change: Partial<DipItem>) => void (task = save(withItem(task, item, change)))
  for (const item of begun.items)
    if (item.state === 'to do')
      mark(item, { state: 'asked', step: await disseminationOf(archive).fetch(archive, item.package) })
  for (;;) {
    const present = await disseminationOf(archive).inWorkspace(archive)
    for (const item of task.items)
      if (item.state === 'asked' && present.has(item.package)) mark(item, { state: 'there' })
    const waiting = task.items.filter(({ state }) => state === 'asked')
    if (waiting.length === 0) return task
    for (const item of waiting) {
      const step =
        item.step === null ? undefined : await needed(archive.dialect.work).step(archive, item.step)
      if (step?.state !== 'failed' && step?.state !== 'stopped') continue
      // The next attempt asks for it anew.
      mark(item, { state: 'to do', step: null })
      throw new ArchiveFailed(reasonOf(item, step))
    }
    await wait(pollIntervalMs, stop)
  }
}
