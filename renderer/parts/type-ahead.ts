import { announcement } from '../state/announce.svelte.ts'
import { Command } from '../state/command.svelte.ts'

/** So long a next letter belongs to the word that was begun. */
const typingMs = 800

interface TypeAhead {
  /** The line that keys act on. */
  active: () => number
  /** The line of the next row that begins so, from a line on and then from the top. */
  find: (begins: string, from: number) => Promise<number | undefined> | number | undefined
  move: (line: number) => void
}

/** Goes to the next row that begins as somebody types. */
export const openTypeAhead = ({ active, find, move }: TypeAhead) => {
  const typing = new Command(announcement.fail)
  let typed = ''
  let typedAt = -Infinity
  let presses = 0
  const goTo = async (key: string, now: number, otherwise: (() => void) | undefined) => {
    typed = now - typedAt > typingMs ? key : typed + key
    typedAt = now
    const press = presses
    const next = await find(typed, typed.length === 1 ? active() + 1 : active())
    // An answer that comes after another key, whatever it did, is no answer to that one.
    if (press !== presses) return
    if (next !== undefined) move(next)
    else if (otherwise) {
      typedAt = -Infinity
      otherwise()
    }
  }
  return {
    /** Counts a key, whatever it does. */
    count: () => void (presses += 1),
    /** Letters are of a word, and whatever follows them soon; signs and digits by themselves are commands. */
    isOfWord: ({ key, timeStamp }: KeyboardEvent): boolean =>
      key.length === 1 && (/\p{L}/u.test(key) || timeStamp - typedAt < typingMs),
    /** @param otherwise what the key does where no row begins so */
    type: ({ key, timeStamp }: KeyboardEvent, otherwise?: () => void) =>
      typing.change(() => goTo(key, timeStamp, otherwise)),
    /** Whatever else is done ends the word that was begun. */
    end: () => void (typedAt = -Infinity),
  }
}
