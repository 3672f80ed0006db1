import type { Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  checkAccess,
  expect,
  focusList,
  makeDraft,
  openHere,
  openList,
  openPractice,
  test,
} from './fixtures.ts'
import { goTo } from './pages.ts'

/** What has the focus, and whether that is to be seen. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return { pane: '', name: 'nothing', isSeen: false }
    const pane = element.closest('[data-pane]')
    const row = document.getElementById(element.getAttribute('aria-activedescendant') ?? '')
    return {
      pane: pane === null ? '' : pane.id || pane.getAttribute('aria-label') || pane.localName,
      name: (element.getAttribute('aria-label') ?? element.textContent)
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, 60),
      isSeen:
        getComputedStyle(row ?? element).outlineStyle !== 'none' || element.matches('label:focus-within *'),
    }
  })

/** By what the ring around what has the focus is cut; empty where all of it is seen. */
const cutRing = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return ''
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element)
    if (outlineStyle === 'none') return ''
    const ring = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset) - 0.6
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const name = `${element.localName} “${element.textContent.trim()}”`
    for (let around = element.parentElement; around; around = around.parentElement) {
      const box = around.getBoundingClientRect()
      const { overflowX, overflowY } = getComputedStyle(around)
      const isWide =
        left - ring < box.left || right + ring > box.left + around.clientLeft + around.clientWidth
      const isHigh = top - ring < box.top || bottom + ring > box.top + around.clientTop + around.clientHeight
      if ((overflowX !== 'visible' && isWide) || (overflowY !== 'visible' && isHigh))
        return `${name} is cut by ${around.localName}.${around.className}`
    }
    return ''
  })

test('keys go to nothing whose ring is cut, also where that has to be scrolled to', async ({ desk }) => {
  const { page } = desk
  await page.setViewportSize({ width: 1280, height: 800 })
  await openPractice(desk)
  const cut = new Set<string>()
  const walk = async (steps: number) => {
    for (let step = 0; step < steps; step += 1) {
      await page.keyboard.press('Tab')
      cut.add(await cutRing(page))
    }
  }
  await page.keyboard.press('6')
  await page.locator('.picture').waitFor()
  await walk(45)
  await page.keyboard.press('Control+t')
  await page.getByRole('main').focus()
  await walk(45)
  await page.keyboard.press('7')
  await openList(page, 'submission-agreements')
  await page.getByRole('row').nth(1).click()
  await page.getByRole('link', { name: 'Stadsarkivet transfer project' }).waitFor()
  await walk(20)
  expect([...cut]).toEqual([''])
})

test('F6 goes from pane to pane and back, and each shows it', async ({ desk }) => {
  const { page } = desk
  await openPractice(desk)
  const walk = async (key: string, times: number) => {
    const panes: string[] = []
    for (let time = 0; time < times; time += 1) {
      await page.keyboard.press(key)
      const { pane, name, isSeen } = await focused(page)
      expect([pane, name, isSeen]).toEqual([pane, name, true])
      panes.push(pane)
    }
    return panes
  }
  await page.keyboard.press('2')
  await focusList(page, 'treegrid')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Overview' }).waitFor()
  expect(await walk('F6', 4)).toEqual(['record', 'header', 'Places', 'section'])
  expect(await walk('Shift+F6', 4)).toEqual(['Places', 'header', 'record', 'section'])
  // Where one was in a pane one comes back to; also out of a field.
  await page.getByRole('tab', { name: 'Overview' }).focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('F6')
  await page.keyboard.press('Shift+F6')
  expect((await focused(page)).pane).toBe('header')
  await page.keyboard.press('Shift+F6')
  expect((await focused(page)).name).toBe('Overview')
  for (const [key, panes] of [
    ['1', ['header', 'Places', 'main']],
    ['6', ['header', 'Places', 'main']],
    ['7', ['header', 'Places', 'Which list', 'section', 'record']],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page.locator('main h1').first()).toBeVisible()
    expect((await walk('F6', panes.length)).toSorted()).toEqual(panes.toSorted())
  }
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByText('Go to the next pane')).toBeVisible()
  // Above a dimmed page a ring around all of it would say nothing.
  await expect(page.getByRole('dialog')).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCSS('outline-style', 'none')
})

test('a list without rows leaves no ring around its pane, unless one goes there by F6', async ({ desk }) => {
  const { page } = desk
  await openHere(desk)
  await page.keyboard.press('2')
  await page.getByText('The archive shows you no packages yet.').waitFor()
  const pane = page.locator('section[data-pane]')
  await expect(pane).toBeFocused()
  await expect(pane).toHaveCSS('outline-style', 'none')
  await page.keyboard.press('F6')
  await page.keyboard.press('Shift+F6')
  await expect(pane).toBeFocused()
  await expect(pane).toHaveCSS('outline-style', 'solid')
})

