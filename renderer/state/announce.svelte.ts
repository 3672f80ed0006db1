import type { Failure } from '../../electron/contract/failure.ts'

/** What can be done about it at once: undo it, or look at it. */
interface Act {
  text: () => string
  run: () => unknown
}

const nothing = () => ''

/**
 * What just happened, said once at the foot of the window and to screen readers; an undo, or a way to see it,
 * may go with it. What went well goes by itself, what failed stays until somebody has done with it. Whoever
 * chooses another language meanwhile reads it in that.
 */
class Announcement {
  #said = $state.raw(nothing)
  act = $state.raw<Act>()
  failure = $state.raw<Failure>()
  /** What the page shows anyway, said to screen readers alone. */
  aloud = $state('')
  #timer: ReturnType<typeof setTimeout> | undefined

  get text(): string {
    return this.#said()
  }
  say = (text: () => string, act?: Act) => {
    this.clear()
    this.#said = text
    this.act = act
    this.#timer = setTimeout(this.clear, act ? 15_000 : 6_000)
  }
  /**
   * Says that something failed which has no place of its own on the page, or none any more: until it is
   * cleared, or something else is said or ordered.
   */
  fail = (failure: Failure) => {
    this.clear()
    this.failure = failure
  }
  /** Lets what is said stay: somebody is about to do something about it. */
  stay = () => clearTimeout(this.#timer)
  /** Says to screen readers what everybody else sees change; what is said on the page stays. */
  sayAloud = (text: string) => {
    this.aloud = text
  }
  clear = () => {
    clearTimeout(this.#timer)
    this.failure = undefined
    this.#said = nothing
    this.act = undefined
  }
}

export const announcement = new Announcement()
