import path from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Failure } from '../../../../electron/contract/failure.ts'
import {
  needsPerson,
  type TransferState,
  type TransferGroup,
} from '../../../../electron/contract/transfers.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { scratch } from '../../../support/scratch.ts'
import { waitingCreation } from '../../../desks/kept-jobs.ts'
import { queryPlansOf } from '../../../support/query-plans.ts'

const groups: TransferGroup[] = ['troubled', 'waiting', 'working', 'drafts']
const states: TransferState[] = [
  'draft',
  'packing',
  'prepared',
  'sending',
  'sent',
  'received',
  'preserved',
  'refused',
]
const failures: (Failure | null)[] = [
  null,
  { kind: 'offline', address: '', detail: '' },
  { kind: 'signed-out' },
  { kind: 'server-broke', address: '', status: 500, detail: 'error', excerpt: '' },
  { kind: 'unconfirmed', what: 'package', mayBeSent: false },
  { kind: 'disk', trouble: 'full', path: '' },
  { kind: 'disk', trouble: 'full', path: '/bags/one' },
  { kind: 'refused', fields: {} },
  { kind: 'not-allowed', detail: '' },
]

const openStore = (folder: string) => openDeskStore(path.join(folder, 'desk.sqlite'))
type Store = ReturnType<typeof openStore>

/** Puts a transfer into the file as a version may have written it. */
const put = (
  { database }: Store,
  id: string,
  state: TransferState,
  body: object = {},
  { isWaiting = false, made = id }: { isWaiting?: boolean; made?: string } = {},
) =>
  database
    .prepare(
      `insert into job (id, archive, kind, state, isWaiting, made, place, body)
       values (?, 'a', 'transfer', ?, ?, ?, 1, ?)`,
    )
    .run(
      id,
      state,
      Number(isWaiting),
      made,
      JSON.stringify({
        id,
        form: {
          name: id,
          delivery: '1',
          organization: '',
          address: '',
          person: '',
          email: '',
          description: '',
          identifier: id,
        },
        counts: { files: 1, folders: 0, bytes: 1 },
        changed: '1',
        times: {},
        ...body,
      }),
    )

