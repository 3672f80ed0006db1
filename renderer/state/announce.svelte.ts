/** What just happened, said once at the foot of the window and to screen readers; an undo may go with it. */
class Announcement {
  text = $state('')
  undo = $state.raw<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  say = (text: string, undo?: () => void) => {
    clearTimeout(this.#timer)
    this.text = text
    this.undo = undo
    this.#timer = setTimeout(this.clear, undo ? 15_000 : 6_000)
  }
  clear = () => {
    this.text = ''
    this.undo = undefined
  }
}

export const announcement = new Announcement()
