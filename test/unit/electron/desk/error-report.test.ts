import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import { reportingUnlessDisk } from '../../../../electron/desk/error-report.ts'
import { openSending } from '../../../../electron/jobs/kinds/transfer/sending.ts'
import { openRecords } from '../../../../electron/jobs/kinds/transfer/records.ts'
import { openEngine } from '../../../../electron/jobs/engine.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { scratch } from '../../../support/scratch.ts'
import { openArchiveClient } from '../../../archives/archive-client.ts'
import { preparedTransfer } from '../../../desks/kept-jobs.ts'

/** What a database says whose disk has no room left. */
const fullDisk = (folder: string): unknown => {
  const database = new DatabaseSync(path.join(folder, 'full.sqlite'))
  database.exec('pragma max_page_count = 2; create table line (text text)')
  try {
    database.prepare('insert into line values (?)').run('x'.repeat(100_000))
  } catch (error) {
    return error
  } finally {
    database.close()
  }
  throw new Error('There is room.')
}

test('a disk without room is no bug of work that nobody waits for; anything else is', () => {
  using place = scratch()
  const [bugs, warnings]: [unknown[], unknown[]] = [[], []]
  const report = reportingUnlessDisk(
    (error) => String(bugs.push(error)),
    (source, _message, error) => warnings.push([source, error]),
  )
  const full = fullDisk(place.folder)
  expect(report(full, 'sync')).toBe('')
  expect(warnings).toEqual([['sync', full]])
  expect(bugs).toEqual([])
  const mistake = new Error('a mistake')
  expect(report(mistake)).toBe('1')
  expect(bugs).toEqual([mistake])
})

test('a lookup that fails after it found a transfer in the archive leaves it as it was found', async () => {
  using place = scratch()
  const now = () => new Date()
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'), now)
  const [id, archive] = [crypto.randomUUID(), openArchiveClient('http://127.0.0.1:1')]
  const counts = { files: 1, folders: 0, bytes: 1 }
  const sip = { path: place.folder, counts, manifest: '', content: '' }
  const records = openRecords({ store, now, changed: () => undefined })
  records.keep({ ...preparedTransfer({ id, name: 'Found' }, sip), isWaiting: true, wasRestored: true })
  const engine = openEngine({
    isPaused: () => false,
    dueJobs: () => [],
    now,
    random: () => 0,
    reportBug: String,
  })
  const sending = openSending({
    engine,
    records,
    // Nothing else is asked of a transfer that is found.
    evidence: {} as never,
    chosenDelivery: {} as never,
    transports: { isKnown: () => true },
    askIfSentBefore: () => Promise.resolve(),
    bring: () => Promise.reject(new Error('It is not sent again')),
    lookUpRestored: () => {
      records.change(id, { state: 'sent', wasRestored: false, isWaiting: false })
      return Promise.reject(new Failed({ kind: 'offline', address: '', detail: '' }))
    },
    findClient: () => archive,
    noteExchange: () => undefined,
    failureOf: (error) => (error as Failed).failure,
  })
  await sending.sendNow(id, new AbortController().signal)
  expect(records.need(id)).toMatchObject({ state: 'sent', failure: null })
  store.close()
})
