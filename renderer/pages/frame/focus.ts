import { tick } from 'svelte'

const main = () => document.getElementById('main')

const lists = '[role=grid], [role=treegrid]'

/** Where one was in each pane. */
const left = new WeakMap<Element, HTMLElement>()

/** What Tab goes to in a part of the page. */
const stops = (part: Element) =>
  [
    ...part.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex]'),
  ].filter(({ tabIndex }) => tabIndex >= 0)

const elementAt = (node: Node | null, way: 'nextSibling' | 'previousSibling'): Element | null => {
  for (let found = node; found; found = found[way]) if (found instanceof Element) return found
  return null
}

/** The focus on a part that cannot have it else, until it goes on. */
const focusPart = (part: HTMLElement) => {
  if (!part.hasAttribute('tabindex')) {
    part.tabIndex = -1
    const blurred = () => {
      // A dialog gives the focus back to what had it.
      if (document.querySelector('dialog[open]')) return
      part.removeAttribute('tabindex')
      part.removeEventListener('blur', blurred)
    }
    part.addEventListener('blur', blurred)
  }
  part.focus({ preventScroll: true })
}

/** The focus back to what had it, also to a pane that keys went to; else to the place. */
export const giveBack = (part: HTMLElement | null) => {
  if (!part?.isConnected) return main()?.focus({ preventScroll: true })
  part.focus({ preventScroll: true })
  if (document.activeElement !== part) focusPart(part)
}

/** Where the focus goes from what is taken off the page: to the same in its neighbour, else around it. */
const goOnFrom = (lost: Element, removed: Node, { target, nextSibling, previousSibling }: MutationRecord) => {
  const around = target instanceof HTMLElement && target.isConnected ? target : null
  const list = around?.closest<HTMLElement>(lists)
  if (list && list.tabIndex >= 0) return list.focus({ preventScroll: true })
  if (removed instanceof HTMLElement && removed.matches('li, tr, [role=row]')) {
    const index = stops(removed).findIndex((stop) => stop === lost)
    for (const neighbour of [
      elementAt(nextSibling, 'nextSibling'),
      elementAt(previousSibling, 'previousSibling'),
    ]) {
      const same = neighbour ? (stops(neighbour)[index] ?? stops(neighbour).at(-1)) : undefined
      if (same) return same.focus()
    }
  }
  if (around?.closest('[data-pane]') && around.parentElement !== main()) return focusPart(around)
  main()?.focus()
  // Another place has come: its keys work in its list.
  beginAt(lists)
}

/**
 * Keeps the focus on the page when what has it is taken away: on nothing, keys would be heard by nobody and a
 * screen reader would begin at the top.
 */
export const keepFocus = (): (() => void) => {
  let last: Element | null = null
  let place = ''
  const note = () => {
    last = document.activeElement
    place = location.hash
    const pane = last?.closest('[data-pane]')
    if (pane && pane !== last && last instanceof HTMLElement) left.set(pane, last)
  }
  const goOn = (changes: MutationRecord[]) => {
    const lost = last
    if (!lost || lost.isConnected || document.activeElement !== document.body) return
    for (const change of changes)
      for (const removed of change.removedNodes)
        if (removed.contains(lost)) {
          last = null
          const pane = change.target instanceof Element && change.target.closest<HTMLElement>('[data-pane]')
          if (!pane || !lost.matches(lists) || location.hash !== place) return goOnFrom(lost, removed, change)
          // A list that is read anew is away for a moment only.
          focusPart(pane)
          awaited = { stops: lists, part: pane }
          return
        }
  }
  const observer = new MutationObserver((changes) => {
    goOn(changes)
    begin()
  })
  const told = ['focusin', 'keydown', 'click'] as const
  for (const event of told) document.addEventListener(event, note, true)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    for (const event of told) document.removeEventListener(event, note, true)
    observer.disconnect()
  }
}

/** What gets the focus as soon as it is there: the first of such stops in a part of the page. */
let awaited: { stops: string; part: HTMLElement } | null = null

const begin = () => {
  if (!awaited) return
  const { stops, part } = awaited
  const { activeElement } = document
  if (activeElement !== document.body && activeElement !== part) awaited = null
  else {
    const stop = [...part.querySelectorAll<HTMLElement>(stops)].find((element) => element.checkVisibility())
    if (!stop) return
    awaited = null
    stop.focus({ preventScroll: true })
  }
}

/** Whether a dialog stands before the page: keys that lead elsewhere lead nowhere then. */
export const isUnderDialog = () => document.querySelector('dialog[open], [aria-modal]') !== null

/** Puts the focus in the first of such stops of the place that is shown, as soon as that is there. */
const beginAt = (stops: string) => {
  const part = main()
  awaited = part && { stops, part }
  begin()
}

/** From what is about to be closed to what it was opened by, as soon as that is there again. */
export const goBackTo = (opener: string) => {
  main()?.focus({ preventScroll: true })
  beginAt(opener)
}

/** Puts the focus in the field that the place asks in, or in its list, as soon as that is there. */
export const beginPlace = () => beginAt(`[data-begin], ${lists}`)

/** Puts the focus where one begins in the place that a key has led to. */
export const enterPlace = async () => {
  await tick()
  main()?.focus()
  beginPlace()
}

/** Back to the list from a record that was closed, unless somebody has gone elsewhere. */
export const returnToList = (row: HTMLElement | null) => {
  const { activeElement } = document
  if (activeElement === document.body || activeElement === main() || activeElement?.closest('#record'))
    row?.focus()
}

/** To a record that was opened, where it stands in the place of the list that had the focus. */
export const goToRecord = (list: HTMLElement, record: HTMLElement) => {
  if (list.contains(document.activeElement) && !list.checkVisibility()) focusPart(record)
}

/**
 * Goes to the next pane, or to the one before: where one was in it, else to its list or what is chosen in it,
 * else to the pane itself, whose content arrow keys then scroll.
 */
export const goToPane = (by: 1 | -1) => {
  const all = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) =>
    pane.checkVisibility(),
  )
  // A place that is not divided is a pane itself.
  const panes = all.filter((pane) => !all.some((other) => other !== pane && pane.contains(other)))
  const index = panes.findIndex((pane) => pane.contains(document.activeElement))
  const next = panes.at((index < 0 && by < 0 ? index : index + by) % panes.length)
  if (!next) return
  const before = left.get(next)
  const stop =
    before?.checkVisibility() && next.contains(before)
      ? before
      : next.querySelector<HTMLElement>(
          `${lists}, nav[data-pane] [aria-current=page], footer[data-pane] button`,
        )
  if (stop) return stop.focus()
  next.dataset['reached'] = ''
  next.addEventListener('blur', () => delete next.dataset['reached'], { once: true })
  focusPart(next)
}
