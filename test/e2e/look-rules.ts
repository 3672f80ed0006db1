import type { Page } from '@playwright/test'

/** Something on a page that looks wrong: the element, and what about it. */
export type Fault = [element: string, what: string]

/** Edges in pixels, from the corner of the window. */
interface Box {
  left: number
  top: number
  right: number
  bottom: number
}
/** A piece of text with the lines that it stands on, as far as they are seen. */
interface Text {
  parent: Element
  lines: Box[]
}

/** Where a line of text, or a drawing, stands. */
interface Line {
  box: Box
  /** A drawing has none. */
  baseline?: number
}

/** Where what stands in elements is drawn, as far as that was found. */
type Frames = Map<Element, Box>

/*
 * What follows runs in the page, where its text is brought: these functions know one another and what a page
 * has, nothing else.
 */

function nameOf(element: Element): string {
  const { className } = element as { className: unknown }
  const classes = typeof className === 'string' ? className.replaceAll(/\s*svelte-\w+/g, '').trim() : ''
  const words = (element.getAttribute('aria-label') ?? element.textContent).replaceAll(/\s+/g, ' ').trim()
  const tag = [element.localName, ...classes.split(/\s+/).filter(Boolean)].join('.')
  return `${tag} “${words.slice(0, 40)}”`
}

function intersection(one: Box, other: Box): Box {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  }
}

/** Where what stands in an element is drawn: all else is cut off. What is for screen readers is not drawn. */
function frameOf(element: Element | null, known: Frames): Box {
  if (!element) return { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity }
  let frame = known.get(element)
  if (frame) return frame
  const { overflowX, overflowY, position, clipPath } = getComputedStyle(element)
  frame = frameOf(position === 'fixed' ? null : element.parentElement, known)
  if (clipPath !== 'none') frame = { left: 0, top: 0, right: 0, bottom: 0 }
  if (element !== document.body && overflowX !== 'visible') {
    const { left, right } = element.getBoundingClientRect()
    frame = intersection(frame, { ...frame, left, right })
  }
  if (element !== document.body && overflowY !== 'visible') {
    const { top, bottom } = element.getBoundingClientRect()
    frame = intersection(frame, { ...frame, top, bottom })
  }
  known.set(element, frame)
  return frame
}

/** Whether it is drawn, and not kept for screen readers alone. */
function isSeen(element: Element, known: Frames): boolean {
  const { left, top, right, bottom } = frameOf(element, known)
  return (
    left < right &&
    top < bottom &&
    // What lies below a view over the whole window.
    !element.closest('[inert]') &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  )
}

function texts(known: Frames): Text[] {
  const found: Text[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!parent || !node.nodeValue?.trim() || parent.matches('script, style, option, title')) continue
    if (!isSeen(parent, known)) continue
    const frame = frameOf(parent, known)
    range.selectNodeContents(node)
    const lines = [...range.getClientRects()]
      .map((line) => intersection(line, frame))
      .filter(({ left, top, right, bottom }) => right - left > 1 && bottom - top > 1)
    found.push({ parent, lines })
  }
  return found
}

/** By how much two boxes lie over one another, along the way on which that is less. */
function overlap(one: Box, other: Box): number {
  return Math.min(
    Math.min(one.right, other.right) - Math.max(one.left, other.left),
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
  )
}

/** Headings, tabs, buttons, column headings and names that are read as one stand on one line. */
function wrapped(all: Text[]): Fault[] {
  // What the archive calls its things is as long as it is.
  const onOneLine =
    'h1:not(.serif), h2, h3, [role=tab], button, [role=columnheader], th, nav a, .unbroken, ' +
    '.good, .warn, .bad, .plain'
  const blocks = new Map<Element, Text[]>()
  for (const text of all) {
    // A label that says what it means goes on in another line as any label does.
    if (!text.parent.closest(onOneLine) || text.parent.closest('.term')) continue
    let block = text.parent
    while (
      block.parentElement &&
      getComputedStyle(block).display.startsWith('inline') &&
      !block.matches(onOneLine)
    )
      block = block.parentElement
    blocks.set(block, [...(blocks.get(block) ?? []), text])
  }
  return [...blocks].flatMap(([block, pieces]): Fault[] => {
    const middles = pieces.flatMap(({ lines }) => lines.map(({ top, bottom }) => (top + bottom) / 2))
    const isWrapped = Math.max(...middles) - Math.min(...middles) > 8
    return isWrapped ? [[nameOf(block), 'wraps to a second line']] : []
  })
}

