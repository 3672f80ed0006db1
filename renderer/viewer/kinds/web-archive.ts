import type { Content } from '../content.ts'
import { element } from '../element.ts'
import type { Controls, Draw, Stage } from '../kind.ts'
import { capturesOf, sentIn, type Capture } from '../formats/warc.ts'
import { readWhole } from '../content.ts'
import { countIn, sizeIn, timeFormat } from '../parts/numbers.ts'
import type { OutlineRow } from '../parts/outline-rows.ts'
import { outlineOf } from '../parts/outline.ts'
import { pause } from '../parts/pause.ts'
import { progressLine } from '../parts/progress.ts'
import { drawPage } from '../parts/web-page.ts'

interface CaptureRow extends OutlineRow {
  capture: Capture
}

const mostCaptures = 200_000
const betweenMs = 250
/** What is shown of an archive: the pages, or everything that was captured. */
const orders = ['pages', 'all'] as const
type Order = (typeof orders)[number]

const isPage = ({ type, status, record }: Capture) =>
  /^(text\/html|application\/xhtml)/i.test(type) && (status === 200 || record === 'resource')
const isContent = ({ record }: Capture) => ['response', 'resource', 'revisit', 'conversion'].includes(record)
const withoutFragment = (address: string) => address.replace(/#.*$/, '')

/** What is read of an archive so far: its pages, and what belongs to them. */
const indexOf = ({ language }: Stage) => {
  const rows: Record<Order, CaptureRow[]> = { pages: [], all: [] }
  const byAddress = new Map<string, Capture>()
  const timeIn = timeFormat(language, 'UTC')
  let isFull = false
  return {
    rows,
    isFull: () => isFull,
    find: (address: string) => byAddress.get(withoutFragment(address)),
    add: (capture: Capture) => {
      if (!isContent(capture)) return
      isFull = rows.all.length >= mostCaptures
      if (isFull) return
      const { address, status, type, date, bytes } = capture
      const row: CaptureRow = {
        depth: 0,
        label: address,
        values: [
          status === 0 ? '' : String(status),
          type.replace(/;.*$/, ''),
          sizeIn(language, bytes),
          timeIn(new Date(date)),
        ],
        capture,
      }
      rows.all.push(row)
      if (isPage(capture)) rows.pages.push(row)
      const known = byAddress.get(withoutFragment(address))
      // Of what was captured twice the first that is there is taken.
      if (known?.status !== 200) byAddress.set(withoutFragment(address), capture)
    },
  }
}
type Index = ReturnType<typeof indexOf>

/** Shows a captured page in place of the list; what is no page is shown as a file in the archive. */
const pageOf = (stage: Stage, index: Index, showList: () => void) => {
  const { root, say, language, open, note, signal } = stage
  const timeIn = timeFormat(language, 'UTC')
  const find = async (address: string) => {
    const capture = index.find(address)
    return capture !== undefined ? { content: await sentIn(capture), type: capture.type } : undefined
  }
  const linksOf = (links: { text: string; address: string }[]) => {
    const captured = links.flatMap(({ text, address }) => {
      const capture = index.find(address)
      if (!capture) return []
      const button = element('button', { type: 'button' }, text || address, element('small', {}, address))
      button.addEventListener('click', () => show(capture))
      return [element('li', {}, button)]
    })
    if (captured.length === 0) return []
    const summary = element('summary', { class: 'action' }, say.web.links(captured.length))
    return [element('details', { class: 'page-links' }, summary, element('ul', {}, ...captured))]
  }
  const draw = async (capture: Capture) => {
    const content = await sentIn(capture)
    if (!isPage(capture)) return open(content)
    const { address, date } = capture
    const page = await drawPage(await readWhole(content), {
      stage,
      name: address,
      neighbours: { address, find },
    })
    if (signal.aborted) return
    const back = element('button', { type: 'button', class: 'action' }, say.web.back)
    back.addEventListener('click', showList)
    const bar = element(
      'div',
      { class: 'page-bar' },
      back,
      element('span', { class: 'address', title: address }, address),
      element('span', { class: 'date' }, `${timeIn(new Date(date))} UTC`),
      ...linksOf(page.links),
    )
    root.replaceChildren(bar, page.frame)
    back.focus()
  }
  const show = (capture: Capture) => {
    draw(capture).catch(() => note(say.web.unreadable(capture.address)))
  }
  return show
}

/** Reads on, as long as others may wait. */
const reads = (content: Content, index: Index) => {
  const captures = capturesOf(content)
  return async () => {
    for (const end = performance.now() + betweenMs; performance.now() < end;) {
      const next = await captures.next()
      if (next.done || index.isFull()) return false
      index.add(next.value)
    }
    return true
  }
}

/** What was captured of the web: a list of the pages, each drawn from what lies in the archive alone. */
export const draw: Draw = async (content, stage) => {
  const { root, say, language, addFacts, note, stands, signal } = stage
  const index = indexOf(stage)
  const readSome = reads(content, index)
  let isMore = await readSome().catch((error: unknown) => {
    if (index.rows.all.length === 0) throw error
    note(say.web.broken)
    return false
  })
  const progress = progressLine()
  const showPage = pageOf(stage, index, () => list())
  let order: Order = index.rows.pages.length > 0 || isMore ? 'pages' : 'all'
  const makeOutline = () =>
    outlineOf({
      name: say.web.captured,
      stage,
      rows: index.rows[order],
      heading: say.web.address,
      columns: [
        { label: say.web.status, width: '64px', isNumber: true },
        { label: say.elements.format, width: '140px' },
        { label: say.folder.size, width: '90px', isNumber: true },
        { label: `${say.elements.date} (UTC)`, width: '160px' },
      ],
      open: ({ capture }) => showPage(capture),
    })
  let outline = makeOutline()
  const list = () => {
    outline = makeOutline()
    root.replaceChildren(outline.element, progress.element)
    stands({
      choices: [
        { name: 'order', values: orders.map((value) => ({ value, label: say.web[value] })), chosen: order },
      ],
    })
  }
  root.classList.add('filled')
  list()
  const goOn = async () => {
    while (isMore && !signal.aborted) {
      progress.say(say.web.reading(countIn(language, index.rows.all.length)))
      await pause()
      isMore = await readSome()
      outline.grown()
    }
    progress.say('')
  }
  const end = () =>
    addFacts(
      { name: 'webPages', value: countIn(language, index.rows.pages.length) },
      { name: 'captures', value: countIn(language, index.rows.all.length) },
    )
  goOn()
    .catch(() => {
      progress.say('')
      note(say.web.broken)
    })
    .finally(end)
  const controls: Controls = {
    find: (text, isBackwards) => outline.controls.find(text, isBackwards),
    text: () => outline.controls.text(),
    choose: (name, value) => {
      if (name !== 'order') return
      order = value === 'all' ? 'all' : 'pages'
      list()
    },
  }
  return controls
}
