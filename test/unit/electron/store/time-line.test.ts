import { expect, test } from 'vitest'
import type { PremisEvent } from '../../../../electron/contract/packages.ts'
import { timeLineOf } from '../../../../electron/store/lists/time-line.ts'

test('of one moment the newest is how far the transfer came by what the archive did', () => {
  const time = '2026-11-24T10:00:00.000Z'
  const event: PremisEvent = {
    id: 1,
    time,
    type: '30300',
    detail: 'AIP created',
    at: Date.parse(time),
    note: '',
    failed: false,
    agent: '',
    package: 'p',
    transfer: null,
    receipt: null,
  }
  const transfer = {
    id: 't',
    form: { name: 'Oxen' },
    times: { prepared: null, sent: null, received: null, preserved: time },
  }
  const line = timeLineOf(
    // The parts of both that are read.
    { cache: { where: () => [event] }, store: { transfersThatBecame: () => [transfer] } } as never,
    'a',
    'p',
    [],
  )
  expect(line.map(({ source }) => source)).toEqual(['desk', 'event'])
})