/** The heading of a list and what is done with the list stand in one row. */
function divided(): Fault[] {
  // At 200 % and 400 % a list has no room for both.
  if (window.innerWidth < 1000) return []
  return [...document.querySelectorAll('.bar:has(> h1)')].flatMap((bar): Fault[] => {
    const [heading, tools] = [bar.querySelector('h1'), bar.querySelector('.right')]
    if (!heading || !tools || heading.getBoundingClientRect().height === 0) return []
    const isBelow = tools.getBoundingClientRect().top >= heading.getBoundingClientRect().bottom
    return isBelow ? [[nameOf(heading), 'stands above its tools']] : []
  })
}

/** What is cut says the whole in its title, nothing scrolls sideways, and no box hides what stands in it. */
function cut(known: Frames): Fault[] {
  return [...document.querySelectorAll('*')].flatMap((element): Fault[] => {
    const [wide, high] = [
      element.scrollWidth - element.clientWidth > 1,
      element.scrollHeight - element.clientHeight > 1,
    ]
    // In a field one moves to the end of what was typed.
    if ((!wide && !high) || element.matches('input, textarea, select') || !isSeen(element, known)) return []
    const { overflowX, overflowY, textOverflow, display } = getComputedStyle(element)
    if (display === 'inline') return []
    const by = `${element.scrollWidth} in ${element.clientWidth} px`
    if (wide && textOverflow === 'ellipsis')
      return element.closest('[title]') ? [] : [[nameOf(element), `is cut without a title (${by})`]]
    // A table and a picture have two dimensions: zoomed in, they scroll in their own frame (WCAG 1.4.10).
    if (wide && innerWidth < 1000 && element.matches(':has(> .picture)')) return []
    if (wide && innerWidth < 400 && element.matches('table, [role=grid], [role=treegrid], :has(> table)'))
      return []
    if (wide && (overflowX === 'auto' || overflowX === 'scroll'))
      return [[nameOf(element), `scrolls sideways (${by})`]]
    if (wide && overflowX !== 'visible') return [[nameOf(element), `hides what stands in it (${by})`]]
    return high && (overflowY === 'hidden' || overflowY === 'clip')
      ? [[nameOf(element), `hides what is below (${element.scrollHeight} in ${element.clientHeight} px)`]]
      : []
  })
}

/** Whether none of two elements stands in something that is drawn over the rest of the page. */
function areSideBySide(one: Element, other: Element): boolean {
  const above = '[role=listbox], [popover], dialog'
  return one.closest(above) === other.closest(above)
}