test('Alt with an arrow leads back to where one was, and forward again', async ({ desk }) => {
  const { page } = desk
  const go = async (key: string, heading: string) => {
    await page.keyboard.press(key)
    await expect(page.getByRole('heading', { name: heading, level: 1 }).first()).toBeVisible()
    expect((await focused(page)).name).not.toBe('nothing')
  }
  await openPractice(desk)
  await go('2', 'Packages')
  await page.getByRole('row', { name: /Water works/ }).click()
  const title = 'Water works: pump logs'
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await go('6', 'Storage')
  await go('3', 'Search')
  // Also out of the field in which one types.
  await go('Alt+ArrowLeft', 'Storage')
  await go('Alt+ArrowLeft', title)
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('To where you were before').waitFor()
  await page.keyboard.press('Alt+ArrowLeft')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await go('Alt+ArrowRight', 'Storage')
  // Before the first there is nothing.
  for (const heading of [title, 'Packages', 'Desk', 'Desk']) await go('Alt+ArrowLeft', heading)
})

test('a hit that is opened leads into the list, and back from there to the hit', async ({ desk }) => {
  const { page } = desk
  await openPractice(desk)
  await page.keyboard.press('3')
  await page.getByRole('searchbox').fill('oxen OR harbour')
  const hit = page.getByRole('main').getByRole('link', { name: /^Byggnadsnämndens ritningar, kv\. Oxen/ })
  await hit.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('treegrid', { name: 'Packages' })).toBeFocused()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(hit).toBeFocused()
  // By its key one begins in the field, to type.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('treegrid', { name: 'Packages' })).toBeFocused()
  await page.keyboard.press('3')
  await page.locator('mark').first().waitFor()
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('the keys of a place work in a window that opens where it was left', async ({ desk }) => {
  await openPractice(desk)
  await desk.page.keyboard.press('5')
  await expect(desk.page.getByRole('grid', { name: 'Orders' })).toBeFocused()
  await desk.restart('quit')
  await expect(desk.page.getByRole('grid', { name: 'Orders' })).toBeFocused()
  await desk.page.keyboard.press('3')
  await desk.page.getByRole('searchbox').fill('oxen')
  await desk.page.locator('mark').first().waitFor()
  await desk.restart('quit')
  await expect(desk.page.getByRole('searchbox')).toBeFocused()
})

test('the focus is never lost: not by going elsewhere, closing, deleting or sending', async ({ desk }) => {
  const { page } = desk
  const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-focus-'))
  const lost: string[] = []
  const press = async (what: string, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
    const { pane, name } = await focused(page)
    if (name === 'nothing') lost.push(what)
    return `${pane}: ${name}`
  }
  const enter = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).focus()
    return press(name, 'Enter')
  }
  await page.getByRole('button', { name: /Open.*Practice archive/ }).focus()
  await press('open the archive', 'Enter')
  await page.getByRole('heading', { name: 'Desk' }).waitFor()
  await press('the desk')
  // From inside a place to the next.
  for (const key of ['1', '2', '3', '4', '5', '6', '7', '8', ',']) {
    await page.keyboard.press('F6')
    await page.locator('main').getByRole('button').first().focus()
    await press(`to place ${key}`, key)
  }
  await press('packages', '2')
  await focusList(page, 'treegrid')
  await press('print the list', 'Control+p')
  expect(await press('close its print', 'Escape')).toContain('Packages')
  await page.keyboard.press('ArrowDown')
  await press('open a package', 'Enter')
  for (const tab of ['Copies', 'History', 'All fields']) {
    await page.getByRole('tab', { name: tab }).focus()
    await press(tab, 'Enter')
  }
  expect(await press('close it', 'Escape')).toContain('Packages')
  await press('open it again', 'Enter')
  await page.getByRole('tab', { name: 'Overview' }).waitFor()
  await enter('Add to order')
  await enter('Show the order')
  await page.getByLabel('Name', { exact: true }).fill('Thursday')
  await page.getByRole('button', { name: /^Take out/ }).focus()
  await press('take out', 'Enter')
  await expect(page.getByRole('button', { name: /^Take out/ })).toHaveCount(0)
  await page.getByLabel('Paste identifiers, one a line').fill('SE/STA/1037\nSE/STA/1000')
  await enter('Check and add')
  await expect(page.getByRole('button', { name: /^Take out/ })).toHaveCount(2)
  await page
    .getByRole('button', { name: /^Take out/ })
    .first()
    .focus()
  expect(await press('take out the first of two', 'Enter')).toContain('record: Take out')
  await expect(page.getByRole('button', { name: /^Take out/ })).toHaveCount(1)
  await enter('Place the order')
  // By then what was placed has taken the place of the draft.
  await expect(page.getByRole('contentinfo')).toContainText(/The order is in the (archive|outbox)/)
  await page.getByText('kept on this computer only').waitFor()
  await press('after placing')
  await enter('Print slips …')
  await page.locator('.paper').first().waitFor()
  expect(await press('close the print', 'Escape')).toContain('Print slips')
  await press('close the order', 'Escape')
  await press('search', '3')
  await page.getByRole('searchbox').fill('oxen')
  await page.getByRole('button', { name: 'Watch this search' }).focus()
  await press('watch', 'Enter')
  await press('desk', '1')
  await makeDraft(desk, place, 'First')
  await press('transfers', '4')
  await makeDraft(desk, place, 'Second')
  await page.getByText('Saved on this computer', { exact: true }).waitFor()
  await enter('Delete')
  await page.getByText('The draft is deleted').waitFor()
  expect(await press('after deleting')).toContain('Transfers')
  await enter('Undo')
  await enter('Pack')
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await press('packed')
  await enter('Send')
  await press('storage', '6')
  await page.getByRole('link', { name: 'LTO-0418', exact: true }).first().focus()
  await press('open a medium', 'Enter')
  await press('close the medium', 'Escape')
  await press('description', '7')
  await openList(page, 'agents')
  await focusList(page, 'grid')
  await press('an agent', 'Enter')
  await press('close the agent', 'Escape')
  await page.getByRole('button', { name: 'New', exact: true }).focus()
  await press('new agent', 'Enter')
  await enter('Add to: Names')
  await page
    .getByRole('button', { name: /^Take out|^Remove/ })
    .first()
    .focus()
  await press('take a name out', 'Enter')
  expect(lost).toEqual([])
  rmSync(place, { recursive: true })
})

