import { onDestroy } from 'svelte'
import { Failed, type Failure } from '../../electron/contract/failure.ts'
import { announcement } from './announce.svelte.ts'

/** What an error is to a person: the failure it carries, or a bug of ours. */
export const failureOf = (error: unknown): Failure =>
  error instanceof Failed
    ? error.failure
    : { kind: 'bug', reference: error instanceof Error ? error.message : String(error) }

/**
 * What a person orders from the page: whether it is under way, and how it failed last. The one place that
 * takes the promise of what somebody presses or types, so that none is dropped.
 */
export class Command {
  isRunning = $state(false)
  failure = $state.raw<Failure>()
  #turn = 0
  #show: (failure: Failure) => void = (failure) => (this.failure = failure)

  /** @param show who says a failure, where this is not shown beside a button */
  constructor(show?: (failure: Failure) => void) {
    if (show) this.#show = show
  }

  /**
   * Runs what a button stands for. While it is under way, pressing once more does nothing. Whoever orders
   * something else is done with what failed before; who only types on is not.
   */
  run = (work: () => unknown): void => {
    if (this.isRunning) return
    if (announcement.failure) announcement.clear()
    this.change(work)
  }

  /** Runs what a key stands for: one that is held down presses once. */
  press = ({ repeat }: KeyboardEvent, work: () => unknown): void => {
    if (!repeat) this.run(work)
  }

  /**
   * Sends what was typed or chosen. Every change is sent, and the outcome of the latest counts.
   * @param putBack shows what holds in place of what was chosen; it is called where the change failed
   */
  change = (work: () => unknown, putBack?: () => void): void => {
    this.#turn += 1
    const turn = this.#turn
    this.isRunning = true
    this.failure = undefined
    const run = async () => {
      await work()
    }
    run().then(
      () => {
        if (turn === this.#turn) this.isRunning = false
      },
      (error: unknown) => {
        if (turn === this.#turn) this.isRunning = false
        if (!(error instanceof Failed)) reportError(error)
        putBack?.()
        // A change that failed is said even if a later one went well: what it would have kept is not kept.
        this.#show(failureOf(error))
      },
    )
  }

  /** The place where a failure would stand is gone: from now on it is told otherwise. */
  leave = (show: (failure: Failure) => void): void => {
    this.#show = show
  }
}

/** A command whose failure stands on the component that opens it, and at the foot once that is left. */
export const openCommand = (): Command => {
  const command = new Command()
  onDestroy(() => command.leave(announcement.fail))
  return command
}