/** No text leaves what it stands in, is smaller than 12 px, or lies over another. */
function misplaced(all: Text[]): Fault[] {
  const panels =
    'button, .good, .warn, .bad, .plain, .card, [role=gridcell], [role=columnheader], td, th, li, section, ' +
    'article, fieldset, [popover], dialog, header, nav, footer, main'
  const left = all.flatMap(({ parent, lines }): Fault[] => {
    const panel = parent.closest(panels)
    const box = panel?.getBoundingClientRect()
    // What only groups other things has no box.
    if (!panel || !box || getComputedStyle(panel).display === 'contents' || parent.closest('svg')) return []
    const isOut = (line: Box) =>
      line.left < box.left - 1 ||
      line.right > box.right + 1 ||
      (panel.matches('button, .good, .warn, .bad, .card') &&
        (line.top < box.top - 2 || line.bottom > box.bottom + 2))
    return lines.some(isOut) ? [[nameOf(parent), `leaves ${nameOf(panel)}`]] : []
  })
  const small = all.flatMap(({ parent }): Fault[] => {
    const scale = parent instanceof SVGGraphicsElement ? (parent.getScreenCTM()?.a ?? 1) : 1
    const size = parseFloat(getComputedStyle(parent).fontSize) * scale
    return size < 11.99 ? [[nameOf(parent), `is ${size} px`]] : []
  })
  const lines = all
    .flatMap((text) => text.lines.map((box) => ({ text, box })))
    .sort((one, other) => one.box.top - other.box.top)
  const over = lines.flatMap(({ text, box }, index): Fault[] => {
    const below = lines.slice(index + 1)
    const end = below.findIndex((other) => other.box.top > box.bottom)
    return below
      .slice(0, end < 0 ? undefined : end)
      .filter(
        (other) =>
          other.text !== text && areSideBySide(other.text.parent, text.parent) && overlap(box, other.box) > 3,
      )
      .map((other) => [nameOf(text.parent), `lies over ${nameOf(other.text.parent)}`])
  })
  return [...left, ...small, ...over]
}

/** What can be pressed is 24 px wide and high, and nothing else that can be pressed lies over it. */
function targets(known: Frames): Fault[] {
  const pressed =
    'a[href], button, input, select, textarea, summary, [role=option], [role=menuitem], ' +
    '[role=separator][tabindex]'
  const all = [...document.querySelectorAll(pressed)].flatMap((element) => {
    if (!isSeen(element, known)) return []
    const target = (element.matches('[type=checkbox], [type=radio]') && element.closest('label')) || element
    const whole = target.getBoundingClientRect()
    const box = intersection(whole, frameOf(target.parentElement, known))
    return box.left < box.right && box.top < box.bottom ? [{ element, target, whole, box }] : []
  })
  const small = all.flatMap(({ element, target, whole }): Fault[] => {
    if (whole.width >= 23.5 && whole.height >= 23.5) return []
    // A line that is dragged is thin; arrow keys move it as well, and the columns' menu puts it back.
    if (element.matches('.edge')) return []
    // A link in a sentence is as high as the line (WCAG 2.5.8, inline).
    const around = target.parentElement?.textContent.replace(target.textContent, '').trim()
    if (getComputedStyle(target).display === 'inline' && around) return []
    return [[nameOf(target), `is ${Math.round(whole.width)} × ${Math.round(whole.height)} px to press`]]
  })
  // A link in a sentence may go on in another line; the box around both holds more than it.
  const blocks = all.filter(({ target }) => getComputedStyle(target).display !== 'inline')
  const over = blocks.flatMap(({ target, box }, index): Fault[] =>
    blocks
      .slice(index + 1)
      .filter(
        (other) =>
          !target.contains(other.target) &&
          !other.target.contains(target) &&
          areSideBySide(other.target, target) &&
          overlap(box, other.box) > 1,
      )
      .map((other) => [nameOf(target), `lies over ${nameOf(other.target)}`]),
  )
  return [...small, ...over]
}

/** Colours are measured for their contrast as they are set: what lets its ground through has less. */
function dimmed(known: Frames): Fault[] {
  return [...document.querySelectorAll('main *')].flatMap((element): Fault[] => {
    const { opacity } = getComputedStyle(element)
    return Number(opacity) < 1 && Number(opacity) > 0 && isSeen(element, known)
      ? [[nameOf(element), `is dimmed to ${opacity}`]]
      : []
  })
}

