import type { BatchState } from './batch.ts'
import type { Check } from './checks.ts'
import type { Dissemination } from './dips.ts'
import type { Download } from './files.ts'
import type { CreationState } from './outbox.ts'
import type { TransferState } from './transfers.ts'

/** The states of each kind of job. */
export interface JobStates {
  creation: CreationState
  transfer: TransferState
  dissemination: Dissemination['state']
  download: Download['state']
  batch: BatchState
  check: Check['state']
}
export type JobKind = keyof JobStates

/** Who takes a step: a person, with a command of the page, or the engine by itself. */
export type Actor = 'person' | 'engine'

/**
 * What else stands in the way of a step, beside the state. `restored`: a backup or another desk brought the
 * job back, and what became of it since is not known. `waiting`: it goes by itself. `begun`: the archive may
 * know of it; `registered`: it does; `opened`: it has a package of it that is not submitted, and that can be
 * removed there. `handed over`: another desk has it. `made elsewhere`: this desk has no sources to pack it
 * from. `running`: something is being done with it just now.
 */
export type Constraint =
  'restored' | 'waiting' | 'begun' | 'registered' | 'opened' | 'handed over' | 'made elsewhere' | 'running'

/**
 * One step that a job may take. `same`: it changes the job and leaves its state; `left`: nobody works at it
 * any more.
 */
export interface Transition<State extends string, Event extends string = string> {
  event: Event
  who: Actor
  from: readonly State[]
  to: State | 'same'
  unless?: readonly Constraint[]
}

type Table = { [Kind in JobKind]: { first: JobStates[Kind][]; steps: Transition<JobStates[Kind]>[] } }

const notSent = ['held', 'waiting', 'refused'] as const satisfies CreationState[]
const creation = {
  first: ['waiting'],
  steps: [
    { event: 'correct', who: 'person', from: notSent, to: 'waiting', unless: ['restored'] },
    { event: 'hold', who: 'person', from: notSent, to: 'held', unless: ['restored'] },
    { event: 'release', who: 'person', from: notSent, to: 'waiting', unless: ['restored'] },
    { event: 'remove', who: 'person', from: notSent, to: 'same', unless: ['restored'] },
    // What the archive has is taken off the list, and stays in the archive.
    { event: 'remove', who: 'person', from: ['delivered'], to: 'same' },
    { event: 'send now', who: 'person', from: [...notSent, 'unanswered'], to: 'same' },
    { event: 'decide', who: 'person', from: ['undecided'], to: 'waiting' },
    { event: 'decide', who: 'person', from: ['undecided'], to: 'delivered' },
    { event: 'send', who: 'engine', from: ['waiting', 'unanswered', 'refused'], to: 'sending' },
    { event: 'deliver', who: 'engine', from: [...notSent, 'sending', 'unanswered'], to: 'delivered' },
    { event: 'doubt', who: 'engine', from: [...notSent, 'sending', 'unanswered'], to: 'undecided' },
    { event: 'lose', who: 'engine', from: ['sending'], to: 'unanswered' },
    { event: 'left', who: 'engine', from: ['sending'], to: 'unanswered' },
    { event: 'fail', who: 'engine', from: ['sending'], to: 'waiting' },
    { event: 'refuse', who: 'engine', from: ['waiting', 'sending'], to: 'refused' },
  ],
} as const satisfies Table['creation']

