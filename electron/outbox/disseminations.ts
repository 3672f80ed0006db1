import { randomUUID } from 'node:crypto'
import {
  agree,
  copyInto,
  createDip,
  findByIdentifier,
  getFromStorage,
  inWorkspace,
  prepare,
  registerDip,
  standingOf,
  userId,
  type Standing,
} from '../archive-client/dips.ts'
import type { Reach } from '../archive-client/http.ts'
import { readStep } from '../archive-client/work.ts'
import { dipStages, type DipItem, type DipTask } from '../contract/dips.ts'
import { Failed, failureOf } from '../contract/failure.ts'
import { may } from '../contract/jobs.ts'
import type { Engine } from '../jobs/engine.ts'
import type { DeskStore } from '../store/desk.ts'

interface Parts {
  engine: Engine
  store: Pick<DeskStore, 'tasks'>
  archive: (id: string) => Reach
  now: () => Date
  /** Lets some time pass; it ends early where the work is stopped. */
  wait: (ms: number, stop: AbortSignal) => Promise<void>
  changed: (archive: string, it: DipTask) => void
  bug: (error: unknown) => string
}

const betweenLooksMs = 1_500
/** States of a DIP in which it is prepared (ESSArch). */
const isPrepared = ({ state }: Standing) => ['Prepared', 'Creating', 'Created'].includes(state)

/** Work of the archive's own failed: what it says of that. */
class ArchiveFailed extends Error {}

/**
 * Makes dissemination packages for orders, step by step; each step is written down once it is done, so that one that
 * broke off anywhere goes on. Registering, agreeing, preparing and creating first look at how things stand in the
 * archive. Fetching and copying are asked for once more where nobody knows whether they were: the archive refuses
 * (409) to fetch into the workspace what is there or on its way, and copies into the package under the same name again.
 */
