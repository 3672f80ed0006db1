import path from 'node:path'
import { expect, test } from 'vitest'
import { openIntakeThread } from '../../../../electron/local-archive/intake/intake-thread.ts'
import { InvalidPackage } from '../../../../electron/local-archive/payload.ts'
import { preservation } from '../../../../electron/local-archive/preservation.ts'
import { textReader } from '../../../../electron/local-archive/search/texts.ts'
import { scratch } from '../../../support/scratch.ts'
import { makeBag } from '../../../packages/bags.ts'
import { builtFile } from '../../../support/built.ts'
import { openIngestWorkplace } from '../../../archives/ingest-workplace.ts'

test('packages are received and looked at while another one is checked, and checked one by one', async () => {
  using place = scratch()
  const { folders, now, database, accounts } = openIngestWorkplace(place.folder)
  const names = ['bag-1', 'bag-2', 'bag-3']
  for (const name of names) makeBag(path.join(folders.ingest, name), {})
  const opened = openIntakeThread(builtFile('intake-worker.js'))
  const lookedAt: string[] = []
  const allLookedAt = Promise.withResolvers<void>()
  const intake: typeof opened = {
    ...opened,
    fingerprintOf: async (received) => {
      const fingerprints = await opened.fingerprintOf(received)
      lookedAt.push(...received.map((folder) => path.basename(folder)))
      if (lookedAt.length === names.length) allLookedAt.resolve()
      return fingerprints
    },
  }
  let [checking, most] = [0, 0]
  const { begin, work } = preservation({
    database,
    accounts,
    folders,
    texts: textReader(builtFile('text-worker.js')),
    /** Ends only once all were looked at. */
    check: async () => {
      checking += 1
      most = Math.max(most, checking)
      await allLookedAt.promise
      await new Promise(setImmediate)
      checking -= 1
      throw new InvalidPackage('It is no bag.')
    },
    now,
    intake,
  })
  await Promise.all(names.map((name) => work(begin(name))))
  expect(lookedAt.toSorted()).toEqual(names)
  expect(most).toBe(1)
  expect(database.list('event').filter(({ eventType }) => eventType === 20800)).toHaveLength(3)
  await intake.close()
  database.close()
})
