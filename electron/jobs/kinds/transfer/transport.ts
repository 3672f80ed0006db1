import { takesPackages, wayTo, type Capabilities } from '../../../contract/capabilities.ts'
import type { PackingSettings, Transfer } from '../../../contract/transfers.ts'
import { formatNamed } from '../../../packaging/formats.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'

/**
 * A form that packages of this format are sent in: the one that was chosen, else as one tar.
 * @param isNamedRight whether a folder would be named as its identifier on its way
 */
const inSentForm = (packing: PackingSettings, isNamedRight: boolean): PackingSettings => {
  const { sentForms, isNamedAsIdentifier } = formatNamed(packing.format)
  const isMade = packing.form !== 'folder' || isNamedRight || !isNamedAsIdentifier
  return isMade && sentForms.includes(packing.form) ? packing : { ...packing, form: 'tar' }
}

export type Transports = ReturnType<typeof openTransports>

/**
 * How packages reach an archive: over its interface, where it takes them so, else by its ingest folder. One
 * that was begun one way goes on that way.
 */
export const openTransports = (capabilitiesOf: (archive: string) => Capabilities | null) => {
  const submissionAt = (archive: string) => capabilitiesOf(archive)?.submission ?? 'unknown'
  const isOverInterface = ({ archive, sending, form }: Pick<KeptTransfer, 'archive' | 'sending' | 'form'>) =>
    // Only over the interface is one added to what the archive has.
    sending === null
      ? form.generationOf !== undefined || takesPackages(capabilitiesOf(archive))
      : sending === 'submitting'
  const isKnown = ({ archive, sending }: Pick<KeptTransfer, 'archive' | 'sending'>): boolean =>
    sending !== null || submissionAt(archive) !== 'unknown'
  return {
    isOverInterface,
    /** Whether it is known which way one goes: it was begun, or the archive has said what it can do. */
    isKnown,
    /** By which way its contents go there, as far as that is chosen. */
    transportOf: (
      transfer: Pick<KeptTransfer, 'archive' | 'sending' | 'form' | 'reception' | 'ingestFolder'>,
    ): Transfer['transport'] => {
      const { reception = null, ingestFolder } = transfer
      if (!isKnown(transfer)) return { by: 'unknown', folder: null }
      if (!isOverInterface(transfer)) return { by: 'ingest folder', folder: ingestFolder }
      return { by: reception === null ? 'interface' : 'reception folder', folder: reception }
    },
    /**
     * As it is packed for the way that it goes: over the interface as one tar, or for each file a folder.
     * Until the way is known as one tar, which goes either way.
     */
    packingOf: (transfer: KeptTransfer): PackingSettings => {
      const { id, packing, form } = transfer
      if (!isKnown(transfer)) return { ...packing, form: 'tar' }
      if (!isOverInterface(transfer)) return inSentForm(packing, form.identifier === id)
      return inSentForm({ ...packing, form: packing.upload === 'each file' ? 'folder' : 'tar' }, false)
    },
    /** Whether this account may bring packages there at all. */
    mayBring: (archive: string): boolean => submissionAt(archive) !== 'not allowed',
    /** Whether this account may have the archive keep its own record of a transfer. */
    mayRecord: (archive: string): boolean => wayTo(capabilitiesOf(archive), 'transfers') === 'list',
    /** Whether this account may receive what it submitted, and have it preserved; else somebody else does. */
    mayReceive: (archive: string): boolean => submissionAt(archive) === 'whole',
  }
}
