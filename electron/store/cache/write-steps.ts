import type { DatabaseSync } from 'node:sqlite'
import type { Subject } from '../../contract/subjects.ts'
import { rollback } from '../../common/transaction.ts'

/**
 * The first rows after a pause are seen at once; while more keep coming, each step takes twice as long as the
 * one before, since what is written in one step shares the pages of indexes: fewer and larger ones cost the
 * disk a fraction.
 */
const firstMs = 5
const longestMs = 2_000
const pauseMs = 1_000

/** When a step is long enough. */
const openStepDuration = () => {
  let beganAt = 0
  let steppedAt = -pauseMs
  let patienceMs = firstMs
  return {
    /** @returns how long the step that begins may take at most, in milliseconds */
    begin: (): number => {
      beganAt = performance.now()
      if (beganAt - steppedAt > pauseMs + longestMs) patienceMs = firstMs
      return patienceMs
    },
    isDue: () => performance.now() - beganAt > patienceMs,
    /** What came of a long list so far is seen; the next step is longer. */
    stepped: () => {
      steppedAt = performance.now()
      patienceMs = Math.min(longestMs, patienceMs * 2)
    },
  }
}

interface Parts {
  database: DatabaseSync
  /** Rows of these lists are about to be committed: the last statements of the transaction. */
  beforeCommit: (subjects: ReadonlySet<Subject>) => void
  /** Rows of these lists can be read now. */
  committed: (subjects: Subject[]) => void
  /** What was written since the last commit was taken back. */
  abandoned: () => void
}

/** A transaction that stays open from one write to the next, and is taken back whole where a write fails. */
const openTransaction = ({ database, beforeCommit, committed, abandoned }: Parts) => {
  const touched = new Set<Subject>()
  let isOpen = false
  let takenBack = 0
  let whyTakenBack: unknown

  const abandon = (why: unknown) => {
    if (!isOpen) return
    isOpen = false
    takenBack += 1
    whyTakenBack = why
    touched.clear()
    abandoned()
    rollback(database)
  }
  /**
   * A step that fails takes the whole transaction with it: an open one would fail every later step as well.
   */
  const orAbandon = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      abandon(error)
      throw error
    }
  }
  return {
    isOpen: () => isOpen,
    begin: () => {
      database.exec('begin immediate')
      isOpen = true
    },
    touch: (subject: Subject) => void touched.add(subject),
    orAbandon,
    abandon,
    commit: () => {
      if (!isOpen) return
      orAbandon(() => {
        beforeCommit(touched)
        database.exec('commit')
      })
      isOpen = false
      const subjects = [...touched]
      touched.clear()
      committed(subjects)
    },
    takenBack: () => ({ times: takenBack, why: whyTakenBack }),
  }
}

/**
 * The transactions of who writes a database alone: what is written comes together in steps that are committed
 * soon, so that readers see it while a long list arrives.
 */
export const openWriteSteps = ({ database, beforeCommit, committed, abandoned }: Parts) => {
  const stepDuration = openStepDuration()
  let timer: NodeJS.Timeout | undefined
  let isOneStep = false
  const open = openTransaction({
    database,
    beforeCommit,
    committed: (subjects) => {
      clearTimeout(timer)
      committed(subjects)
    },
    abandoned: () => {
      clearTimeout(timer)
      abandoned()
    },
  })

  const step = () => {
    open.commit()
    stepDuration.stepped()
  }
  const stepByItself = () => {
    try {
      step()
    } catch {
      // Nobody waits for a timer: the list whose rows were taken back hears of it when it is finished.
    }
  }
  const begin = () => {
    if (open.isOpen()) return
    open.begin()
    timer = setTimeout(stepByItself, stepDuration.begin())
  }

  const wrote = (subject: Subject) => {
    open.touch(subject)
    if (!isOneStep && stepDuration.isDue()) step()
  }

  return {
    /**
     * Writes some rows of a list, all of them or none; sooner or later they are seen. Where that fails, it is
     * taken back before anybody else writes: else half of them might be committed, or what others write might
     * be outside of any transaction, which a full disk ends by itself.
     */
    write: <T>(subject: Subject, work: () => T): T => {
      begin()
      const result = open.orAbandon(work)
      wrote(subject)
      return result
    },
    /** A row of a list was written; sooner or later it is seen. */
    wrote,
    /** What the work writes is seen all at once, or not at all. */
    transaction: (work: () => void) => {
      open.commit()
      begin()
      isOneStep = true
      try {
        open.orAbandon(work)
        open.commit()
      } finally {
        isOneStep = false
      }
    },
    commit: open.commit,
    /** What was half written when something broke is as if it had never come. */
    abandon: open.abandon,
    isOpen: open.isOpen,
    /** How often something was abandoned, and why it was last: rows of other lists may have gone with it. */
    takenBack: open.takenBack,
  }
}
