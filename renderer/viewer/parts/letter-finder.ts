import type { Standing } from '../messages.ts'
import type { DrawnLetter } from './letter.ts'

/** A letter, or a page that is drawn as one is. */
type Marked = Pick<DrawnLetter, 'mark'>

/** Goes from one place to the next in what is shown. */
export const letterFinder = (shown: () => Marked | undefined, stands: (standing: Standing) => void) => {
  let words = ''
  let place = 0
  let before: Marked | undefined
  return (text: string, isBackwards: boolean) => {
    const letter = shown()
    if (!letter) return
    const isSame = text === words && letter === before
    const count = letter.mark(text, -1)
    place = isSame && count > 0 ? (place + (isBackwards ? -1 : 1) + count) % count : 0
    words = text
    before = letter
    if (count > 0) letter.mark(text, place)
    if (text !== '')
      stands({ found: { number: count === 0 ? 0 : place + 1, of: count, isIncomplete: false } })
  }
}
