import { Failed } from '../../../contract/failure.ts'
import type { Control } from '../../../packaging/pack/control.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { Records } from './records.ts'

/** The controls of transfers that are being packed: each may be paused, resumed, or leave work to others. */
export const openPackingControls = ({ keep, need }: Records) => {
  const underWay = new Map<string, Control>()
  return {
    /** Packing has begun, and goes as it is arranged. */
    begin: (id: string, control: Control, isPolite: boolean) => {
      underWay.set(id, control)
      control.bePolite(isPolite)
      if (need(id).isPaused) control.pause()
    },
    end: (id: string) => void underWay.delete(id),
    /** @throws Failed conflict where nothing is being packed */
    setPaused: (id: string, isPaused: boolean): KeptTransfer => {
      const transfer = need(id)
      if (transfer.state !== 'packing') throw new Failed({ kind: 'conflict', detail: transfer.state })
      if (isPaused) underWay.get(id)?.pause()
      else underWay.get(id)?.goOn()
      return keep({ ...transfer, isPaused })
    },
    bePolite: (id: string, isPolite: boolean) => underWay.get(id)?.bePolite(isPolite),
  }
}
