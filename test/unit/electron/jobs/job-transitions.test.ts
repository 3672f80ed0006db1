import fc from '../../../support/properties.ts'
import { expect, test } from 'vitest'
import {
  leads,
  leftIn,
  may,
  transitions,
  type Constraint,
  type JobKind,
} from '../../../../electron/contract/jobs.ts'

interface Step {
  event: string
  who: 'person' | 'engine'
  from: string[]
  to: string
  unless?: Constraint[]
}
const kinds = Object.keys(transitions) as JobKind[]
const stepsOf = (kind: JobKind) => transitions[kind].steps as unknown as Step[]
const firstOf = (kind: JobKind) => transitions[kind].first as string[]
const statesOf = (kind: JobKind) => [
  ...new Set([
    ...firstOf(kind),
    ...stepsOf(kind).flatMap(({ from, to }) => (to === 'same' ? from : [...from, to])),
  ]),
]
/** Where a job stays. */
const ends: Record<JobKind, string[]> = {
  creation: ['delivered'],
  transfer: ['preserved'],
  dissemination: ['done'],
  download: ['done'],
  check: ['done', 'failed', 'stopped'],
  batch: ['ready'],
}
/** Those of them that are left now and then: begun anew by a person, or found to be altered. */
const leavable: Partial<Record<JobKind, string[]>> = { batch: ['ready'], check: ['done'], download: ['done'] }

test.each(kinds)('every state of a %s is reached, and is left again unless it is an end', (kind) => {
  const reached = new Set(firstOf(kind))
  for (let size = 0; size !== reached.size;) {
    size = reached.size
    for (const { from, to } of stepsOf(kind))
      if (to !== 'same' && from.some((state) => reached.has(state))) reached.add(to)
  }
  expect([...reached].sort()).toEqual(statesOf(kind).sort())
  const left = statesOf(kind).filter((state) =>
    stepsOf(kind).some(({ from, to }) => to !== 'same' && to !== state && from.includes(state)),
  )
  expect(
    statesOf(kind)
      .filter((state) => !left.includes(state))
      .sort(),
  ).toEqual(ends[kind].filter((state) => !leavable[kind]?.includes(state)))
})

test('from wherever steps lead, an end can be reached', () => {
  const step = fc.record({ event: fc.nat(), kind: fc.constantFrom(...kinds) })
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.array(step, { maxLength: 30 }), (kind, wishes) => {
      let state = firstOf(kind)[0] ?? ''
      for (const { event } of wishes) {
        const open = stepsOf(kind).filter(({ from, to }) => to !== 'same' && from.includes(state))
        const taken = open[event % Math.max(1, open.length)]
        if (!taken) break
        expect(leads(kind, state, taken.to)).toBe(true)
        state = taken.to
      }
      const seen = new Set([state])
      for (let size = 0; size !== seen.size;) {
        size = seen.size
        for (const { from, to } of stepsOf(kind))
          if (to !== 'same' && from.some((one) => seen.has(one))) seen.add(to)
      }
      expect(ends[kind].some((end) => seen.has(end))).toBe(true)
    }),
  )
})

test('what is being sent, or may have been, is nobody’s to change', () => {
  for (const state of ['sending', 'unanswered', 'undecided', 'delivered'] as const)
    for (const event of ['correct', 'hold', 'release'] as const)
      expect([state, event, may('creation', event, state)]).toEqual([state, event, false])
  for (const state of ['held', 'waiting', 'refused'] as const)
    for (const event of ['correct', 'hold', 'release', 'remove'] as const) {
      expect([state, event, may('creation', event, state)]).toEqual([state, event, true])
      expect([state, event, may('creation', event, state, ['restored'])]).toEqual([state, event, false])
    }
})

test('a job is sent again by no step that skips the lookup of one that is under way', () => {
  // From "sending" the engine only knows what came of it: an answer, none, or that nothing left this
  // computer.
  const ways = stepsOf('creation').filter(({ from }) => from.includes('sending'))
  expect([...new Set(ways.map(({ to }) => to))].sort()).toEqual([
    'delivered',
    'refused',
    'unanswered',
    'undecided',
    'waiting',
  ])
  expect(ways.every(({ who }) => who === 'engine')).toBe(true)
})

test('a prepared transfer is reopened or handed over only while nobody else can know of it', () => {
  const hindrances: Constraint[] = ['waiting', 'begun', 'registered', 'running']
  expect(may('transfer', 'reopen', 'prepared', [])).toBe(true)
  for (const one of hindrances) {
    expect([one, may('transfer', 'reopen', 'prepared', [one])]).toEqual([one, false])
    expect([one, may('transfer', 'hand over', 'draft', [one])]).toEqual([one, false])
  }
  expect(may('transfer', 'hand over', 'draft', ['restored'])).toBe(false)
  expect(may('transfer', 'reopen', 'refused', ['registered', 'begun'])).toBe(true)
  // What is open in the archive can be removed there, but no other desk may send it too.
  expect(may('transfer', 'reopen', 'prepared', ['opened'])).toBe(true)
  expect(may('transfer', 'hand over', 'prepared', ['opened'])).toBe(false)
  for (const step of ['pack', 'remove'] as const)
    expect([step, may('transfer', step, 'draft', ['running'])]).toEqual([step, false])
  // Another desk has it: what is done with it, is done there.
  for (const step of ['save', 'pack', 'hand over'] as const)
    expect([step, may('transfer', step, 'draft', ['handed over'])]).toEqual([step, false])
  for (const step of ['choose delivery', 'reopen', 'send'] as const)
    expect([step, may('transfer', step, 'prepared', ['handed over'])]).toEqual([step, false])
})

test('a new job begins in a first state, and one without a step stays where it is', () => {
  expect([leads('creation', undefined, 'waiting'), leads('creation', undefined, 'sending')]).toEqual([
    true,
    false,
  ])
  expect([leads('creation', 'delivered', 'delivered'), leads('creation', 'delivered', 'waiting')]).toEqual([
    true,
    false,
  ])
})

test('what nobody works at any more is what it was before, or may have been done', () => {
  expect(leftIn('creation', 'sending')).toBe('unanswered')
  expect(leftIn('transfer', 'sending')).toBe('prepared')
  // Packing goes on.
  expect(leftIn('transfer', 'packing')).toBe('packing')
  expect([leftIn('download', 'running'), leftIn('dissemination', 'working')]).toEqual(['stopped', 'stopped'])
  expect([leftIn('batch', 'counting'), leftIn('batch', 'packing')]).toEqual(['ready', 'ready'])
  expect(leftIn('download', 'done')).toBe('done')
})
