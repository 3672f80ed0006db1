/** What can be done about it at once: undo it, or look at it. */
interface Act {
  text: string
  run: () => void
}

/** What just happened, said once at the foot of the window and to screen readers; an undo, or a way to see it, may go with it. */
class Announcement {
  text = $state('')
  act = $state.raw<Act>()
  #timer: ReturnType<typeof setTimeout> | undefined

  say = (text: string, act?: Act) => {
    clearTimeout(this.#timer)
    this.text = text
    this.act = act
    this.#timer = setTimeout(this.clear, act ? 15_000 : 6_000)
  }
  clear = () => {
    this.text = ''
    this.act = undefined
  }
}

export const announcement = new Announcement()
