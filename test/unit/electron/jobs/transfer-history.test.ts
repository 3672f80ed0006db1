import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { historyOf } from '../../../../electron/jobs/kinds/transfer/history.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { openJournalPart } from '../../../../electron/store/desk/journal-part.ts'
import { scratch } from '../../../support/scratch.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 7, minute)).toISOString()
const times = { prepared: at(1), sent: at(4), received: null, preserved: null }

test('of the journal a thing has its own lines, the last of them in their order, and their number', () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const { journal, close } = openDeskStore(file)
  const line = { archive: 'a', name: 'Oxen', place: 'transfers/1', detail: '' }
  journal.write({ ...line, act: 'transfer.draft' })
  journal.write({ ...line, act: 'transfer.packing' })
  journal.write({ ...line, act: 'transfer.failed', place: 'transfers/2' })
  journal.write({ ...line, act: 'transfer.refused', archive: 'b' })
  journal.write({ ...line, act: 'transfer.prepared' })
  close()
  const database = new DatabaseSync(':memory:')
  database.prepare('attach ? as desk').run(file)
  const { lines, count } = openJournalPart(database)('a', 'transfers/1', 2)
  database.close()
  expect([lines.map(({ act }) => act), count]).toEqual([['transfer.packing', 'transfer.prepared'], 3])
})

test('what the desk did, steps of the archive and its messages stand in the order in which they were', () => {
  const history = historyOf(
    {
      times,
      steps: [
        { step: 'uploaded', at: at(3) },
        { step: 'received', at: at(6) },
      ],
    },
    {
      lines: [
        { at: at(1), act: 'transfer.prepared' },
        { at: at(2), act: 'transfer.failed' },
        { at: at(6), act: 'transfer.received' },
      ],
      count: 3,
    },
    [
      {
        id: 'notification 1',
        time: at(5),
        source: 'notification',
        what: 'Reception has failed',
        note: '',
        failed: true,
        agent: '',
        transfer: null,
      },
    ],
  )
  expect(history).toEqual({
    moments: [
      { time: at(1), source: 'desk', what: 'transfer.prepared' },
      { time: at(2), source: 'desk', what: 'transfer.failed' },
      { time: at(3), source: 'archive', what: 'uploaded' },
      // The journal has no line of it: another desk sent it.
      { time: at(4), source: 'desk', what: 'transfer.sent' },
      { time: at(5), source: 'notification', what: 'Reception has failed', failed: true },
      // A rung of its ladder is told once, though the archive's step is the same.
      { time: at(6), source: 'desk', what: 'transfer.received' },
    ],
    earlier: 0,
  })
})

test('of many attempts the last are told, and how many came before', () => {
  const lines = Array.from({ length: 30 }, (_, minute) => ({
    at: at(minute),
    act: 'transfer.failed' as const,
  }))
  const { moments, earlier } = historyOf(
    { times: { ...times, prepared: null, sent: null }, steps: [] },
    { lines, count: 130 },
    [],
  )
  expect([moments.length, moments.at(-1)?.time, earlier]).toEqual([20, at(29), 110])
})