test('every transfer that needs a person, by the page’s own rule, is among the troubled, and each is in one group', () => {
  using place = scratch()
  const store = openStore(place.folder)
  const all = states.flatMap((state) =>
    failures.flatMap((failure, nth) =>
      [false, true].map((isWaiting) => {
        const id = `${state} ${nth} ${isWaiting}`
        put(store, id, state, { failure }, { isWaiting })
        return { id, state, failure }
      }),
    ),
  )
  const found = groups.map((group) => store.transfersOf('a', group, 1_000))
  const wanted = all.filter((transfer) => transfer.state !== 'preserved' && needsPerson(transfer))
  expect(found[0]?.first.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
  expect(found.map(({ count }) => count)).toEqual(found.map(({ first }) => first.length))
  const ids = found.flatMap(({ first }) => first.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
  // What is left is done, or refused nothing and waits for nobody.
  const left = all.filter(({ id }) => !ids.includes(id))
  expect(left.every(({ state }) => ['preserved', 'sent', 'received'].includes(state))).toBe(true)
  store.close()
})

test('pages show each transfer once, those that were begun last first, and only so many of a group', () => {
  using place = scratch()
  const store = openStore(place.folder)
  const ids = Array.from({ length: 23 }, (_, number) => `t${String(number).padStart(2, '0')}`)
  // Of one moment, as the rows of a table are.
  for (const id of ids) put(store, id, 'draft', {}, { made: id < 't10' ? '1' : '2' })
  const pages = [0, 10, 20].flatMap((offset) => store.transferPage('a', offset, 10).map(({ id }) => id))
  expect(pages).toEqual(ids.toReversed())
  expect([store.transferCount('a'), store.transferCount('b')]).toEqual([23, 0])
  const drafts = store.transfersOf('a', 'drafts', 5)
  expect([drafts.count, drafts.first.map(({ id }) => id)]).toEqual([23, ids.toReversed().slice(0, 5)])
  store.close()
})

test('only the time of what goes at a time can have come', () => {
  using place = scratch()
  const store = openStore(place.folder)
  const broke: Failure = { kind: 'server-broke', address: '', status: 500, detail: 'error', excerpt: '' }
  const offline: Failure = { kind: 'offline', address: '', detail: '' }
  const date = (id: string, nextAt: string | null, triedAt: string) =>
    store.database.prepare('update job set nextAt = ?, triedAt = ? where id = ?').run(nextAt, triedAt, id)
  put(store, 'as soon as it can', 'prepared', {}, { isWaiting: true })
  put(store, 'once the archive is there', 'prepared', { failure: offline }, { isWaiting: true })
  date('once the archive is there', '3', '1')
  put(store, 'for a person', 'prepared', { failure: broke })
  date('for a person', '3', '1')
  put(store, 'at 5', 'prepared', { failure: broke }, { isWaiting: true })
  date('at 5', '5', '2')
  const at = (moment: string) => store.hasTimed('a', 'transfer', moment)
  expect([at('2'), at('4'), at('5'), at('6')]).toEqual([false, false, true, true])
  // The clock that it was tried by was ahead.
  expect(at('1')).toBe(true)
  expect(store.hasTimed('a', 'creation', '6')).toBe(false)
  store.close()
})

test('a transfer is found by what it became, and by its content in the words of every version', () => {
  using place = scratch()
  const store = openStore(place.folder)
  const counts = { files: 1, folders: 0, bytes: 1 }
  put(store, 'now', 'preserved', { package: 'p1', sip: { path: '/1', counts, content: 'same' } })
  put(store, 'before', 'preserved', { package: 'p2', bag: { path: '/2', counts, content: 'same' } })
  put(store, 'none', 'draft', { sip: { path: '/3', counts, content: '' } })
  expect(store.transfersThatBecame('a', 'p2').map(({ id }) => id)).toEqual(['before'])
  expect(store.transfersWithContent('a', 'same', 10).map(({ id }) => id)).toEqual(['now', 'before'])
  expect(store.transfersWithContent('a', '', 10)).toEqual([])
  store.close()
})

test('what is due goes in its order: what waits, what was tried by a clock that was ahead, what came back', () => {
  using place = scratch()
  const store = openStore(place.folder)
  store.keepCreation(waitingCreation('later', { nextAt: '9' }))
  store.keepCreation(waitingCreation('ahead', { nextAt: '9', triedAt: '7' }))
  store.keepCreation(waitingCreation('now', { nextAt: '4' }))
  store.keepCreation(waitingCreation('held'))
  store.changeCreation('held', (kept) => ({ ...kept, state: 'held' }))
  store.keepCreation(waitingCreation('restored'))
  store.changeCreation('restored', (kept) => ({ ...kept, state: 'held', wasRestored: true }))
  expect(store.dueJobs('a', 'creation', '5', null).map(({ id }) => id)).toEqual(['ahead', 'now', 'restored'])
  expect([store.undeliveredCount('a'), store.hasAwaited('a', 'creation')]).toEqual([5, true])
  store.close()
})

test('of thousands that are due the next few are asked for, in the order of an index', () => {
  using place = scratch()
  const store = openStore(place.folder)
  const ids = Array.from({ length: 250 }, (_, number) => `t${String(number).padStart(3, '0')}`)
  // All of them at the same place, as a damaged file may have them.
  for (const id of ids) put(store, id, 'prepared', {}, { isWaiting: true })
  const pages: string[][] = []
  for (let page = store.dueJobs('a', 'transfer', '5', null); page.length > 0;) {
    pages.push(page.map(({ id }) => id))
    page = store.dueJobs('a', 'transfer', '5', page.at(-1) ?? null)
  }
  expect(pages.map(({ length }) => length)).toEqual([100, 100, 50])
  expect(pages.flat()).toEqual(ids)
  const plans = queryPlansOf(store.database, () => store.dueJobs('a', 'transfer', '5', null))
  expect(plans).toEqual(['SEARCH job USING INDEX job_in_turn (archive=? AND kind=? AND (place,id)>(?,?))'])
  store.close()
})

test('whose a job is, and whether it was taken off its list, is known without reading its body', () => {
  using place = scratch()
  const store = openStore(place.folder)
  put(store, 'listed', 'draft')
  put(store, 'removed', 'draft')
  store.removeTransfer('removed', '2')
  const prepare = vi.spyOn(store.database, 'prepare')
  expect(['listed', 'removed', 'none'].map((id) => store.isJobOf(id, 'transfer', 'a'))).toEqual([
    true,
    true,
    false,
  ])
  expect([store.isJobOf('listed', 'batch', 'a'), store.isJobOf('listed', 'transfer', 'b')]).toEqual([
    false,
    false,
  ])
  expect(['removed', 'none'].map(store.archiveOfJob)).toEqual(['a', undefined])
  expect(prepare.mock.calls.filter(([sql]) => sql.includes('body'))).toEqual([])
  expect([store.removedTransfer('listed'), store.removedTransfer('removed')?.id]).toEqual([
    undefined,
    'removed',
  ])
  store.close()
})

test('a record that another creation made is claimed, also by one that was taken off the list', () => {
  using place = scratch()
  const store = openStore(place.folder)
  store.keepCreation(waitingCreation('one'))
  store.changeCreation('one', (kept) => ({ ...kept, state: 'sending' }))
  store.changeCreation('one', (kept) => ({ ...kept, state: 'delivered', remote: '7', wasFound: true }))
  expect(store.foundCreations('a', 5).map(({ id }) => id)).toEqual(['one'])
  expect(store.creationsOf('a', 'metric-types', 5).map(({ id }) => id)).toEqual(['one'])
  store.removeCreation('one', 'now')
  expect(store.creationsOf('a', 'metric-types', 5)).toEqual([])
  expect([
    store.isClaimed('a', 'metric-types', '7', 'two'),
    store.isClaimed('a', 'metric-types', '7', 'one'),
    store.isClaimed('a', 'orders', '7', 'two'),
  ]).toEqual([true, false, false])
  store.close()
})
