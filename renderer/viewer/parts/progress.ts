import './progress.css'
import { element } from '../element.ts'

/** A line that says how far something is that goes on meanwhile; without a sentence there is none. */
export const progressLine = () => {
  const line = element('p', { class: 'progress', role: 'status' })
  line.hidden = true
  return {
    element: line,
    say: (sentence: string) => {
      line.hidden = sentence === ''
      line.textContent = sentence
    },
  }
}
