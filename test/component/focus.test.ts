import { afterEach, expect, test } from 'vitest'
import { keepFocus } from '../../renderer/pages/frame/focus.ts'

// jsdom draws nothing, so everything that is there is seen.
Element.prototype.checkVisibility = () => true

const page = () => {
  document.body.innerHTML = `<main id="main" tabindex="-1">
    <nav data-pane><div role="grid" tabindex="0" id="other"></div></nav>
    <section data-pane><div role="treegrid" tabindex="0" id="tree"></div></section></main>`
  const element = (id: string) => {
    const found = document.getElementById(id)
    if (!found) throw new Error(`nothing is called ${id}`)
    return found
  }
  return { tree: element('tree'), pane: element('tree').parentElement, other: element('other') }
}

/** Until the page was told of what changed in it. */
const told = () => new Promise((done) => setTimeout(done))

let stop = () => {}
afterEach(() => {
  stop()
  location.hash = ''
})

test('a list that is read anew has the focus again', async () => {
  const { tree, pane } = page()
  stop = keepFocus()
  tree.focus()
  tree.remove()
  await told()
  expect(document.activeElement).toBe(pane)
  pane?.append(tree)
  await told()
  expect(document.activeElement).toBe(tree)
})

test('nobody who went on meanwhile is called back', async () => {
  const { tree, pane, other } = page()
  stop = keepFocus()
  tree.focus()
  tree.remove()
  await told()
  other.focus()
  pane?.append(tree)
  await told()
  expect(document.activeElement).toBe(other)
})

test('a list that went with its place is not waited for', async () => {
  const { tree, pane } = page()
  stop = keepFocus()
  tree.focus()
  location.hash = '#/elsewhere'
  tree.remove()
  await told()
  pane?.append(tree)
  await told()
  expect(document.activeElement).not.toBe(tree)
})
