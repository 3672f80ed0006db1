import { entryIn } from '../../../electron/common/records.ts'
import '../parts/bytes.css'
import type { Content } from '../content.ts'
import { element } from '../element.ts'
import type { Draw, Stage } from '../kind.ts'
import { placesIn, wantedBytes } from '../formats/byte-search.ts'
import { readableStrings } from '../formats/readable-strings.ts'
import { signatureOf } from '../formats/signatures.ts'
import { finderOf } from '../parts/finder.ts'
import { countIn } from '../parts/numbers.ts'
import { pause } from '../parts/pause.ts'
import { virtualRows } from '../parts/virtual-rows.ts'

const perLine = 16
const rowHeight = 22
const signatureBytes = 36 * 1024
const copiedBytes = 4096
const searchedBytes = 1024 * 1024
const longestWords = 256

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const printable = (byte: number) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')

/** The place of a line, its bytes, and what of them can be printed. */
const lineOf = (bytes: Uint8Array, place: number) => {
  const line = [...bytes]
  const digits = line.map((byte) => hex(byte, 2)).join(' ')
  return `${hex(place, 8)}  ${digits.padEnd(perLine * 3)} ${line.map(printable).join('')}`
}

/** Lines of bytes, of which those that are seen are read. */
const linesOf = (content: Content, { say, signal }: Stage) => {
  let chosen = -1
  let turn = 0
  const list = virtualRows({
    rowHeight,
    fill: (first, end) => {
      turn += 1
      const mine = turn
      const show = async () => {
        const bytes = await content.read(first * perLine, end * perLine)
        if (mine !== turn || signal.aborted) return
        const lines = Array.from({ length: Math.ceil(bytes.length / perLine) }, (_, index) =>
          element(
            'div',
            { class: 'byte-line', role: 'listitem', 'data-chosen': first + index === chosen },
            lineOf(bytes.subarray(index * perLine, (index + 1) * perLine), (first + index) * perLine),
          ),
        )
        list.body.replaceChildren(...lines)
      }
      show().catch(reportError)
    },
    signal,
  })
  list.body.setAttribute('role', 'list')
  list.element.setAttribute('aria-label', say.bytes.name)
  list.element.setAttribute('role', 'region')
  list.element.classList.add('bytes')
  const count = Math.ceil(content.bytes / perLine)
  const pages: Record<string, () => void> = {
    ArrowDown: () => list.scrollBy(rowHeight),
    ArrowUp: () => list.scrollBy(-rowHeight),
    PageDown: () => list.scrollBy(list.seen().count * rowHeight),
    PageUp: () => list.scrollBy(-list.seen().count * rowHeight),
    Home: () => list.reveal(0),
    End: () => list.reveal(count - 1),
  }
  list.element.addEventListener('keydown', (event) => {
    const does = event.altKey || event.metaKey ? undefined : entryIn(pages, event.key)
    if (!does) return
    does()
    event.preventDefault()
  })
  list.setCount(count)
  return {
    list,
    show: (place: number) => {
      chosen = Math.floor(place / perLine)
      list.reveal(chosen, 0.3)
      list.refresh()
    },
  }
}

/** What of the beginning can be read, below its bytes; pressing a line shows where it stands. */
const stringsOf = (beginning: Uint8Array, { say }: Stage, show: (place: number) => void): Node[] => {
  const strings = readableStrings(beginning)
  if (strings.length === 0) return []
  const heading = element('h2', { id: 'strings' }, say.bytes.strings)
  const lines = strings.map(({ place, text }) => {
    const button = element('button', { type: 'button' }, element('span', {}, hex(place, 8)), text)
    button.addEventListener('click', () => show(place))
    return element('li', {}, button)
  })
  return [
    element(
      'section',
      { class: 'strings', 'aria-labelledby': 'strings' },
      heading,
      element('ul', {}, ...lines),
    ),
  ]
}

/** Any file, byte by byte: the lines that are seen are read. */
export const draw: Draw = async (content, stage) => {
  const { root, note, say, addFacts, language, stands, signal } = stage
  const beginning = await content.read(0, signatureBytes)
  const signature = signatureOf(beginning)
  note(signature ? say.bytes.known(signature.name) : say.unknownKind)
  addFacts(
    { name: 'format', value: signature?.name ?? '' },
    { name: 'pronom', value: signature?.pronom ?? '' },
  )
  addFacts({ name: 'bytes', value: countIn(language, content.bytes) })
  const { list, show } = linesOf(content, stage)
  root.classList.add('filled')
  root.append(list.element, ...stringsOf(beginning, stage, show))
  const find = finderOf<number>({
    async *scan(words, over) {
      const wanted = wantedBytes(words.slice(0, longestWords))
      for (let from = 0; from < content.bytes && !over.aborted; from += searchedBytes) {
        const bytes = await content.read(from, from + searchedBytes + wanted.length - 1)
        yield placesIn(bytes, wanted, from)
        await pause()
      }
    },
    isAhead: (place) => place / perLine >= list.seen().first,
    show,
    mark: () => undefined,
    stands,
    signal,
  })
  const lines = Array.from(
    { length: Math.ceil(Math.min(copiedBytes, beginning.length) / perLine) },
    (_, index) => lineOf(beginning.subarray(index * perLine, (index + 1) * perLine), index * perLine),
  )
  return { find, text: () => lines.join('\n') }
}
