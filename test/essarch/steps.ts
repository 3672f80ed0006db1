import { randomUUID } from 'node:crypto'
import type { Body } from '../../electron/local-archive/database.ts'

/** How long each task of a step takes here; a real archive takes minutes. */
const taskMs = 250

export interface Step {
  id: string
  label: string
  package: string
  user: string
  began: number
  tasks: { id: string; label: string }[]
  /** The task that fails, from 0, and what it says. */
  fails: { at: number; message: string } | undefined
  /** What is so once it is done. */
  done: () => void
  isSettled: boolean
}

type Status = 'PENDING' | 'STARTED' | 'SUCCESS' | 'FAILURE'

const statusOf = (step: Step, at: number, now: number): Status => {
  const finished = Math.floor((now - step.began) / taskMs)
  if (step.fails && at >= step.fails.at)
    return finished <= at
      ? finished === at && at === step.fails.at
        ? 'STARTED'
        : 'PENDING'
      : at === step.fails.at
        ? 'FAILURE'
        : 'PENDING'
  return finished > at ? 'SUCCESS' : finished === at ? 'STARTED' : 'PENDING'
}

/** The work that the double does later, as a queue of tasks does: each step goes on with the clock. */
export const openSteps = () => {
  const steps: Step[] = []
  const statusOfStep = (step: Step, now: number): Status => {
    const all = step.tasks.map((_, at) => statusOf(step, at, now))
    return (['FAILURE', 'STARTED', 'PENDING'] as const).find((status) => all.includes(status)) ?? 'SUCCESS'
  }
  const iso = (ms: number) => new Date(ms).toISOString()
  const flow = (step: Step, now: number): Body => ({
    id: step.id,
    flow_type: 'step',
    name: step.label,
    label: step.label,
    hidden: false,
    responsible: step.user,
    step_position: 0,
    retried: false,
    status: statusOfStep(step, now),
    progress: Math.min(100, (100 * (now - step.began)) / (taskMs * step.tasks.length)),
    time_created: iso(step.began),
    time_started: iso(step.began),
    time_done: null,
    information_package_str: step.package,
  })
  const task = (step: Step, at: number, now: number): Body => {
    const status = statusOf(step, at, now)
    const { id = '', label = '' } = step.tasks[at] ?? {}
    return {
      id,
      flow_type: 'task',
      name: `workflow.tasks.${label.replaceAll(' ', '')}`,
      label,
      hidden: false,
      responsible: step.user,
      step_position: at,
      retried: false,
      status,
      progress: status === 'SUCCESS' ? 100 : 0,
      time_created: iso(step.began),
      time_started: iso(step.began + at * taskMs),
      time_done: null,
      information_package_str: step.package,
      ...(status === 'FAILURE'
        ? { exception_str: step.fails?.message, traceback: 'Traceback (most recent call last): …' }
        : { exception_str: '' }),
    }
  }

  return {
    begin: (
      it: {
        label: string
        package: string
        user: string
        tasks: string[]
        fails?: { at: number; message: string }
        done?: () => void
      },
      now: number,
    ) => {
      const step: Step = {
        ...it,
        id: randomUUID(),
        began: now,
        tasks: it.tasks.map((label) => ({ id: randomUUID(), label })),
        fails: it.fails,
        done: it.done ?? (() => undefined),
        isSettled: false,
      }
      steps.push(step)
      return step
    },
    /** Lets what is done by now have happened. */
    settle: (now: number) => {
      for (const step of steps) {
        if (step.isSettled || statusOfStep(step, now) !== 'SUCCESS') continue
        step.isSettled = true
        step.done()
      }
    },
    of: (id: string, now: number) =>
      steps.filter((step) => step.package === id).map((step) => flow(step, now)),
    one: (id: string, now: number): Body | undefined => {
      const step = steps.find((it) => it.id === id)
      if (!step) return undefined
      const failed = step.tasks
        .map((_, at) => task(step, at, now))
        .filter(({ status }) => status === 'FAILURE')
      return {
        ...flow(step, now),
        parent: null,
        run_state: '',
        task_count: step.tasks.length,
        failed_task_count: failed.length,
        exception: failed[0]?.['exception_str'] ?? '',
        traceback: '',
      }
    },
    children: (id: string, now: number): Body[] => {
      const step = steps.find((it) => it.id === id)
      return step ? step.tasks.map((_, at) => task(step, at, now)) : []
    },
    task: (id: string, now: number): Body | undefined => {
      for (const step of steps)
        for (const [at, it] of step.tasks.entries())
          if (it.id === id)
            return { ...task(step, at, now), args: [], params: {}, result: null, queue: 'celery' }
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
      const all = steps.filter((step) => step.package === id).map((step) => statusOfStep(step, now))
      return (['FAILURE', 'STARTED', 'PENDING', 'SUCCESS'] as const).find((status) => all.includes(status))
    },
  }
}
export type Steps = ReturnType<typeof openSteps>
