import path from 'node:path'
import { expect, test } from 'vitest'
import { specification } from '../../../../electron/dialects/specification.ts'
import { blankDraft } from '../../../../electron/jobs/kinds/transfer/draft.ts'
import { openEvidence } from '../../../../electron/jobs/kinds/transfer/evidence.ts'
import { openFollowing } from '../../../../electron/jobs/kinds/transfer/following.ts'
import type { KeptTransfer } from '../../../../electron/store/desk/desk-store.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { scratch } from '../../../support/scratch.ts'

const now = new Date('2026-11-23T07:00:00.000Z')
const blank = blankDraft({ latestTransfer: () => undefined }, { archive: 'archive', id: 'one', now })

test('what is older than a transfer is told by the clock, whatever zone the archive writes its times in', () => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'archive.sqlite'))
  const entered = {
    older: '2026-11-23T07:30:00+01:00',
    younger: '2026-11-23T06:30:00-01:00',
    undated: null,
  }
  const packages = Object.entries(entered).map(([id, entry_date]) => ({
    id,
    label: id,
    object_identifier_value: 'SE-1',
    package_type: 2,
    state: 'Preserved',
    entry_date,
  }))
  copy.hold('packages', packages, now.toISOString())
  const { olderThan, preservedAs } = openEvidence(
    () => copy.cache,
    () => specification,
  )
  const transfer = { ...blank, form: { ...blank.form, identifier: 'SE-1' } }
  expect(olderThan(transfer)).toEqual(['older'])
  const sent = { ...transfer, times: { ...transfer.times, sent: now.toISOString() } }
  expect(preservedAs(sent, null)?.id).toBe('younger')
  expect(preservedAs(sent, '2026-11-23T08:30:00+01:00')?.id).toBe('younger')
  expect(preservedAs(sent, '2026-11-23T08:31:00+01:00')).toBeUndefined()
  copy.close()
})

test('of an identifier that a person typed no package says that this one was received', () => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'archive.sqlite'))
  const packages = ['SE-1', blank.id].map((identifier) => ({
    id: `package of ${identifier}`,
    label: identifier,
    object_identifier_value: identifier,
    package_type: 2,
    state: 'Preserved',
    entry_date: now.toISOString(),
  }))
  copy.hold('packages', packages, now.toISOString())
  const { wasReceived } = openEvidence(
    () => copy.cache,
    () => specification,
  )
  // None had been read of when it was sent: somebody else's may have been there, or have come since.
  const typed = { ...blank, remote: 't', form: { ...blank.form, identifier: 'SE-1' } }
  const given = { ...blank, remote: 't', form: { ...blank.form, identifier: blank.id } }
  expect([wasReceived(typed), wasReceived(given)]).toEqual([false, true])
  copy.close()
})

test('an event that says that preserving failed makes nothing preserved', () => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'archive.sqlite'))
  const event = {
    id: 1,
    eventType: 30300,
    eventDateTime: now.toISOString(),
    eventDetail: 'AIP preserved',
    eventOutcome: 1,
    eventOutcomeDetailNote: 'The tape is full',
    linkingAgentIdentifierValue: 'archive',
    information_package: 'p',
    linkingObjectIdentifierValue: null,
    transfer: 't',
  }
  copy.hold('events', [event], now.toISOString())
  const kept: KeptTransfer[] = []
  const follow = openFollowing({
    keep: (transfer) => {
      kept.push(transfer)
      return transfer
    },
    evidence: openEvidence(
      () => copy.cache,
      () => specification,
    ),
    now: () => now,
  })
  follow({ ...blank, state: 'sent', remote: 't' })
  expect(kept).toMatchObject([
    { state: 'refused', package: null, failure: { kind: 'refused', fields: { '': ['The tape is full'] } } },
  ])
  copy.close()
})
