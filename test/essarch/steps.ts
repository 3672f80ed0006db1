import { randomUUID } from 'node:crypto'
import type { Body } from '../../electron/local-archive/database.ts'
import { without } from './shapes.ts'

/** How long each task of a step takes here; a real archive takes seconds to minutes. */
const taskMs = Number(process.env['ESSARCH_TASK_MS'] ?? 250)

/** The tasks of a step; those of an inner step stand below its label. */
export type Plan = (string | { step: string; tasks: string[] })[]

interface Task {
  id: string
  label: string
  /** The inner step that it belongs to. */
  within: { id: string; label: string; position: number } | undefined
  /** Where it stands among its siblings. */
  position: number
}

export interface Step {
  id: string
  label: string
  package: string
  /** The package in words: "Label (identifier)". */
  title: string
  user: string
  began: number
  tasks: Task[]
  /** The task that fails, from 0, and what it says. */
  fails: { at: number; message: string } | undefined
  /** What is so once it is done. */
  done: () => void
  /** Hears of each task that failed. */
  failed: (label: string) => void
  isSettled: boolean
  /** Its failures were told. */
  isTold: boolean
}

type Status = 'PENDING' | 'STARTED' | 'SUCCESS' | 'FAILURE'

/** One failed task fails those after it, which never began. */
const statusOf = (step: Step, at: number, now: number): Status => {
  const finished = Math.floor((now - step.began) / taskMs)
  if (step.fails && finished > step.fails.at && at >= step.fails.at) return 'FAILURE'
  return finished > at ? 'SUCCESS' : finished === at ? 'STARTED' : 'PENDING'
}

const worst = (all: Status[]): Status =>
  (['FAILURE', 'STARTED', 'PENDING'] as const).find((status) => all.includes(status)) ?? 'SUCCESS'

const tasksOf = (plan: Plan): Task[] =>
  plan.flatMap((entry, position): Task[] => {
    if (typeof entry === 'string') return [{ id: randomUUID(), label: entry, within: undefined, position }]
    const within = { id: randomUUID(), label: entry.step, position }
    return entry.tasks.map((label, index) => ({ id: randomUUID(), label, within, position: index }))
  })

const iso = (ms: number) => new Date(ms).toISOString()

const statusOfStep = (step: Step, now: number): Status =>
  worst(step.tasks.map((_, at) => statusOf(step, at, now)))

/** A step or a task among its siblings, as ESSArch lists them. */
const flow = (step: Step, kind: 'step' | 'task', place: { id: string; label: string; position: number }) => ({
  url: `http://127.0.0.1/api/${kind}s/${place.id}/`,
  id: place.id,
  flow_type: kind,
  name: kind === 'step' ? place.label : `ESSArch_Core.ip.tasks.${place.label.replaceAll(' ', '')}`,
  label: place.label,
  hidden: kind === 'step' ? null : false,
  responsible: step.user,
  step_position: place.position,
  retried: null,
})

const stepBody = (
  step: Step,
  place: { id: string; label: string; position: number },
  tasks: Task[],
  now: number,
): Body => {
  const statuses = tasks.map((task) => statusOf(step, step.tasks.indexOf(task), now))
  const finished = statuses.filter((status) => status === 'SUCCESS').length
  return {
    ...flow(step, 'step', place),
    status: worst(statuses),
    progress: Math.round((100 * finished) / tasks.length),
    time_created: iso(step.began),
    time_started: iso(step.began),
    time_done: null,
    information_package_str: place.id === step.id ? step.title : null,
  }
}

const taskBody = (step: Step, at: number, now: number): Body => {
  const status = statusOf(step, at, now)
  const task = step.tasks[at]
  if (!task) throw new Error(`There is no task ${at}.`)
  const hasStarted = status === 'STARTED' || status === 'SUCCESS' || at === step.fails?.at
  return {
    ...flow(step, 'task', task),
    status,
    progress: status === 'SUCCESS' ? 100 : 0,
    time_created: iso(step.began),
    time_started: hasStarted ? iso(step.began + at * taskMs) : null,
    time_done: status === 'SUCCESS' || status === 'FAILURE' ? iso(step.began + (at + 1) * taskMs) : null,
    information_package_str: null,
  }
}

