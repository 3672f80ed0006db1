import * as v from 'valibot'
import { entryIn } from '../../common/records.ts'
import { Failed } from '../../contract/failure.ts'
import type { PackageNow, WorkStep, WorkTask } from '../../contract/packages.ts'
import { events } from '../specification/activity.ts'
import { joined } from '../listing.ts'
import type { Client } from '../../archive-client/http.ts'
import * as wire from '../wire.ts'
import { readAnswer } from '../specification/answers.ts'

type Asking = Pick<Client, 'list' | 'get' | 'answer'>

/** Of steps a fraction, possibly. */
const share = v.optional(v.fallback(v.nullable(v.number()), null), null)
const Flow = v.looseObject({
  id: wire.id,
  flow_type: wire.text,
  label: wire.text,
  name: wire.text,
  status: wire.text,
  progress: share,
  time_created: wire.maybeText,
  time_started: wire.maybeText,
  step_position: wire.maybeNumber,
})
type Flow = v.InferOutput<typeof Flow>

/** Steps of one package; older ones say little of how it stands. */
const mostSteps = 30

const read = (rows: unknown[]): Flow[] =>
  rows.flatMap((row) => {
    const flow = v.safeParse(Flow, row)
    return flow.success ? [flow.output] : []
  })

const states: Record<string, WorkTask['state']> = {
  PENDING: 'waiting',
  RECEIVED: 'waiting',
  STARTED: 'running',
  RETRY: 'running',
  SUCCESS: 'done',
  FAILURE: 'failed',
  REVOKED: 'stopped',
}
const toTask = (flow: Flow, message = ''): WorkTask => ({
  id: flow.id,
  label: flow.label || flow.name,
  state: entryIn(states, flow.status) ?? 'waiting',
  message,
})

/** What a task that failed says: Celery keeps the message apart, and Python's way to write an exception. */
const FailedTask = v.looseObject({
  exception: v.optional(
    v.fallback(v.looseObject({ exc_message: v.array(v.unknown()) }), { exc_message: [] }),
  ),
  exception_str: wire.text,
})

const childrenOf = async (archive: Asking, { id }: Flow): Promise<Flow[]> =>
  read(await archive.list(`steps/${encodeURIComponent(id)}/children/?hidden=false`))

/** Steps stand in steps there; no archive nests them deeper than this. */
const deepest = 5

/**
 * Why a step or a task failed: said of a task only where one asks for it alone, and of a step by the first
 * of its children that failed, since those after it fail with the same words.
 */
const whyOf = async (archive: Asking, flow: Flow, depth = 0): Promise<string> => {
  if (flow.flow_type === 'step') {
    const children = depth < deepest ? await childrenOf(archive, flow) : []
    const failed = children.find(({ status }) => status === 'FAILURE')
    return failed ? whyOf(archive, failed, depth + 1) : ''
  }
  const found = v.safeParse(FailedTask, await archive.get(`tasks/${encodeURIComponent(flow.id)}/`))
  if (!found.success) return ''
  const { exception, exception_str: written } = found.output
  const [message] = exception?.exc_message ?? []
  return typeof message === 'string' ? message : written
}

const stepOf = async (archive: Asking, step: Flow): Promise<WorkStep> => {
  const task = toTask(step)
  const children = task.state === 'done' ? [] : await childrenOf(archive, step)
  const hasBroken = children.some((child) => child.status === 'FAILURE' && child.time_started !== null)
  const tasks = await Promise.all(
    children.map(async (child): Promise<WorkTask> => {
      if (child.status !== 'FAILURE') return toTask(child)
      // One that failed fails those after it.
      if (hasBroken && child.time_started === null) return { ...toTask(child), state: 'not begun' }
      return toTask(child, await whyOf(archive, child))
    }),
  )
  return { ...task, progress: step.progress, made: step.time_created, tasks }
}

/**
 * Steps that archives run on a package, with their tasks (ESSArch: workflow/ below a package,
 * steps/{id}/children/); the newest first.
 */
export const readWork = async (archive: Asking, packageId: string): Promise<WorkStep[]> => {
  const flows = read(
    await archive.list(`information-packages/${encodeURIComponent(packageId)}/workflow/?hidden=false`),
  )
  const steps = flows
    .sort((a, b) => (b.time_created ?? '').localeCompare(a.time_created ?? ''))
    .slice(0, mostSteps)
  return Promise.all(
    steps.map((step) =>
      step.flow_type === 'task'
        ? Promise.resolve({ ...toTask(step), progress: step.progress, made: step.time_created, tasks: [] })
        : stepOf(archive, step),
    ),
  )
}

/** How one step stands (ESSArch: /api/steps/{id}/). */
export const readStep = async (archive: Asking, id: string): Promise<WorkStep> => {
  const path = `steps/${encodeURIComponent(id)}/`
  return stepOf(archive, readAnswer(Flow, await archive.get(path), path))
}

/**
 * How many copies an archive has of a package, and what it says happened to it, asked for that package alone.
 */
export const readEventsAndCopies = async (
  archive: Asking,
  packageId: string,
  can: { events: boolean; copies: boolean },
): Promise<Pick<PackageNow, 'events' | 'copies'>> => {
  const base = `information-packages/${encodeURIComponent(packageId)}`
  const found = can.events
    ? joined((await archive.list(`${base}/events/`)).map((event, from) => events.read(event, from))).rows.map(
        ({ model }) => model,
      )
    : null
  if (!can.copies) return { events: found, copies: null }
  const { body, count } = await archive.answer(`${base}/storage-objects/?page_size=1`)
  return { events: found, copies: count ?? (Array.isArray(body) ? body.length : null) }
}

/** What is not there has nothing in it. */
export const unlessMissing = (records: Promise<unknown[]>): Promise<unknown[]> =>
  records.catch((error: unknown) => {
    if (error instanceof Failed && error.failure.kind === 'not-found') return []
    throw error
  })

/**
 * Why the work on a package failed, in the archive's own words: of the newest of its steps that did. Empty
 * where the archive says nothing, as of a package in a work area.
 */
export const whyFailed = async (archive: Asking, packageId: string): Promise<string> => {
  const path = `information-packages/${encodeURIComponent(packageId)}/workflow/?hidden=false`
  const failed = read(await unlessMissing(archive.list(path)))
    .filter(({ status }) => status === 'FAILURE')
    .sort((a, b) => (b.time_created ?? '').localeCompare(a.time_created ?? ''))
  return failed[0] ? whyOf(archive, failed[0]) : ''
}