/** States of a transfer that the archive was not asked to receive. */
export const unsent: readonly TransferState[] = ['draft', 'packing', 'prepared', 'refused']
const transfer = {
  first: ['draft', 'prepared'],
  steps: [
    { event: 'save', who: 'person', from: ['draft'], to: 'same', unless: ['handed over'] },
    // The delivery is no part of the package, so it may still be chosen.
    {
      event: 'choose delivery',
      who: 'person',
      from: ['prepared'],
      to: 'same',
      unless: ['registered', 'opened', 'handed over'],
    },
    { event: 'pack', who: 'person', from: ['draft'], to: 'packing', unless: ['handed over', 'running'] },
    { event: 'pause', who: 'person', from: ['packing'], to: 'same' },
    { event: 'send', who: 'person', from: ['prepared', 'sending'], to: 'same', unless: ['handed over'] },
    // The archive shows nothing of it, or nothing any more.
    { event: 'send again', who: 'person', from: ['prepared', 'sending'], to: 'same', unless: ['running'] },
    { event: 'send again', who: 'person', from: ['sent', 'received'], to: 'prepared', unless: ['running'] },
    {
      event: 'reopen',
      who: 'person',
      from: ['refused'],
      to: 'draft',
      unless: ['made elsewhere', 'running'],
    },
    { event: 'look again', who: 'person', from: ['refused'], to: 'sent', unless: ['running'] },
    { event: 'look again', who: 'person', from: ['refused'], to: 'received', unless: ['running'] },
    // It stopped after it was sent, for a reason that a person has seen to.
    { event: 'look again', who: 'person', from: ['sent', 'received'], to: 'same', unless: ['running'] },
    // What the archive may know already goes on from there; a second registration would be a duplicate.
    {
      event: 'reopen',
      who: 'person',
      from: ['prepared'],
      to: 'draft',
      unless: ['waiting', 'begun', 'registered', 'handed over', 'made elsewhere', 'running'],
    },
    {
      event: 'hand over',
      who: 'person',
      from: ['draft', 'prepared'],
      to: 'same',
      unless: ['restored', 'waiting', 'begun', 'registered', 'opened', 'handed over', 'running'],
    },
    { event: 'remove', who: 'person', from: ['draft', 'refused'], to: 'same', unless: ['running'] },
    { event: 'prepare', who: 'engine', from: ['packing'], to: 'prepared' },
    // It was handed over as a draft, and comes back with the package that another desk made of it.
    { event: 'take over', who: 'person', from: ['draft'], to: 'prepared' },
    { event: 'unpack', who: 'engine', from: ['packing'], to: 'draft' },
    { event: 'begin', who: 'engine', from: ['prepared'], to: 'sending' },
    { event: 'fail', who: 'engine', from: ['sending'], to: 'prepared' },
    // One that is being packed is packed again, and needs no step.
    { event: 'left', who: 'engine', from: ['sending'], to: 'prepared' },
    { event: 'refuse', who: 'engine', from: ['prepared', 'sending', 'sent', 'received'], to: 'refused' },
    { event: 'sent', who: 'engine', from: ['sending'], to: 'sent' },
    // A backup brought it back, and the archive has its package.
    { event: 'find', who: 'engine', from: unsent, to: 'sent' },
    { event: 'receive', who: 'engine', from: ['sent'], to: 'received' },
    { event: 'preserve', who: 'engine', from: ['sent', 'received'], to: 'preserved' },
  ],
} as const satisfies Table['transfer']

const dissemination = {
  first: ['working'],
  steps: [
    { event: 'go on', who: 'person', from: ['stopped', 'failed'], to: 'working' },
    { event: 'stop', who: 'person', from: ['working'], to: 'stopped' },
    { event: 'forget', who: 'person', from: ['stopped', 'failed'], to: 'same' },
    { event: 'left', who: 'engine', from: ['working'], to: 'stopped' },
    { event: 'fail', who: 'engine', from: ['working'], to: 'failed' },
    { event: 'finish', who: 'engine', from: ['working'], to: 'done' },
  ],
} as const satisfies Table['dissemination']

const download = {
  first: ['running'],
  steps: [
    { event: 'resume', who: 'person', from: ['stopped', 'failed', 'altered'], to: 'running' },
    { event: 'stop', who: 'person', from: ['running'], to: 'stopped' },
    { event: 'forget', who: 'person', from: ['running', 'stopped', 'failed', 'done', 'altered'], to: 'same' },
    { event: 'left', who: 'engine', from: ['running'], to: 'stopped' },
    { event: 'fail', who: 'engine', from: ['running'], to: 'failed' },
    { event: 'finish', who: 'engine', from: ['running'], to: 'done' },
    { event: 'differ', who: 'engine', from: ['done'], to: 'altered' },
  ],
} as const satisfies Table['download']

