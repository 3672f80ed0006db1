import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { startArchive } from '../archives/archive.ts'
import { expect, signIn, test } from './fixtures.ts'

test('the page has no Node, no network and no other page', async ({ desk }) => {
  const { page } = desk
  expect(
    await page.evaluate(() => [
      typeof Reflect.get(globalThis, 'require'),
      typeof Reflect.get(globalThis, 'process'),
    ]),
  ).toEqual(['undefined', 'undefined'])
  // Asked from a timer: what a debugger evaluates is not held by the page's policy.
  const blocked = await page.evaluate(
    () =>
      new Promise((done) => {
        setTimeout(() => {
          const tries = [fetch('https://example.org/'), fetch(location.href)].map((trying) =>
            trying.then(() => 'fetched').catch(() => 'blocked'),
          )
          let code = 'ran'
          try {
            // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- what the policy forbids
            new Function('return 1')()
          } catch {
            code = 'blocked'
          }
          void Promise.all(tries).then((fetches) => done([...fetches, code]))
        })
      }),
  )
  expect(blocked).toEqual(['blocked', 'blocked', 'blocked'])
  const before = page.url()
  // The page's policy and main answer in their own time; what main was asked for last is waited for.
  await desk.app.evaluate(({ BrowserWindow }) => {
    const asked: string[] = []
    Object.assign(globalThis, { asked })
    BrowserWindow.getAllWindows()[0]?.webContents.on('will-frame-navigate', ({ url }) => asked.push(url))
  })
  // From a timer too. One after the other: a window that is refused can take a navigation under way with it.
  await page.evaluate(
    () =>
      new Promise<void>((done) =>
        setTimeout(() => {
          // Whatever it gives is closed, or is null.
          const other = window.open('https://example.org/')
          const wait = () => (!other || other.closed ? done() : void setTimeout(wait, 20))
          wait()
        }),
      ),
  )
  await expect.poll(() => desk.app.windows().length).toBe(1)
  await page.evaluate(() => void setTimeout(() => (location.href = 'https://example.org/')))
  await expect
    .poll(() => desk.app.evaluate(() => Reflect.get(globalThis, 'asked') as unknown))
    .toEqual(['https://example.org/'])
  expect(page.url()).toBe(before)
  expect(desk.app.windows()).toHaveLength(1)
})

test('the page may use nothing of the computer that a page could ask for', async ({ desk }) => {
  const { page } = desk
  const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi']
  const states = await page.evaluate(
    (asked) =>
      Promise.all(
        asked.map((name) =>
          navigator.permissions.query({ name: name as PermissionName }).then(({ state }) => state),
        ),
      ),
    names,
  )
  expect(states).toEqual(names.map(() => 'denied'))
  const tried = await page.evaluate(() =>
    Promise.all([
      Notification.requestPermission(),
      navigator.clipboard.readText().then(
        () => 'read',
        () => 'denied',
      ),
      new Promise((done) =>
        navigator.geolocation.getCurrentPosition(
          () => done('located'),
          ({ code }) => done(code === 1 ? 'denied' : code),
        ),
      ),
    ]),
  )
  expect(tried).toEqual(['denied', 'denied', 'denied'])
})

test('the bridge is frozen, and answers only what is in the contract', async ({ desk }) => {
  const { page } = desk
  expect(
    await page.evaluate(
      () =>
        Object.isFrozen(window.bridge) &&
        Object.isFrozen(window.bridge.application.session) &&
        Object.isFrozen(window.bridge.archive.packages),
    ),
  ).toBe(true)
  // Nothing of the preload's comes along with the end of a news.
  expect(
    await page.evaluate(() => String(window.bridge.application.settings.changed(() => undefined)())),
  ).toBe('undefined')
  expect(
    await page.evaluate(() => window.bridge.archive.packages.one('practice', { id: 5 } as never)),
  ).toHaveProperty('failure.kind', 'bug')
  expect(
    await page.evaluate(() => window.bridge.archive.packages.list('practice', {} as never)),
  ).toHaveProperty('failure.kind', 'bug')
})

test('nothing outside the page’s folder is served', async ({ desk }) => {
  expect(await desk.app.evaluate(({ protocol }) => protocol.isProtocolHandled('app'))).toBe(true)
  const { page } = desk
  const loaded = await page.evaluate(async () => {
    const load = (src: string) =>
      new Promise<string>((done) => {
        const image = document.createElement('img')
        image.onload = () => done('loaded')
        image.onerror = () => done('refused')
        image.src = src
      })
    // A picture of its own is served: what else is refused is so for where it lies.
    const own = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? ''
    return Promise.all(
      [
        own,
        '/../../resources/icon.png',
        '/%2e%2e/%2e%2e/resources/icon.png',
        '/..%2f..%2fresources%2ficon.png',
      ].map(load),
    )
  })
  expect(loaded).toEqual(['loaded', 'refused', 'refused', 'refused'])
})

test('a password and a token are in no file of the desk', async ({ desk }) => {
  const archive = await startArchive(path.join(desk.userData, 'elsewhere'))
  const { page } = desk
  await signIn(desk, archive.url, archive.username, archive.password)
  await page.getByRole('link', { name: 'Settings' }).click()
  const kept = page.getByText(/Your sign-in is kept in the keychain|offers no safe place|encrypted file/)
  await expect(kept).toBeVisible()
  if (process.env['LECTERN_KEYRING'] === 'yes')
    await expect(kept).toHaveText('Your sign-in is kept in the keychain of this computer.')
  const ours = readdirSync(desk.userData, { recursive: true, withFileTypes: true }).filter(
    (entry) =>
      entry.isFile() && !entry.parentPath.includes('Chromium') && !entry.parentPath.includes('elsewhere'),
  )
  expect(ours.length).toBeGreaterThan(3)
  const secrets = [
    archive.password,
    Buffer.from(`${archive.username}:${archive.password}`).toString('base64'),
  ]
  for (const { parentPath, name } of ours) {
    const bytes = readFileSync(path.join(parentPath, name))
    for (const secret of secrets) expect(bytes.includes(secret), name).toBe(false)
  }
  if (process.env['LECTERN_KEYRING'] === 'yes') {
    await desk.restart('quit')
    await expect(desk.page.getByText('Online')).toBeVisible()
  }
  await archive.stop()
})