/** Rows of lists are 34 px high, and the heading of a column stands over it. */
function crooked(known: Frames): Fault[] {
  const sideOf = (cell: Element) => (/right|end/.test(getComputedStyle(cell).textAlign) ? 'right' : 'left')
  const columns = (head: Element[], cells: Element[]): Fault[] =>
    head.length !== cells.length
      ? []
      : head.flatMap((heading, index): Fault[] => {
          const cell = cells[index]
          if (!cell || heading.textContent.trim() === '' || cell.textContent.trim() === '') return []
          const [over, under] = [heading.getBoundingClientRect(), cell.getBoundingClientRect()]
          if (Math.abs(over.left - under.left) > 1 || Math.abs(over.right - under.right) > 1)
            return [[nameOf(heading), `does not stand over ${nameOf(cell)}`]]
          return sideOf(heading) === sideOf(cell)
            ? []
            : [[nameOf(heading), `is ${sideOf(heading)}, ${nameOf(cell)} is ${sideOf(cell)}`]]
        })
  const grids = [...document.querySelectorAll('[role=grid], [role=treegrid]')].filter((grid) =>
    isSeen(grid, known),
  )
  const ofGrids = grids.flatMap((grid): Fault[] => {
    const [head, ...rows] = grid.querySelectorAll('[role=row]')
    const heights = rows.filter((row) => row.getBoundingClientRect().height !== 34)
    return [
      ...heights.map((row): Fault => [nameOf(row), `is ${row.getBoundingClientRect().height} px high`]),
      ...columns([...(head?.children ?? [])], [...(rows[0]?.children ?? [])]),
    ]
  })
  const tables = [...document.querySelectorAll('table')].filter((table) => isSeen(table, known))
  const ofTables = tables.flatMap((table): Fault[] => {
    const rows = [...table.tBodies].flatMap(({ rows: some }) => [...some]).filter((row) => isSeen(row, known))
    // A row of one cell goes on with the row above it.
    const low = rows.filter((row) => row.cells.length > 1 && row.getBoundingClientRect().height < 33.5)
    return [
      ...low.map((row): Fault => [nameOf(row), `is ${row.getBoundingClientRect().height} px high`]),
      ...columns([...(table.tHead?.rows[0]?.cells ?? [])], [...(rows[0]?.cells ?? [])]),
    ]
  })
  return [...ofGrids, ...ofTables]
}

