import { Failed, type Failure } from '../../electron/contract/failure.ts'

/** What an error is to a person: the failure it carries, or a bug of ours. */
export const failureOf = (error: unknown): Failure =>
  error instanceof Failed
    ? error.failure
    : { kind: 'bug', reference: error instanceof Error ? error.message : String(error) }

/** Orders given to main one after the other, with what became of the last: nothing that needs saying, or a failure. */
export class Attempt {
  failure = $state.raw<Failure>()

  do = async (work: () => Promise<unknown>): Promise<void> => {
    this.failure = undefined
    try {
      await work()
    } catch (error) {
      this.failure = failureOf(error)
    }
  }
}

/** A question to main with its latest answer. Asked again, it keeps showing the old answer; the newest question wins. */
export class Query<T> {
  value = $state.raw<T>()
  failure = $state.raw<Failure>()
  loading = $state(false)
  #turn = 0
  #ask: () => Promise<T>

  constructor(ask: () => Promise<T>) {
    this.#ask = ask
    void this.refresh()
  }

  refresh = async () => {
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
