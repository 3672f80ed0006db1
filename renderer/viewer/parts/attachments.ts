import './attachments.css'
import type { Content } from '../content.ts'
import { element } from '../element.ts'
import type { Stage } from '../kind.ts'

/** More files in a file are not listed. */
const mostListed = 500

/** The files that lie in this one, each of which opens. */
export const attachmentsOf = (contents: readonly Content[], { say, open, language }: Stage) => {
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const sizeOf = (bytes: number) =>
    bytes < 1_000_000 ? `${numbers.format(Math.ceil(bytes / 1000))} kB` : `${numbers.format(bytes / 1e6)} MB`
  const items = contents.slice(0, mostListed).map((content) => {
    const button = element(
      'button',
      { type: 'button' },
      content.name,
      element('small', {}, sizeOf(content.bytes)),
    )
    button.addEventListener('click', () => open(content))
    return element('li', {}, button)
  })
  return element(
    'nav',
    { class: 'attachments', 'aria-label': say.attachments },
    element('h2', {}, say.attachments),
    element('ul', {}, ...items),
  )
}