/** How far above its baseline the rectangle of a line begins: it is as high as the font of its element. */
function ascentOf(element: Element, canvas: OffscreenCanvasRenderingContext2D): number {
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element)
  canvas.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`
  return canvas.measureText('x').fontBoundingBoxAscent
}

/** Rows of tables, and of what flex and grid put side by side: by the parts of each, what stands in them. */
function rowsOf(all: Text[], known: Frames): Map<object, Line[]>[] {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')
  if (!canvas) return []
  const rows = new Map<Element, Map<object, Line[]>>()
  const styles = new Map<Element, CSSStyleDeclaration>()
  const climb = (piece: object, parent: Element | null, lines: Line[]) => {
    let part = piece
    for (let above = parent; above; above = above.parentElement) {
      const style = styles.get(above) ?? getComputedStyle(above)
      styles.set(above, style)
      const { display, flexDirection, position } = style
      if (display === 'contents') continue
      if (display === 'table-row' || (/flex$|grid$/.test(display) && flexDirection === 'row')) {
        const parts = rows.get(above) ?? new Map<object, Line[]>()
        rows.set(above, parts.set(part, [...(parts.get(part) ?? []), ...lines]))
      }
      // What is laid over the page stands in no row of it.
      if (position === 'absolute' || position === 'fixed') return
      part = above
    }
  }
  for (const text of all.filter(({ parent }) => !parent.closest('svg'))) {
    const ascent = ascentOf(text.parent, canvas)
    const lines = text.lines.map((box) => ({ box, baseline: box.top + ascent }))
    climb(text, text.parent, lines)
  }
  // A picture that says something by itself, as a code does, is none that belongs to words.
  for (const drawing of document.querySelectorAll('svg[aria-hidden=true], input, select')) {
    const box = drawing.getBoundingClientRect()
    if (box.height < 40 && isSeen(drawing, known)) climb(drawing, drawing.parentElement, [{ box }])
  }
  return [...rows.values()]
}

/**
 * What stands side by side in a row shares the baseline of its first lines, or the middle of its first lines,
 * its last ones or all of them.
 */
function uneven(all: Text[], known: Frames): Fault[] {
  const middle = (first: Line, last: Line) => (first.box.top + last.box.bottom) / 2
  return rowsOf(all, known).flatMap((parts): Fault[] => {
    const placed = [...parts].flatMap(([part, lines]) => {
      // Where there are words, they say where a drawing beside them stands.
      const words = lines.filter(({ baseline }) => baseline !== undefined)
      const told = words.length > 0 ? words : lines
      const [first, ...more] = told.sort((one, other) => one.box.top - other.box.top)
      if (!first) return []
      const last = more.reduce((low, line) => (line.box.bottom > low.box.bottom ? line : low), first)
      const element = part instanceof Element ? part : (part as Text).parent
      const whole = element.getBoundingClientRect()
      const { top, bottom } = frameOf(element.parentElement, known)
      // Of what the edge of a frame cuts only some lines are seen.
      if (whole.top < top - 1 || whole.bottom > bottom + 1) return []
      return [{ element, box: element === part ? whole : first.box, first, last }]
    })
    placed.sort((one, other) => one.box.left - other.box.left)
    return placed.flatMap((one, index): Fault[] => {
      const other = placed
        .slice(index + 1)
        .find(
          ({ box }) =>
            box.left > one.box.right - 2 && box.top < one.box.bottom - 1 && box.bottom > one.box.top + 1,
        )
      if (!other) return []
      const baselines = Math.abs((one.first.baseline ?? -Infinity) - (other.first.baseline ?? Infinity))
      const middles = [
        middle(one.first, one.first) - middle(other.first, other.first),
        middle(one.last, one.last) - middle(other.last, other.last),
        middle(one.first, one.last) - middle(other.first, other.last),
      ].map(Math.abs)
      // Two columns side by side are no row.
      const isRow = [one, other].every(({ box }) => box.bottom - box.top < 100)
      // Fonts do not stand in the very middle of their lines.
      return isRow && baselines > 1 && middles.every((distance) => distance > 2)
        ? [[nameOf(one.element), `stands on another line than ${nameOf(other.element)}`]]
        : []
    })
  })
}

/** Once the page stands, everything on it that looks wrong. */
async function faults(): Promise<Fault[]> {
  await document.fonts.ready
  for (let frame = 0; frame < 2; frame += 1) await new Promise((drawn) => requestAnimationFrame(drawn))
  const known: Frames = new Map()
  const all = texts(known)
  return [
    ...wrapped(all),
    ...divided(),
    ...cut(known),
    ...misplaced(all),
    ...targets(known),
    ...dimmed(known),
    ...crooked(known),
    ...uneven(all, known),
  ]
}

/** Waits until the page has stood still for some frames. */
async function stand(): Promise<Fault[]> {
  let still = 0
  const observer = new MutationObserver(() => (still = 0))
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  for (; still < 6; still += 1) await new Promise((drawn) => requestAnimationFrame(drawn))
  observer.disconnect()
  return []
}

const inPage = [
  nameOf,
  intersection,
  frameOf,
  isSeen,
  texts,
  overlap,
  areSideBySide,
  wrapped,
  divided,
  cut,
  misplaced,
  targets,
  dimmed,
  crooked,
  ascentOf,
  rowsOf,
  uneven,
  faults,
  stand,
].map(String)
const run = (page: Page, call: string): Promise<Fault[]> =>
  page.evaluate<Fault[]>(`(() => { ${inPage.join('\n')}\nreturn ${call}() })()`)

/** What looks wrong on a page as it is now. */
export const faultsOf = (page: Page) => run(page, faults.name)
/** Waits until nothing on the page changes any more. */
export const standsStill = (page: Page) => run(page, stand.name)