const underWay = ['counting', 'packing'] as const satisfies BatchState[]
const batch = {
  first: ['ready'],
  steps: [
    { event: 'map', who: 'person', from: ['ready'], to: 'same' },
    { event: 'choose template', who: 'person', from: ['ready'], to: 'same' },
    { event: 'count', who: 'person', from: ['ready'], to: 'counting' },
    { event: 'pack', who: 'person', from: ['ready'], to: 'packing' },
    { event: 'stop', who: 'person', from: underWay, to: 'ready' },
    { event: 'remove', who: 'person', from: ['ready', ...underWay], to: 'same' },
    // Packing a row goes on by itself: its transfer is a job. The rows after that wait for a person.
    { event: 'left', who: 'engine', from: underWay, to: 'ready' },
    { event: 'finish', who: 'engine', from: underWay, to: 'ready' },
  ],
} as const satisfies Table['batch']

const check = {
  first: ['working'],
  steps: [
    { event: 'stop', who: 'person', from: ['working'], to: 'stopped' },
    { event: 'stop', who: 'person', from: ['copying'], to: 'done' },
    { event: 'close', who: 'person', from: ['done', 'stopped', 'failed'], to: 'same' },
    { event: 'copy', who: 'person', from: ['done'], to: 'copying' },
    { event: 'fail', who: 'engine', from: ['working'], to: 'failed' },
    { event: 'finish', who: 'engine', from: ['working', 'copying'], to: 'done' },
  ],
} as const satisfies Table['check']

const table = { creation, transfer, dissemination, download, batch, check } as const satisfies Table

/** Every step that a job of each kind may take, and the states in which one may begin. */
export const transitions: Table = table

const statesOf = ({ first, steps }: { first: string[]; steps: Transition<string>[] }) =>
  new Set([...first, ...steps.flatMap(({ from, to }) => [...from, ...(to === 'same' ? [] : [to])])])
const states: Record<JobKind, ReadonlySet<string>> = {
  creation: statesOf(creation),
  transfer: statesOf(transfer),
  dissemination: statesOf(dissemination),
  download: statesOf(download),
  batch: statesOf(batch),
  check: statesOf(check),
}

/** Whether a text is a state of a kind of job. */
export const isStateOf = <Kind extends JobKind>(kind: Kind, state: string): state is JobStates[Kind] =>
  states[kind].has(state)

type EventOf<Kind extends JobKind> = (typeof table)[Kind]['steps'][number]['event']

/** Whether a step may be taken with a job; the page and the main process ask the same. */
export const may = <Kind extends JobKind>(
  kind: Kind,
  event: EventOf<Kind>,
  state: JobStates[Kind],
  constraints: readonly Constraint[] = [],
): boolean =>
  // A union of tables has no methods that TypeScript can call with one kind's states.
  (transitions[kind].steps as Transition<string>[]).some(
    (step) =>
      step.event === event &&
      step.from.includes(state) &&
      !(step.unless ?? []).some((constraint) => constraints.includes(constraint)),
  )

/**
 * The state of a job at which nobody works: what was under way when the program ended, or broke off, was
 * left.
 */
export const leftIn = <Kind extends JobKind>(kind: Kind, state: JobStates[Kind]): JobStates[Kind] => {
  const step = transitions[kind].steps.find(({ event, from }) => event === 'left' && from.includes(state))
  return step === undefined || step.to === 'same' ? state : step.to
}

/** Whether any step leads from one state to another; a job that is new has none before. */
export const leads = (kind: JobKind, from: string | undefined, to: string): boolean => {
  const { first, steps } = transitions[kind] as { first: string[]; steps: Transition<string>[] }
  if (from === undefined) return first.includes(to)
  return from === to || steps.some((step) => step.to === to && step.from.includes(from))
}
