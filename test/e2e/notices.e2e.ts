import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, openPractice, settled, test } from './fixtures.ts'
import { goTo } from './pages.ts'

const displayed = () => Number(execFileSync('dunstctl', ['count', 'displayed'], { encoding: 'utf8' }))

test('a notice leads to its place, whatever the window is doing', async ({ desk }) => {
  test.skip(process.env['LECTERN_NOTICES'] !== 'yes', 'No notification daemon here.')
  await openPractice(desk)
  const states: Record<string, () => Promise<unknown>> = {
    focused: () => Promise.resolve(),
    behind: () => desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur()),
    minimised: () => desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize()),
    closed: () =>
      desk.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().forEach((window) => window.close()),
      ),
  }
  for (const [state, bring] of Object.entries(states)) {
    execFileSync('dunstctl', ['close-all'])
    await expect.poll(displayed).toBe(0)
    const { page } = desk
    await goTo(page, '#/packages')
    await expect(page.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
    expect(await page.evaluate(() => window.bridge.application.settings.testNotice())).toEqual({
      value: true,
    })
    await expect.poll(displayed).toBeGreaterThan(0)
    const opened = state === 'closed' ? desk.app.waitForEvent('window') : Promise.resolve(page)
    await bring()
    execFileSync('dunstctl', ['action', '0'])
    const shown = await opened
    await expect(shown.getByRole('heading', { name: 'Settings' }), state).toBeVisible()
    if (state !== 'closed')
      expect([
        state,
        await desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized()),
      ]).toEqual([state, false])
  }
})

test('a notice that was clicked is closed', async ({ desk }) => {
  test.skip(process.env['LECTERN_NOTICES'] !== 'yes', 'No notification daemon here.')
  await desk.page.locator('.carried button').nth(1).click()
  await expect(desk.page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  execFileSync('dunstctl', ['close-all'])
  await desk.app.evaluate(({ Notification }) => {
    const { close } = Notification.prototype
    Object.assign(globalThis, { closed: 0 })
    Notification.prototype.close = function () {
      ;(globalThis as unknown as { closed: number }).closed += 1
      close.call(this)
    }
  })
  const closed = () => desk.app.evaluate(() => (globalThis as unknown as { closed: number }).closed)
  expect(await desk.page.evaluate(() => window.bridge.application.settings.testNotice())).toEqual({
    value: true,
  })
  await expect.poll(displayed).toBeGreaterThan(0)
  expect(await closed()).toBe(0)
  execFileSync('dunstctl', ['action', '0'])
  await expect.poll(closed).toBe(1)
  await expect.poll(displayed).toBe(0)
})

test('where the system shows no notices, Settings says so and what to do', async ({ desk }) => {
  await openPractice(desk)
  await desk.app.evaluate(({ Notification }) => {
    Notification.isSupported = () => false
  })
  await desk.page.keyboard.press(',')
  await desk.page.getByRole('button', { name: 'Send a test notice' }).click()
  await expect(desk.page.getByRole('alert')).toContainText('The system showed no notice')
})

test('a desktop on which nobody shows notices holds up nothing', async ({ desk }) => {
  test.skip(process.env['LECTERN_NOTICES'] !== 'yes', 'There is no bus that could be silent.')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-bus-'))
  const callers: net.Socket[] = []
  const silent = net.createServer((caller) => callers.push(caller)).listen(path.join(folder, 'bus'))
  await desk.app.evaluate(
    (_electron, address) => {
      process.env['DBUS_SESSION_BUS_ADDRESS'] = address
    },
    `unix:path=${path.join(folder, 'bus')}`,
  )
  const shown = desk.page.evaluate(() => window.bridge.application.settings.testNotice())
  const answeredMs = await desk.page.evaluate(async () => {
    const asked = performance.now()
    await window.bridge.application.settings.read()
    return performance.now() - asked
  })
  expect(answeredMs).toBeLessThan(3_000)
  expect(await shown).toEqual({ value: false })
  for (const caller of callers) caller.destroy()
  silent.close()
  rmSync(folder, { recursive: true })
})

test('a computer that wakes, or whose network is back, asks its archives at once', async ({ desk }) => {
  await openPractice(desk)
  const asOf = () =>
    desk.page.evaluate(async () => {
      const reply = await window.bridge.application.session.status()
      return 'value' in reply ? reply.value.archives[0]?.connection.asOf : null
    })
  for (const event of ['resume', 'unlock-screen'] as const) {
    const before = await asOf()
    await desk.app.evaluate(({ powerMonitor }, name) => powerMonitor.emit(name), event)
    await expect.poll(asOf).not.toBe(before)
    await settled(desk.page)
  }
  const before = await asOf()
  await desk.page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(asOf).not.toBe(before)
})

test('closing the window ends the desk where one chose so, and the count of what is unread stands by the clock', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  await page.keyboard.press(',')
  await page.getByLabel(/Closing the window leaves Lectern listening/).uncheck()
  await page.getByLabel(/Hold notices back/).check()
  // Nothing is kept before the first change is on the disk.
  const file = path.join(desk.userData, 'settings.json')
  const kept = (): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null)
  await expect.poll(kept).toEqual(expect.objectContaining({ closeToTray: false, quiet: true }))
  const ended = new Promise((done) => desk.app.process().once('exit', done))
  await desk.app
    .evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().forEach((window) => window.close()))
    .catch(() => undefined)
  await ended
  await desk.restart('started')
  await desk.page.keyboard.press(',')
  await expect(desk.page.getByLabel(/Closing the window leaves Lectern listening/)).not.toBeChecked()
  await expect(desk.page.getByLabel(/Hold notices back/)).toBeChecked()
})

test('the desk starts with the system where one chose so, without a window', async ({ desk }) => {
  test.skip(process.platform !== 'linux', 'Elsewhere the system keeps that to itself.')
  const { page } = desk
  await openPractice(desk)
  const file = path.join(
    await desk.app.evaluate(({ app }) => app.getPath('appData')),
    'autostart',
    'lectern.desktop',
  )
  await page.keyboard.press(',')
  await page.getByLabel(/Start Lectern when I sign in/).check()
  await expect.poll(() => existsSync(file)).toBe(true)
  expect(readFileSync(file, 'utf8')).toMatch(/^\[Desktop Entry\]\n[^]*Exec=".*" "--hidden"\n/)
  await page.getByLabel(/Start Lectern when I sign in/).uncheck()
  await expect.poll(() => existsSync(file)).toBe(false)
  // An AppImage runs from a mount that is gone when it ends.
  await desk.app.evaluate(() => {
    process.env['APPIMAGE'] = '/home/anna/Lectern.AppImage'
  })
  await page.getByLabel(/Start Lectern when I sign in/).check()
  await expect.poll(() => existsSync(file)).toBe(true)
  expect(readFileSync(file, 'utf8')).toMatch(/Exec="\/home\/anna\/Lectern\.AppImage" .*"--hidden"\n/)
  // Started so, no window is opened; started by a person, one is.
  const opened = await desk.app.evaluate(({ app, BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.destroy()
    const starts = [['lectern', '--hidden'], ['lectern']]
    return starts.map((argv) => {
      app.emit('second-instance', {}, argv, '', null)
      return BrowserWindow.getAllWindows().length
    })
  })
  expect(opened).toEqual([0, 1])
})
