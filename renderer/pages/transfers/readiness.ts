import { entryIn } from '../../../electron/common/records.ts'
import type { Capabilities } from '../../../electron/contract/capabilities.ts'
import { isWholeEmail } from '../../../electron/contract/email.ts'
import { isSubmissible } from '../../../electron/contract/identifier.ts'
import type { PackingObstacles } from '../../../electron/contract/survey.ts'
import type { DraftProfile, Transfer } from '../../../electron/contract/transfers.ts'
import { say, shown } from '../../language/say.svelte.ts'
import { isStopped } from './packing-troubles.ts'

/** It left this desk, or is leaving it: what it says of itself stands. */
export const wasSent = ({ state, times }: Transfer): boolean => state === 'sending' || times.sent !== null

/** How a transfer comes to the archive; a drive is taken where it is faster, which shows when it is sent. */
export const wayOf = (transfer: Transfer): keyof typeof say.transfers.ways => {
  const { by } = transfer.transport
  return by === 'interface' && !transfer.form.generationOf && !wasSent(transfer) ? 'open' : by
}

/** What a draft lacks of its format, by words; what else its profile asks for is listed with that. */
const lackedByProfile = (problems: DraftProfile['problems']): string[] => {
  const { missing } = say.transfers
  const named: Record<string, string> = { OBJID: missing.identifier, submitter: missing.submitter }
  return problems.map(({ rule }) => entryIn(named, rule) ?? missing.profile)
}

/** Why a draft cannot be packed yet, as a sentence; empty where it can. */
export const whyNotPack = (transfer: Transfer, obstacles: PackingObstacles | undefined): string => {
  const { form, handedOver, sources, isOverInterface, profile } = transfer
  if (handedOver !== null) return say.packing.handedOver(shown.moment(handedOver))
  const { missing } = say.transfers
  const needed = [
    ...(form.name.trim() === '' ? [missing.name] : []),
    ...(sources.length === 0 ? [missing.contents] : []),
    ...(isWholeEmail(form.email) ? [] : [missing.email]),
    ...(isOverInterface && !isSubmissible(form) ? [missing.identifier] : []),
    ...lackedByProfile(profile?.problems ?? []),
    ...(isStopped(transfer, obstacles) ? [missing.readable] : []),
    ...(obstacles?.shortage ? [missing.room] : []),
  ]
  return needed.length === 0 ? '' : say.transfers.needs([...new Set(needed)])
}

/**
 * Why what is packed cannot be sent yet, as a sentence; empty where it can.
 * @param submission what the archive allows one to bring
 * @param lacking labels of what the agreement needs and nobody has filled in
 */
export const whyNotSend = (
  transfer: Transfer,
  submission: Capabilities['submission'] | undefined,
  lacking: readonly string[],
): string => {
  const { form, handedOver, isOverInterface } = transfer
  if (handedOver !== null) return say.packing.handedOver(shown.moment(handedOver))
  const { missing, needs } = say.transfers
  if (isOverInterface && submission === 'not allowed') return needs([missing.permission])
  if (form.generationOf) return submission === 'until submitted' ? needs([missing.permission]) : ''
  if (!isOverInterface) return form.delivery === '' ? needs([missing.delivery]) : ''
  const needed = form.agreement === '' ? [missing.agreement] : lacking
  return needed.length === 0 ? '' : needs(needed)
}

/** What a draft can be packed without, and not sent, as a sentence. */
export const neededToSend = ({ form, state, isOverInterface }: Transfer): string => {
  const { generationOf, agreement, delivery } = form
  if (state !== 'draft' || generationOf || (isOverInterface ? agreement : delivery) !== '') return ''
  const { missing } = say.transfers
  return say.transfers.needsToSend(isOverInterface ? missing.agreement : missing.delivery)
}
