import type { AgreementField } from '../../../electron/contract/agreements.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { Query } from '../../state/query.svelte.ts'

/**
 * Where a transfer may go in its archive, and what is wanted there of it: asked once for all that shows it.
 */
export class Destinations {
  readonly deliveries
  readonly agreements
  /** What the agreement asks for; undefined until it is known, null where the archive cannot be asked now. */
  fields = $state.raw<AgreementField[] | null>()
  /** The local copy does not know the fields: room is kept for them, so that they move nothing. */
  isRoomKept = $state(false)
  readonly #desk: ArchiveDesk
  #turn = 0
  #agreement = ''

  /** @param isOverInterface whether packages go to the archive under an agreement */
  constructor(desk: ArchiveDesk, isOverInterface: () => boolean) {
    this.#desk = desk
    this.deliveries = new Query(() => desk.transfers.deliveries())
    this.agreements = new Query(() => (isOverInterface() ? desk.transfers.agreements() : Promise.resolve([])))
  }

  /** Asks for the fields of an agreement, of the archive only where the local copy does not know them. */
  askFields = async (agreement: string): Promise<void> => {
    this.#turn += 1
    const turn = this.#turn
    const answer = await this.#desk.transfers.agreementFields({ agreement, from: 'local copy' })
    if (turn !== this.#turn) return
    this.isRoomKept = answer === null
    // Somebody may type in fields of the same agreement that the archive gave before.
    if (answer !== null || agreement !== this.#agreement) this.fields = answer ?? undefined
    this.#agreement = agreement
    if (answer !== null) return
    // What was typed stays, and the agreement's own values hold.
    const asked = await this.#desk.transfers.agreementFields({ agreement, from: 'archive' }).catch(() => null)
    if (turn === this.#turn) this.fields = asked ?? this.fields ?? null
  }

  /** Nothing is asked for. */
  forgetFields = (): void => {
    this.#turn += 1
    this.#agreement = ''
    this.fields = []
    this.isRoomKept = false
  }
}
