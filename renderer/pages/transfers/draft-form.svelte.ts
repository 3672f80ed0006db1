import { onDestroy } from 'svelte'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { Transfer } from '../../../electron/contract/transfers.ts'
import { announcement } from '../../state/announce.svelte.ts'
import { failureOf } from '../../state/command.svelte.ts'
import { shownDesk } from '../../state/desk.svelte.ts'

/** Milliseconds after the last key until what was typed is saved. */
const waitMs = 250

/**
 * What is said of a transfer before it is sent. What is typed is the truth: main keeps it, and does not write
 * over it while the page is open. It is made by a component, and saves what is unsaved when that is left.
 */
export class DraftForm {
  readonly #desk = shownDesk()
  // What is still unsaved when the page is left belongs to this transfer, whichever is shown next.
  readonly #id: string
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<unknown> = Promise.resolve()
  #isLeft = false
  readonly values: Transfer['form']
  isSaving = $state(false)
  failure = $state.raw<Failure>()

  constructor({ id, form }: Transfer) {
    this.#id = id
    this.values = $state({ ...form, tags: { ...form.tags } })
    onDestroy(() => {
      this.#isLeft = true
      if (this.#timer !== undefined) this.save()
    })
  }

  /** Saves at once. */
  save = () => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.isSaving = true
    const saving = this.#desk.transfers
      .save({ id: this.#id, form: $state.snapshot(this.values) })
      .then(() => (this.failure = undefined))
      .catch((error: unknown) => this.#fail(failureOf(error)))
      // Saved is what is on disk: not while more was typed, or a later save is under way.
      .finally(() => (this.isSaving = this.#timer !== undefined || this.#saving !== saving))
    this.#saving = saving
  }

  #fail(failure: Failure) {
    this.failure = failure
    if (this.#isLeft) announcement.fail(failure)
  }

  /** Saves when nothing was typed for a moment. */
  typed = () => {
    this.isSaving = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.save, waitMs)
  }

  /** Resolves once everything typed is on disk. @throws Failed where it could not be laid there */
  saved = async (): Promise<void> => {
    if (this.#timer !== undefined || this.failure) this.save()
    await this.#saving
    if (this.failure) throw new Failed(this.failure)
  }
}
