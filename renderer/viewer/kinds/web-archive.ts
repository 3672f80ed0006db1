import { readWhole, type Content } from '../content.ts'
import type { Controls, Draw } from '../kind.ts'
import { capturesOf, sentIn, type Capture } from '../formats/warc.ts'
import { pageOf } from '../parts/captured-page.ts'
import { indexOf, isPage, orders, type Index, type Order } from '../parts/captures.ts'
import { countIn } from '../parts/numbers.ts'
import { outlineOf } from '../parts/outline.ts'
import { pause } from '../parts/pause.ts'
import { progressLine } from '../parts/progress.ts'
import { wordsOfPage } from '../parts/web-page.ts'
import { noteRest } from '../trouble.ts'

const betweenMs = 250

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

const wordsOf = async (capture: Capture) => wordsOfPage(await readWhole(await sentIn(capture)))

/** What was captured of the web: a list of the pages, each drawn from what lies in the archive alone. */
export const draw: Draw = async (content, stage) => {
  const { root, say, language, addFacts, stands, signal } = stage
  const index = indexOf(stage)
  const readSome = reads(content, index)
  let isMore = await readSome().catch((error: unknown) => {
    if (index.rows.all.length === 0) throw error
    noteRest(stage, error, say.web.broken)
    return false
  })
  const progress = progressLine()
  const pages = pageOf(stage, index, () => list())
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
      open: ({ capture }) => pages.show(capture),
      // What cannot be read has no words; it says so where it is opened.
      searchedLater: ({ capture }) =>
        isPage(capture) ? wordsOf(capture).catch(() => '') : Promise.resolve(''),
      searching: (percent) => progress.say(percent === undefined ? '' : say.web.searching(percent)),
    })
  let outline = makeOutline()
  const list = () => {
    pages.leave()
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
    .catch((error: unknown) => {
      progress.say('')
      noteRest(stage, error, say.web.broken)
    })
    .finally(end)
  const controls: Controls = {
    find: (text, isBackwards) => (pages.controls() ?? outline.controls).find(text, isBackwards),
    text: () => (pages.controls() ?? outline.controls).text(),
    choose: (name, value) => {
      if (name !== 'order') return
      order = value === 'all' ? 'all' : 'pages'
      list()
    },
  }
  return controls
}
