/**
 * Asks for what changes faster than it is answered, as while somebody types: one question at a time, and of
 * those that come meanwhile only the last.
 */
export class Latest<Question, Answer> {
  answer = $state.raw<Answer>()
  #isAsking = false
  #turn = 0
  #next: { question: Question } | undefined
  #ask: (question: Question) => Promise<Answer>

  constructor(ask: (question: Question) => Promise<Answer>) {
    this.#ask = ask
  }

  /** @throws what the last question ended with */
  ask = async (question: Question): Promise<void> => {
    this.#turn += 1
    this.#next = { question }
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      // An answer to what was asked before is not shown any more.
      for (let asked = this.#taken(); asked; asked = this.#taken()) {
        const turn = this.#turn
        const answer = await this.#ask(asked.question)
        if (turn === this.#turn) this.answer = answer
      }
    } finally {
      this.#isAsking = false
    }
  }

  /** Nothing is asked any more, and what comes is not shown. */
  forget = (): void => {
    this.#turn += 1
    this.answer = undefined
    this.#next = undefined
  }

  #taken = () => {
    const next = this.#next
    this.#next = undefined
    return next
  }
}
