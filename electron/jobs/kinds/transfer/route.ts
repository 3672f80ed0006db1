import { wayTo, type Capabilities } from '../../../contract/capabilities.ts'
import type { PackingSettings, Transfer } from '../../../contract/transfers.ts'
import type { KeptTransfer } from '../../../store/desk-store.ts'

export type Routes = ReturnType<typeof openRoutes>

/**
 * How packages reach an archive: over its interface, where it takes them so, else by its ingest folder. One
 * that was begun one way goes on that way.
 */
export const openRoutes = (capabilitiesOf: (archive: string) => Capabilities | null) => {
  const submissionAt = (archive: string) => capabilitiesOf(archive)?.submission ?? 'no'
  const isOverInterface = ({ archive, sending }: Pick<KeptTransfer, 'archive' | 'sending'>): boolean =>
    sending === null ? submissionAt(archive) !== 'no' : sending === 'submitting'
  const isKnown = ({ archive, sending }: Pick<KeptTransfer, 'archive' | 'sending'>): boolean =>
    sending !== null || capabilitiesOf(archive) !== null
  return {
    isOverInterface,
    /** Whether it is known which way one goes: it was begun, or the archive has said what it can do. */
    isKnown,
    /** By which way its contents go there, as far as that is chosen. */
    routeOf: (transfer: Pick<KeptTransfer, 'archive' | 'sending' | 'reception' | 'ingestFolder'>) => {
      const { reception = null, ingestFolder } = transfer
      const route: Transfer['route'] = !isOverInterface(transfer)
        ? { by: 'ingest folder', folder: ingestFolder }
        : { by: reception === null ? 'interface' : 'reception folder', folder: reception }
      return route
    },
    /**
     * As it is packed for the way that it goes: over the interface as one tar, or for each file a folder. Until
     * the way is known as one tar, which goes either way.
     */
    packingOf: (transfer: KeptTransfer): PackingSettings => {
      const { packing } = transfer
      if (!isKnown(transfer)) return { ...packing, form: 'tar' }
      if (!isOverInterface(transfer)) return packing
      return { ...packing, form: packing.upload === 'each file' ? 'folder' : 'tar' }
    },
    /** Whether this account may bring packages there at all. */
    mayBring: (archive: string): boolean => submissionAt(archive) !== 'not allowed',
    /** Whether this account may have the archive keep its own record of a transfer. */
    mayRecord: (archive: string): boolean => wayTo(capabilitiesOf(archive), 'transfers') === 'list',
    /** Whether this account may receive what it submitted, and have it preserved; else somebody else does. */
    mayReceive: (archive: string): boolean => submissionAt(archive) === 'whole',
  }
}
