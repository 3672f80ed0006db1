/**
 * Asks for what changes faster than it is answered, as while somebody types: one question at a time, and of
 * those that come meanwhile only the last.
 */
export class Latest<Question, Answer> {
  answer = $state.raw<Answer>()
  #turn = 0
  #next: { question: Question } | undefined
  #asking: Promise<void> | undefined
  #ask: (question: Question) => Promise<Answer>

  constructor(ask: (question: Question) => Promise<Answer>) {
    this.#ask = ask
  }

  /**
   * Ends once the last question was answered, whichever that is by then.
   * @throws what the last question ended with
   */
  ask = (question: Question): Promise<void> => {
    this.#turn += 1
    this.#next = { question }
    this.#asking ??= this.#askAll()
    return this.#asking
  }

  /**
   * Asks the last question once more, since its answer may be another by now. What is answered meanwhile is
   * shown until then: news may come faster than answers.
   */
  askAgain = (question: Question): Promise<void> => {
    this.#next ??= { question }
    this.#asking ??= this.#askAll()
    return this.#asking
  }

  /** Whether an answer is under way. */
  get isAsking(): boolean {
    return this.#asking !== undefined
  }

  /** Nothing is asked any more, and what comes is not shown. */
  forget = (): void => {
    this.#turn += 1
    this.answer = undefined
    this.#next = undefined
  }

  #askAll = async () => {
    try {
      for (let asked = this.#taken(); asked; asked = this.#taken()) await this.#askOne(asked.question)
    } finally {
      this.#asking = undefined
    }
  }

  #askOne = async (question: Question) => {
    const turn = this.#turn
    try {
      const answer = await this.#ask(question)
      // An answer to what was asked before is not shown any more.
      if (turn === this.#turn) this.answer = answer
    } catch (error) {
      // Nobody wants to know any more why that was not answered.
      if (turn === this.#turn) throw error
    }
  }

  #taken = () => {
    const next = this.#next
    this.#next = undefined
    return next
  }
}