/** The work that the double does later, as a queue of tasks does: each step goes on with the clock. */
export const openSteps = () => {
  const steps: Step[] = []
  const place = (step: Step) => ({ id: step.id, label: step.label, position: 0 })
  const below = (step: Step, now: number): Body[] => {
    const seen = new Set<string>()
    return step.tasks.flatMap((task, at): Body[] => {
      const { within } = task
      if (!within) return [taskBody(step, at, now)]
      if (seen.has(within.id)) return []
      seen.add(within.id)
      return [stepBody(step, within, inside(step, within.id), now)]
    })
  }
  const inside = (step: Step, id: string) => step.tasks.filter(({ within }) => within?.id === id)
  /** A step or an inner step. */
  const found = (id: string) => {
    for (const step of steps) {
      if (step.id === id) return { step, place: place(step), tasks: step.tasks, isInner: false }
      const tasks = inside(step, id)
      const within = tasks[0]?.within
      if (within) return { step, place: within, tasks, isInner: true }
    }
    return undefined
  }

  return {
    begin: (
      planned: {
        label: string
        package: string
        title: string
        user: string
        tasks: Plan
        fails?: { at: number; message: string } | undefined
        done?: () => void
        failed?: (label: string) => void
      },
      now: number,
    ) => {
      const step: Step = {
        ...planned,
        id: randomUUID(),
        began: now,
        tasks: tasksOf(planned.tasks),
        fails: planned.fails,
        done: planned.done ?? (() => undefined),
        failed: planned.failed ?? (() => undefined),
        isSettled: false,
        isTold: false,
      }
      steps.push(step)
      return step
    },
    /** Lets what is done by now have happened. */
    settle: (now: number) => {
      for (const step of steps) {
        const status = statusOfStep(step, now)
        if (status === 'SUCCESS' && !step.isSettled) {
          step.isSettled = true
          step.done()
        }
        if (status === 'FAILURE' && !step.isTold) {
          step.isTold = true
          for (const [nth, { label }] of step.tasks.entries())
            if (statusOf(step, nth, now) === 'FAILURE') step.failed(label)
        }
      }
    },
    of: (id: string, now: number) =>
      steps.filter((step) => step.package === id).map((step) => stepBody(step, place(step), step.tasks, now)),
    one: (id: string, now: number): Body | undefined => {
      const known = found(id)
      if (!known) return undefined
      const { step, tasks } = known
      const failed = tasks.filter((task) => statusOf(step, step.tasks.indexOf(task), now) === 'FAILURE')
      const body = without(
        stepBody(step, known.place, tasks, now),
        'hidden',
        'retried',
        'time_started',
        'time_done',
      )
      return {
        ...body,
        result: null,
        part_root: null,
        user: '',
        parallel: false,
        parent_pos: 0,
        information_package: step.package,
        queue: 'celery',
        celery_id: step.id,
        parent: known.isInner ? step.id : null,
        run_state: '',
        task_count: tasks.length,
        failed_task_count: failed.length,
        exception: failed.length > 0 ? (step.fails?.message ?? '') : '',
        traceback: '',
      }
    },
    children: (id: string, now: number): Body[] => {
      const known = found(id)
      if (!known) return []
      const { step, tasks, isInner } = known
      return isInner ? tasks.map((task) => taskBody(step, step.tasks.indexOf(task), now)) : below(step, now)
    },
    task: (id: string, now: number): Body | undefined => {
      for (const step of steps)
        for (const [at, task] of step.tasks.entries())
          if (task.id === id) {
            const body = without(taskBody(step, at, now), 'flow_type', 'step_position')
            const message = body['status'] === 'FAILURE' ? (step.fails?.message ?? '') : ''
            return {
              ...body,
              processstep: task.within?.id ?? step.id,
              processstep_pos: task.position,
              information_package: step.package,
              information_package_str: step.title,
              args: [],
              params: {},
              result: null,
              eager: false,
              queue: 'celery',
              celery_id: task.id,
              args_parsed: [],
              params_parsed: {},
              traceback: message === '' ? '' : `Traceback (most recent call last):\n${message}`,
              exception:
                message === ''
                  ? null
                  : { exc_type: 'Exception', exc_message: [message], exc_module: 'builtins' },
              exception_str: message === '' ? '' : `Exception(${JSON.stringify(message)})`,
            }
          }
      return undefined
    },
    /** Runs a failed step again, and this time it works. */
    retry: (taskId: string, now: number): boolean => {
      const step = steps.find(({ tasks }) => tasks.some(({ id }) => id === taskId))
      if (!step?.fails) return false
      Object.assign(step, { fails: undefined, began: now - taskMs * step.fails.at })
      return true
    },
    stateOf: (id: string, now: number): Status | undefined => {
      const last = steps.findLast((step) => step.package === id)
      return last && statusOfStep(last, now)
    },
  }
}
export type Steps = ReturnType<typeof openSteps>
