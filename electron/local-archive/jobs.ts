import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'
import { prepare } from '../common/statements.ts'

/**
 * A package on its way in; `package` is the id that its AIP will have. A job that is left is none: an entry
 * that cannot be taken, and why; it is kept so that this is told once.
 */
export interface Job {
  id: string
  name: string
  package: string
  stage: 'moving' | 'working' | 'refused' | 'left'
  reason: string | null
}

/** The jobs as they are written down; a job that is changed is changed in the table at once. */
export const openJobs = ({ statements }: Database, now: () => Date) => ({
  open: () => prepare<Job>(statements, `select * from job where stage <> 'left' order by made, rowid`).all(),
  move: (job: Job, stage: Job['stage'], reason: string | null = null) => {
    statements.prepare('update job set stage = ?, reason = ? where id = ?').run(stage, reason, job.id)
    Object.assign(job, { stage, reason })
  },
  end: (job: Job) => {
    statements.prepare('delete from job where id = ?').run(job.id)
  },
  /** @param id that the package will have */
  begin: (name: string, id: string = randomUUID()): Job => {
    const job: Job = { id: randomUUID(), name, package: id, stage: 'moving', reason: null }
    statements
      .prepare(`insert into job (id, name, package, stage, reason, made) values (?, ?, ?, 'moving', null, ?)`)
      .run(job.id, name, id, now().toISOString())
    return job
  },
  /** Why an entry is left in the ingest folder, where that was told. */
  reasonLeft: (name: string) =>
    statements.prepare(`select reason from job where stage = 'left' and name = ?`).get(name)?.['reason'],
  leave: (name: string, reason: string) => {
    statements.prepare(`delete from job where stage = 'left' and name = ?`).run(name)
    statements
      .prepare(`insert into job (id, name, package, stage, reason, made) values (?, ?, '', 'left', ?, ?)`)
      .run(randomUUID(), name, reason, now().toISOString())
  },
  /** Forgets entries that are gone or can be taken now. */
  takeBack: (left: Map<string, string>) => {
    for (const { name } of statements.prepare(`select name from job where stage = 'left'`).all())
      if (!left.has(String(name)))
        statements.prepare(`delete from job where stage = 'left' and name = ?`).run(String(name))
  },
})
