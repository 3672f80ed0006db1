import { withVisibleMarks } from '../../electron/language/bidi.ts'

/** Attributes that are read to people. */
const spoken = ['title', 'aria-label', 'alt', 'placeholder']

const showInText = (node: Node) => {
  const text = node.nodeValue ?? ''
  const shown = withVisibleMarks(text)
  if (shown !== text) node.nodeValue = shown
}

const showInAttributes = (element: Element) => {
  for (const name of spoken) {
    const text = element.getAttribute(name)
    if (text === null) continue
    const shown = withVisibleMarks(text)
    if (shown !== text) element.setAttribute(name, shown)
  }
}

const showBelow = (node: Node) => {
  if (node.nodeType === Node.TEXT_NODE) showInText(node)
  if (!(node instanceof Element)) return
  showInAttributes(node)
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let next = walker.nextNode(); next; next = walker.nextNode())
    if (next instanceof Element) showInAttributes(next)
    else showInText(next)
}

/**
 * Shows marks of direction in everything that stands below an element, now and whenever it changes. Names and
 * titles come from archives and packages and stand in every place of the page, so that is done once and
 * before anything is painted, not in each place. What people type is left alone.
 * @returns ends it
 */
export const showMarks = (root: Element) => {
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      if (type === 'characterData') showInText(target)
      else if (type === 'attributes' && target instanceof Element) showInAttributes(target)
      else addedNodes.forEach(showBelow)
  })
  observer.observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: spoken,
  })
  showBelow(root)
  return () => observer.disconnect()
}
