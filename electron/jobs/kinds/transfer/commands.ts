import { Failed } from '../../../contract/failure.ts'
import { background, toProcess } from '../../../common/background.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'
import type { Engine } from '../../engine.ts'
import { handOver } from './handover.ts'
import type { Packing } from './packing.ts'
import type { Permission } from './permission.ts'
import { untried, type Records } from './records.ts'

/** What is done with a transfer, until it is over or stopped. */
export type Task = (id: string, signal: AbortSignal) => Promise<void>

interface Parts {
  engine: Engine
  records: Records
  permission: Permission
  packing: Packing
  sendNow: Task
  /** Goes on with what the archive has, until it is preserved. */
  finishNow: Task
  /** Works at a transfer where nobody does yet; fulfilled when that is over. */
  run: (id: string, task: Task) => Promise<void>
  /** Sends what is due of an archive, and one though it was to wait. */
  sendDue: (archive: string, only: string) => Promise<void>
  /** Transfers that are being copied for another desk. */
  handingOver: Set<string>
  scripts: PackagingScripts
  now: () => Date
  changed: (id: string) => void
}

/** A transfer whose package was sent, and goes again. */
const toBeSentAgain = (transfer: KeptTransfer): KeptTransfer => ({
  ...transfer,
  ...untried,
  state: 'prepared',
  sending: transfer.sending === 'submitting' ? 'submitting' : 'copying',
  steps: [],
  times: { ...transfer.times, sent: null, received: null },
  wasRestored: false,
  isWaiting: true,
})

/**
 * Copies a transfer for another desk; nothing else can be done with it meanwhile. Noted before the copy has
 * its name: two desks never think that it is theirs.
 */
const openHandover = ({ engine, records: { keep, need }, handingOver, scripts, now, changed }: Parts) => {
  const copy = async (transfer: KeptTransfer, into: string, signal: AbortSignal) => {
    const { id } = transfer
    const ready = () => void keep({ ...need(id), handedOver: now().toISOString() })
    try {
      await handOver(transfer, into, { scripts, signal, ready })
    } catch (error) {
      keep({ ...need(id), handedOver: null })
      throw error
    }
  }
  return async (transfer: KeptTransfer, into: string): Promise<void> => {
    handingOver.add(transfer.id)
    try {
      await engine.perform(transfer.id, {
        run: (signal) => copy(transfer, into, signal),
        ended: () => changed(transfer.id),
      })
    } finally {
      handingOver.delete(transfer.id)
    }
  }
}

/**
 * What a person does with a transfer. Each answers with the transfer as it is then; what is begun goes on,
 * and is told as news.
 */
export const openCommands = (parts: Parts) => {
  const { engine, permission, packing, sendNow, finishNow, run } = parts
  const { keep, need } = parts.records

  const handOverOne = openHandover(parts)

  return {
    /** Begins to pack. */
    pack: (id: string): KeptTransfer => {
      permission.checkReady(id, 'pack')
      background(run(id, packing.packNow), toProcess)
      return need(id)
    },
    /**
     * Packs, and comes back when that is over, however it ended.
     * @param isSent the package goes to the archive by itself once it is made
     */
    packWhole: (id: string, isSent = false): Promise<void> => {
      permission.checkReady(id, 'pack')
      return run(id, (packed, signal) => packing.packNow(packed, signal, isSent))
    },
    /** Hands a transfer over; it goes at once, where nothing holds it back. */
    send: (id: string): KeptTransfer => {
      const transfer = permission.checkReady(id, 'send')
      const isDoubted = transfer.failure?.kind === 'unconfirmed'
      keep({ ...transfer, isWaiting: true, ...(isDoubted ? undefined : untried) })
      if (engine.mayGo(transfer.archive)) background(parts.sendDue(transfer.archive, id), toProcess)
      return need(id)
    },
    /** Sends one though the queue is stopped, or though it was to wait. */
    sendNow: (id: string): KeptTransfer => {
      keep({ ...permission.checkReady(id, 'send'), isWaiting: true })
      background(run(id, sendNow), toProcess)
      return need(id)
    },
    /**
     * Sends a package again of which the archive showed nothing, or nothing any more: a person saw there that
     * it does not have it.
     */
    sendAgain: (id: string): KeptTransfer => {
      const transfer = permission.checkReady(id, 'send again')
      permission.checkUnconfirmed(transfer)
      keep(toBeSentAgain(transfer))
      background(run(id, sendNow), toProcess)
      return need(id)
    },
    /**
     * Sees whether the archive went on with a package that it could not preserve: whoever runs it may have
     * tried the step again there.
     * @throws Failed conflict unless the archive has it
     */
    lookAgain: (id: string): KeptTransfer => {
      const transfer = permission.checkMay('look again', id)
      if (transfer.times.sent === null) throw new Failed({ kind: 'conflict', detail: transfer.state })
      keep({ ...transfer, ...untried, state: transfer.times.received === null ? 'sent' : 'received' })
      background(run(id, finishNow), toProcess)
      return need(id)
    },
    /**
     * Copies a transfer into a folder for another desk; nothing else can be done with it meanwhile, and this
     * desk sends it no more.
     * @throws Failed; the transfer is this desk's own then, as before
     */
    handOver: async (id: string, into: string): Promise<KeptTransfer> => {
      await handOverOne(permission.checkMay('hand over', id), into)
      return need(id)
    },
    /** Stops what is being done with it, and sends it no more by itself. */
    cancel: (id: string): KeptTransfer => {
      const transfer = need(id)
      if (transfer.isWaiting) keep({ ...transfer, isWaiting: false })
      if (transfer.isPaused) packing.setPaused(id, false)
      engine.abort(id)
      return need(id)
    },
  }
}
