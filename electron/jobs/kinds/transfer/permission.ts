import { isWholeEmail } from '../../../contract/email.ts'
import { isSubmissible } from '../../../contract/identifier.ts'
import { Failed, type NotReady } from '../../../contract/failure.ts'
import { may, type Constraint } from '../../../contract/jobs.ts'
import { isMadeElsewhere, type DraftProfile } from '../../../contract/transfers.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { Engine } from '../../engine.ts'
import type { Records } from './records.ts'
import type { Transports } from './transport.ts'

/** Steps that a person takes with a transfer and that its state alone allows or forbids. */
type PersonalStep = 'save' | 'choose delivery' | 'reopen' | 'look again' | 'hand over' | 'remove'

interface Parts {
  engine: Pick<Engine, 'isRunning'>
  need: Records['need']
  /** Transfers that are being copied for another desk: nothing else may be done with them. */
  handingOver: ReadonlySet<string>
  draftProfile: (transfer: KeptTransfer) => DraftProfile | null
  transports: Pick<Transports, 'isOverInterface' | 'mayBring' | 'mayReceive' | 'packingOf'>
}

export type Permission = ReturnType<typeof openPermission>

/** How much the archive knows of one that was not sent. */
const begunOf = ({ sending, remote, failure }: KeptTransfer): Constraint[] => {
  // What has its identifier there is not shown: its own package, or another's.
  const isUnseen = failure?.kind === 'conflict'
  if (sending === 'submitting' && (remote !== null || isUnseen)) return ['opened']
  return [
    ...(sending === null ? [] : (['begun'] as const)),
    ...(remote === null ? [] : (['registered'] as const)),
  ]
}

/**
 * What a person may do with a transfer as it is now, by the table of transitions and by what its form still
 * lacks.
 */
export const openPermission = ({ engine, need, handingOver, draftProfile, transports }: Parts) => {
  /** What stands in the way of steps that a transfer's state allows. */
  const constraintsOf = (transfer: KeptTransfer): Constraint[] => [
    ...(transfer.wasRestored === true ? (['restored'] as const) : []),
    ...(transfer.isWaiting ? (['waiting'] as const) : []),
    ...begunOf(transfer),
    ...(transfer.handedOver === null ? [] : (['handed over'] as const)),
    ...(isMadeElsewhere(transfer) ? (['made elsewhere'] as const) : []),
    ...(engine.isRunning(transfer.id) ? (['running'] as const) : []),
  ]
  /** What the way to the archive needs. */
  const missingForWay = (transfer: KeptTransfer): NotReady[] => {
    const { form, sip, archive } = transfer
    if (!transports.isOverInterface(transfer)) return form.delivery === '' ? ['delivery'] : []
    // A new generation is never submitted: whoever opens it has it received and preserved.
    const mayBring = form.generationOf ? transports.mayReceive(archive) : transports.mayBring(archive)
    // Each file by itself takes the archive a tenth of a second, and many are refused for their extension.
    const isAsChosen = sip === null || sip.form === transports.packingOf(transfer).form
    return [
      ...(mayBring ? [] : (['permission'] as const)),
      ...(form.agreement === '' && !form.generationOf ? (['agreement'] as const) : []),
      ...(isAsChosen ? [] : (['packed anew'] as const)),
    ]
  }
  const conflict = ({ state }: KeptTransfer) => new Failed({ kind: 'conflict', detail: state })

  return {
    constraintsOf,
    /** Whether everything is chosen that the way to the archive needs. */
    hasDestination: (transfer: KeptTransfer): boolean => missingForWay(transfer).length === 0,
    /**
     * @throws Failed conflict, with the state, where a person may not take a step with a transfer as it is
     * now
     */
    checkMay: (event: PersonalStep, id: string): KeptTransfer => {
      const transfer = need(id)
      if (may('transfer', event, transfer.state, constraintsOf(transfer))) return transfer
      throw conflict(transfer)
    },
    /**
     * @throws Failed conflict where it may not be packed or sent as it is now, not-ready with what is missing
     */
    checkReady: (id: string, wanted: 'pack' | 'send' | 'send again'): KeptTransfer => {
      const transfer = need(id)
      const { form, sources, sip, state } = transfer
      if (handingOver.has(id) || transfer.handedOver !== null)
        throw new Failed({ kind: 'conflict', detail: 'handed over' })
      if (!may('transfer', wanted, state, constraintsOf(transfer))) throw conflict(transfer)
      const missing = [
        ...(form.name.trim() === '' ? (['name'] as const) : []),
        ...(sources.length === 0 && sip === null ? (['contents'] as const) : []),
        ...(isMadeElsewhere(transfer) || isWholeEmail(form.email) ? [] : (['email'] as const)),
        ...(transports.isOverInterface(transfer) && !isSubmissible(form) ? (['identifier'] as const) : []),
        ...(!isMadeElsewhere(transfer) && (draftProfile(transfer)?.problems.length ?? 0) > 0
          ? (['profile'] as const)
          : []),
        ...(wanted === 'pack' ? [] : missingForWay(transfer)),
        ...(wanted !== 'pack' && sip === null ? (['packed'] as const) : []),
      ]
      if (missing.length > 0) throw new Failed({ kind: 'not-ready', missing })
      return transfer
    },
    /**
     * @throws Failed conflict unless the archive showed nothing of its package for so long that it may be
     * sent again
     */
    checkUnconfirmed: (transfer: KeptTransfer) => {
      const { failure, id } = transfer
      if (failure?.kind !== 'unconfirmed' || !failure.mayBeSent || engine.isRunning(id))
        throw conflict(transfer)
    },
  }
}
