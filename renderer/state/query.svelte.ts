import type { Failure } from '../../electron/contract/failure.ts'
import { failureOf } from './command.svelte.ts'

/**
 * A question to main with its latest answer. Asked again, it keeps showing the old answer; the newest
 * question wins.
 */
export class Query<T> {
  value = $state.raw<T>()
  failure = $state.raw<Failure>()
  loading = $state(false)
  #turn = 0
  #ask: () => Promise<T>

  constructor(ask: () => Promise<T>) {
    this.#ask = ask
    this.refresh()
  }

  /** Whether there is an answer, or a failure in its place. */
  get isAnswered(): boolean {
    return this.value !== undefined || this.failure !== undefined
  }

  /** Asks again. */
  refresh = (): void => {
    this.refreshed().catch((error: unknown) => (this.failure = failureOf(error)))
  }

  /** Asks again, and waits for the answer or its failure, which stand here afterwards. */
  refreshed = async (): Promise<void> => {
    this.#turn += 1
    const turn = this.#turn
    this.loading = true
    try {
      const value = await this.#ask()
      if (turn !== this.#turn) return
      this.value = value
      this.failure = undefined
    } catch (error) {
      if (turn === this.#turn) this.failure = failureOf(error)
    } finally {
      if (turn === this.#turn) this.loading = false
    }
  }
}
