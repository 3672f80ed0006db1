import { afterEach, expect, test } from 'vitest'
import { goToPane, goToRecord, keepFocus } from '../../renderer/pages/frame/focus.ts'

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

test('a record that stands in the place of its list has the focus; beside it, the list keeps it', () => {
  const { tree, pane, other } = page()
  const record = other.parentElement
  if (!pane || !record) throw new Error('There are no panes.')
  tree.focus()
  goToRecord(pane, record)
  expect(document.activeElement).toBe(tree)
  pane.checkVisibility = () => false
  goToRecord(pane, record)
  expect(document.activeElement).toBe(record)
})

test('a pane that a dialog was opened over can have the focus again, and is no stop once one goes on', () => {
  const { tree, other } = page()
  document.body.insertAdjacentHTML('beforeend', '<dialog><button id="close"></button></dialog>')
  const [dialog, pane] = [document.querySelector('dialog'), other.parentElement]
  other.remove()
  tree.focus()
  goToPane(-1)
  expect(document.activeElement).toBe(pane)
  dialog?.setAttribute('open', '')
  document.getElementById('close')?.focus()
  dialog?.removeAttribute('open')
  pane?.focus()
  expect(document.activeElement).toBe(pane)
  tree.focus()
  expect(pane?.hasAttribute('tabindex')).toBe(false)
})
