import path from 'node:path'
import { expect, test } from 'vitest'
import { openIntakeThread } from '../../../../electron/local-archive/intake/intake-thread.ts'
import { preservation } from '../../../../electron/local-archive/preservation.ts'
import { textReader } from '../../../../electron/local-archive/search/texts.ts'
import { strictCheck } from '../../../../electron/local-archive/strict-check.ts'
import { scratch } from '../../../support/scratch.ts'
import { makeBag } from '../../../packages/bags.ts'
import { builtFile } from '../../../support/built.ts'
import { openIngestWorkplace } from '../../../archives/ingest-workplace.ts'
import { scripts } from '../../../packages/packing.ts'

test('a package whose receipt could not be written is received once more, and that is told once', async () => {
  using place = scratch()
  const { folders, now, database, accounts } = openIngestWorkplace(place.folder)
  makeBag(path.join(folders.ingest, 'bag'), {})
  let isFull = true
  /** As SQLite does where the disk is full: the transaction is taken back. */
  const preparation: typeof database.preparation = (work) =>
    database.preparation(() => {
      const result = work()
      if (isFull) throw new Error('database or disk is full')
      return result
    })
  const intake = openIntakeThread(builtFile('intake-worker.js'))
  const { begin, jobs, work, postpone } = preservation({
    database: { ...database, preparation },
    accounts,
    folders,
    texts: textReader(builtFile('text-worker.js')),
    check: strictCheck(scripts.check),
    now,
    intake,
  })
  const job = begin('bag')
  const failure = await work(job).catch((error: unknown) => error)
  expect(String(failure)).toContain('full')
  isFull = false
  postpone(job, failure)
  const received = () =>
    database.list('event').filter((event) => event['eventOutcomeDetailNote'] === 'Received bag')
  expect([jobs().map(({ stage }) => stage), received()]).toEqual([['moving'], []])
  // The copies have nowhere to go here: what is asked is what was told before.
  for (const again of jobs()) await work(again).catch(() => undefined)
  expect(received()).toHaveLength(1)
  await intake.close()
  database.close()
})