test('a key leads into the list of a place, + orders the row it is on, and Escape goes back to what was open', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  await page.keyboard.press('2')
  const list = page.getByRole('treegrid')
  await expect(list).toBeFocused()
  await page.getByRole('row', { name: /Oxen/ }).click()
  await expect(page.getByRole('heading', { name: /Oxen/, level: 1 })).toBeVisible()
  const opened = await list.getAttribute('aria-activedescendant')
  await page.keyboard.press('ArrowDown')
  const pointed = await list.evaluate((grid) =>
    document
      .getElementById(grid.getAttribute('aria-activedescendant') ?? '')
      ?.querySelector('[title]')
      ?.getAttribute('title'),
  )
  await page.keyboard.press('+')
  await expect(page.getByRole('contentinfo')).toContainText(`“${pointed}`)
  await page.keyboard.press('Escape')
  await expect(list).toBeFocused()
  await expect(list).toHaveAttribute('aria-activedescendant', opened ?? '')
  await page.keyboard.press('3')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('oxen')
  await expect(page.getByRole('main').getByRole('link', { name: /Oxen/ }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('main').getByRole('link', { name: /Oxen/ }).first()).toBeFocused()
  // With no agent open, the list of them is printed.
  await goTo(page, '#/description/agents')
  await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
  await page.keyboard.press('Control+p')
  await expect(page.getByRole('dialog')).not.toContainText('Choose a record')
  await expect(page.getByRole('dialog').getByRole('table')).toBeVisible()
})

test('where a window holds one pane, a record that is opened has the focus, and its list has it again', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  await page.setViewportSize({ width: 720, height: 450 })
  const foot = page.getByRole('contentinfo')
  for (const [key, list, keys] of [
    ['2', 'treegrid', '+ adds to an order, Esc goes back'],
    ['5', 'grid', 'Esc goes back'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page.getByRole(list)).toBeFocused()
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    await expect(foot.getByText('Enter opens')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.locator('#record')).toBeFocused()
    // The keys of the list do nothing while it is not shown.
    await expect(foot.getByText(keys, { exact: true })).toBeVisible()
    await expect(foot.getByText('Enter opens')).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(page.getByRole(list)).toBeFocused()
    await expect(foot.getByText('Enter opens')).toBeVisible()
  }
})

test('what failed stays at the foot until it is closed, and keys alone reach what can be done about it', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  await page.keyboard.press('2')
  await page.getByRole('treegrid').getByRole('gridcell').first().waitFor()
  await desk.answerDialogs([path.join(desk.userData, 'gone', 'list.csv')])
  await page.getByTitle('Save the list').click()
  await page.getByRole('button', { name: /^What is shown/ }).click()
  const foot = page.getByRole('contentinfo')
  await expect(foot.getByRole('alert')).toContainText('list.csv')
  await checkAccess(page)
  await page.getByRole('treegrid').focus()
  const whatToDo = foot.getByRole('button', { name: 'What to do' })
  await page.keyboard.press('F6')
  await page.keyboard.press('F6')
  await expect(whatToDo).toBeFocused()
  await page.keyboard.press('Enter')
  const next = foot.getByText(/try again/i)
  await expect(next).toBeInViewport({ ratio: 1 })
  await checkAccess(page)
  await page.keyboard.press('Escape')
  await expect(next).toBeHidden()
  await expect(whatToDo).toBeFocused()
  await expect(foot.getByRole('alert')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(foot.getByRole('alert')).toBeHidden()
  // From where the last key came.
  await expect(page.locator('#record')).toBeFocused()
})
