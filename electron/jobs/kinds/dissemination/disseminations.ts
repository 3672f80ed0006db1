import { randomUUID } from 'node:crypto'
import { background, toProcess } from '../../../common/background.ts'
import type { ArchiveClient } from '../../../dialects/dialect.ts'
import { dipStages, type DipItem, type Dissemination } from '../../../contract/dips.ts'
import { Failed, failureOf } from '../../../contract/failure.ts'
import { may } from '../../../contract/jobs.ts'
import type { DeskStore } from '../../../store/desk/desk-store.ts'
import type { Engine } from '../../engine.ts'
import { ArchiveFailed } from './step-context.ts'
import { goOnFrom, steps } from './steps.ts'

interface Parts {
  engine: Engine
  store: Pick<DeskStore, 'tasks'>
  archive: (id: string) => ArchiveClient
  now: () => Date
  /** Lets some time pass; it ends early where the work is stopped. */
  wait: (ms: number, stop: AbortSignal) => Promise<void>
  changed: (archive: string, dissemination: Dissemination) => void
  reportBug: (error: unknown) => string
}

/** What a dissemination package is made of. */
interface Wanted {
  order: string
  label: string
  agreement: string
  items: Omit<DipItem, 'state' | 'step' | 'asked'>[]
}

/**
 * By what a package is found again, whatever this desk lost: the order, and how many it got before. So a desk
 * that a backup brought back finds what it had begun after that.
 */
const identifierOf = (order: string, made: number) =>
  made === 0 ? `DIP-${order}` : `DIP-${order}-${made + 1}`

const isPast = (stage: Dissemination['stage'], step: (typeof dipStages)[number]) =>
  stage === 'done' || dipStages.indexOf(stage) > dipStages.indexOf(step)

/** What one says that failed: the archive's own words where work of its own did. */
const failedWith = (error: unknown, reportBug: Parts['reportBug']): Partial<Dissemination> =>
  error instanceof ArchiveFailed
    ? { state: 'failed', message: error.message }
    : { state: 'failed', failure: failureOf(error, reportBug) }

export type Disseminations = ReturnType<typeof openDisseminations>

/**
 * Makes dissemination packages for orders, step by step (steps.ts); each step is written down once it is
 * done, so that one that broke off anywhere goes on.
 */
export const openDisseminations = (parts: Parts) => {
  const { engine, store, archive, now, wait, changed, reportBug } = parts
  const { tasks } = store
  const keep = (of: string, dissemination: Dissemination): Dissemination => {
    tasks.keepTask('dissemination', of, now().toISOString(), dissemination)
    changed(of, dissemination)
    return dissemination
  }

  const make = async (of: string, begun: Dissemination, stop: AbortSignal) => {
    let dissemination = keep(of, { ...begun, state: 'working', failure: null, message: '' })
    const save = (next: Dissemination) => (dissemination = keep(of, next))
    const doing = () => ({ archive: archive(of), save, stop, now, wait })
    try {
      dissemination = await goOnFrom(dissemination, doing())
      for (const [index, step] of dipStages.entries()) {
        if (isPast(dissemination.stage, step)) continue
        stop.throwIfAborted()
        dissemination = await steps[step](dissemination, doing())
        const next = dipStages[index + 1]
        if (next !== undefined) save({ ...dissemination, stage: next })
      }
      save({ ...dissemination, stage: 'done', state: 'done' })
    } catch (error) {
      save({ ...dissemination, ...(stop.aborted ? { state: 'stopped' } : failedWith(error, reportBug)) })
    }
  }
  const begin = (of: string, dissemination: Dissemination) =>
    // Where there is no space to keep its end, it is shown as stopped.
    background(engine.run(dissemination.id, { run: (stop) => make(of, dissemination, stop) }), toProcess)

  const shown = (dissemination: Dissemination): Dissemination => ({
    ...dissemination,
    state: engine.stateOf('dissemination', dissemination),
  })
  /** @throws Failed not-found; conflict where its state does not allow it */
  const needThatMay = (event: 'go on' | 'forget', id: string) => {
    const found = tasks.task('dissemination', id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    const { state } = shown(found.task)
    if (!may('dissemination', event, state)) throw new Failed({ kind: 'conflict', detail: state })
    return found
  }

  return {
    of: (archiveId: string, order: string): Dissemination | null => {
      const dissemination = tasks.disseminationFor(archiveId, order)
      return dissemination ? shown(dissemination) : null
    },
    unfinished: (archiveId: string): Dissemination[] =>
      tasks.unfinishedTasks('dissemination', archiveId).map(shown),
    begin: (archiveId: string, wanted: Wanted): Dissemination => {
      const id = randomUUID()
      const dissemination = keep(archiveId, {
        ...wanted,
        id,
        items: wanted.items.map((item) => ({ ...item, step: null, asked: null, state: 'to do' })),
        identifier: identifierOf(wanted.order, tasks.madeFor(archiveId, wanted.order)),
        dip: null,
        createAsked: null,
        stage: 'register',
        state: 'working',
        failure: null,
        message: '',
      })
      begin(archiveId, dissemination)
      return dissemination
    },
    goOn: (id: string) => {
      if (engine.isRunning(id)) return
      const found = needThatMay('go on', id)
      begin(found.archive, found.task)
    },
    stop: (id: string) => engine.abort(id),
    forget: (id: string) => {
      needThatMay('forget', id)
      tasks.removeTask(id)
    },
  }
}
