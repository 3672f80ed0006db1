import { readWhole, TooLarge } from '../content.ts'
import { element } from '../element.ts'
import { Undrawable, type Stage } from '../kind.ts'
import { readableAddress } from '../formats/percent.ts'
import { sentIn, type Capture } from '../formats/warc.ts'
import { isPage, type Index } from './captures.ts'
import { timeFormat } from './numbers.ts'
import { letterFinder } from './letter-finder.ts'
import { drawPage } from './web-page.ts'

/** Shows a captured page in place of the list; what is no page is shown as a file in the archive. */
export const pageOf = (stage: Stage, index: Index, showList: () => void) => {
  const { root, say, language, open, note, stands, signal } = stage
  let shown: Awaited<ReturnType<typeof drawPage>> | undefined
  const timeIn = timeFormat(language, 'UTC')
  const neighbour = async (address: string) => {
    const capture = index.find(address)
    return capture !== undefined ? { content: await sentIn(capture), type: capture.type } : undefined
  }
  const linksOf = (links: { text: string; address: string }[]) => {
    const captured = links.flatMap(({ text, address }) => {
      const capture = index.find(address)
      if (!capture) return []
      const button = element(
        'button',
        { type: 'button' },
        text || readableAddress(address),
        element('small', {}, readableAddress(address)),
      )
      button.addEventListener('click', () => show(capture))
      return [element('li', {}, button)]
    })
    if (captured.length === 0) return []
    const summary = element('summary', { class: 'action' }, say.web.links(captured.length))
    return [element('details', { class: 'page-links' }, summary, element('ul', {}, ...captured))]
  }
  const draw = async (capture: Capture) => {
    const { address, date, sameAs } = capture
    const source = sameAs === '' ? capture : index.find(sameAs)
    if (!source) return note(say.web.sameElsewhere(readableAddress(address)))
    const content = await sentIn(source)
    if (!isPage(source)) return open(content)
    const page = await drawPage(await readWhole(content), {
      stage,
      name: address,
      neighbours: { address, find: neighbour },
    })
    if (signal.aborted) return
    const back = element('button', { type: 'button', class: 'action' }, say.web.back)
    back.addEventListener('click', showList)
    const bar = element(
      'div',
      { class: 'page-bar' },
      back,
      element('span', { class: 'address', title: address }, readableAddress(address)),
      element('span', { class: 'date' }, `${timeIn(new Date(date))} UTC`),
      ...linksOf(page.links),
    )
    shown = page
    root.replaceChildren(bar, page.frame)
    back.focus()
  }
  const show = (capture: Capture) => {
    draw(capture).catch((error: unknown) => {
      const isTooMuch =
        error instanceof TooLarge || (error instanceof Undrawable && error.trouble === 'too complex')
      note((isTooMuch ? say.web.tooLarge : say.web.unreadable)(readableAddress(capture.address)))
    })
  }
  const find = letterFinder(() => shown, stands)
  return {
    show,
    leave: () => {
      shown = undefined
    },
    /** What can be done with the page that is shown; undefined where none is. */
    controls: () => shown && { find, text: () => shown?.text ?? '' },
  }
}