export const openDisseminations = ({ engine, store: { tasks }, archive, now, wait, changed, bug }: Parts) => {
  const keep = (of: string, it: DipTask): DipTask => {
    tasks.keepTask('dissemination', of, now().toISOString(), it)
    changed(of, it)
    return it
  }

  const steps: Record<
    (typeof dipStages)[number],
    (there: Reach, it: DipTask, save: (it: DipTask) => DipTask, stop: AbortSignal) => Promise<DipTask>
  > = {
    register: async (there, it, save) => {
      const known = await findByIdentifier(there, it.identifier)
      if (!known) await registerDip(there, it)
      const made = known ?? (await findByIdentifier(there, it.identifier))
      if (!made) throw new Failed({ kind: 'not-found', what: it.identifier })
      return save({ ...it, dip: made.id })
    },
    agree: async (there, it) => {
      const standing = await standingOf(there, it.dip ?? '')
      if (!isPrepared(standing)) await agree(there, standing, it.agreement)
      return it
    },
    prepare: async (there, it, _save, stop) => {
      const standing = await standingOf(there, it.dip ?? '')
      if (!isPrepared(standing)) await prepare(there, standing.id)
      await until(there, it.dip ?? '', isPrepared, stop)
      return it
    },
    fetch: async (there, it, save, stop) => {
      let task = it
      const mark = (one: DipItem, change: Partial<DipItem>) =>
        (task = save({
          ...task,
          items: task.items.map((item) => (item.package === one.package ? { ...item, ...change } : item)),
        }))
      for (const one of task.items)
        if (one.state === 'to do')
          mark(one, { state: 'asked', step: await getFromStorage(there, one.package) })
      for (;;) {
        const here = await inWorkspace(there)
        for (const one of task.items)
          if (one.state === 'asked' && here.has(one.package)) mark(one, { state: 'there' })
        const waiting = task.items.filter(({ state }) => state === 'asked')
        if (waiting.length === 0) return task
        for (const one of waiting) {
          const step = one.step === null ? undefined : await readStep(there, one.step)
          if (step?.state !== 'failed' && step?.state !== 'stopped') continue
          // The next attempt asks for it anew.
          mark(one, { state: 'to do', step: null })
          const task = step.tasks.find(({ state }) => state === 'failed')
          throw new ArchiveFailed(
            `${one.label}: ${[task?.label ?? step.label, task?.message ?? step.message].filter(Boolean).join(' – ')}`,
          )
        }
        await wait(betweenLooksMs, stop)
      }
    },
    copy: async (there, it, save) => {
      let task = it
      const user = await userId(there)
      for (const one of it.items) {
        if (one.state === 'copied') continue
        await copyInto(there, { dip: it.dip ?? '', user, identifier: one.identifier })
        task = save({
          ...task,
          items: task.items.map((item) =>
            item.package === one.package ? { ...item, state: 'copied' } : item,
          ),
        })
      }
      return task
    },
    create: async (there, it, _save, stop) => {
      const { state } = await standingOf(there, it.dip ?? '')
      if (state === 'Prepared') await createDip(there, it.dip ?? '')
      await until(there, it.dip ?? '', (standing) => standing.state === 'Created', stop)
      return it
    },
  }

  /** Looks at a package until it is as it should be. */
  async function until(there: Reach, id: string, isThere: (it: Standing) => boolean, stop: AbortSignal) {
    for (;;) {
      const standing = await standingOf(there, id)
      if (isThere(standing)) return
      if (standing.hasFailed) throw new ArchiveFailed(standing.state)
      await wait(betweenLooksMs, stop)
    }
  }

  const run = async (of: string, begun: DipTask, stop: AbortSignal) => {
    let it = keep(of, { ...begun, state: 'working', failure: null, message: '' })
    const save = (next: DipTask) => (it = keep(of, next))
    try {
      for (const [index, stage] of dipStages.entries()) {
        if (dipStages.indexOf(it.stage as (typeof dipStages)[number]) > index) continue
        stop.throwIfAborted()
        it = await steps[stage](archive(of), it, save, stop)
        const next = dipStages[index + 1]
        if (next !== undefined) save({ ...it, stage: next })
      }
      save({ ...it, stage: 'done', state: 'done' })
    } catch (error) {
      if (stop.aborted) save({ ...it, state: 'stopped' })
      else if (error instanceof ArchiveFailed) save({ ...it, state: 'failed', message: error.message })
      else save({ ...it, state: 'failed', failure: failureOf(error, bug) })
    }
  }
  const begin = (of: string, it: DipTask) =>
    // Where there is no room to keep its end, it is shown as stopped.
    void engine.run(it.id, { run: (stop) => run(of, it, stop) })

  /** One that nobody works on now was left when the desk ended. */
  const shown = (it: DipTask): DipTask =>
    it.state === 'working' && !engine.isRunning(it.id) ? { ...it, state: 'stopped' } : it

  return {
    of: (archiveId: string, order: string): DipTask | null => {
      const found = tasks.tasks('dissemination', archiveId).find((task) => task.order === order)
      return found ? shown(found) : null
    },
    open: (archiveId: string): DipTask[] =>
      tasks
        .tasks('dissemination', archiveId)
        .map(shown)
        .filter(({ state }) => state !== 'done'),
    begin: (
      archiveId: string,
      what: { order: string; label: string; agreement: string; items: Omit<DipItem, 'state' | 'step'>[] },
    ): DipTask => {
      const id = randomUUID()
      const items = what.items.map((item): DipItem => ({ ...item, step: null, state: 'to do' }))
      const it = keep(archiveId, {
        id,
        ...what,
        items,
        identifier: `DIP-${id}`,
        dip: null,
        stage: 'register',
        state: 'working',
        failure: null,
        message: '',
      })
      begin(archiveId, it)
      return it
    },
    goOn: (id: string) => {
      const found = tasks.task('dissemination', id)
      if (!found) throw new Failed({ kind: 'not-found', what: id })
      if (engine.isRunning(id)) return
      const { state } = shown(found.task)
      if (!may('dissemination', 'go on', state)) throw new Failed({ kind: 'conflict', detail: state })
      begin(found.archive, found.task)
    },
    stop: (id: string) => engine.abort(id),
  }
}

export type Disseminations = ReturnType<typeof openDisseminations>
