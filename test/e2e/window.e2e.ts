import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { wordsIn } from '../../electron/language/words.ts'
import { archiveFlags } from '../../electron/shell/local-archive.ts'
import { expect, openHere, test, type Desk } from './fixtures.ts'
import { goTo } from './pages.ts'
import { root } from './launch.ts'

const words = wordsIn('en', '').page

/** What the page shows, asked of main: for Playwright a page that ended once is gone for good. */
const heading = (desk: Desk) =>
  desk.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    const shown = window?.webContents.executeJavaScript(`document.querySelector('h1')?.textContent`)
    return shown?.catch(() => 'none') as Promise<unknown>
  })

/** Boxes are kept, and answered when the test says so. */
const holdBoxes = (desk: Desk) =>
  desk.app.evaluate(({ dialog }) => {
    const boxes: object[] = []
    Object.assign(globalThis, { boxes })
    dialog.showMessageBox = (...given: unknown[]) => {
      const { message, buttons, signal } = given.at(-1) as Electron.MessageBoxOptions
      return new Promise((done) => {
        const answer = (response: number) => done({ response, checkboxChecked: false })
        const box = { message, buttons, answer, isClosed: false }
        signal?.addEventListener('abort', () => {
          box.isClosed = true
          answer(0)
        })
        boxes.push(box)
      })
    }
  })

interface Box {
  message: string
  buttons: string[]
  isClosed: boolean
}

const boxes = (desk: Desk) =>
  desk.app.evaluate(() =>
    (globalThis as unknown as { boxes: Box[] }).boxes.map(({ message, buttons, isClosed }) => ({
      message,
      buttons,
      isClosed,
    })),
  )

const answerBox = (desk: Desk, response: number) =>
  desk.app.evaluate((_electron, which) => {
    const held = globalThis as unknown as { boxes: { answer: (response: number) => void }[] }
    held.boxes.at(-1)?.answer(which)
  }, response)

/** Ends the process of the page, as running out of memory does; true once main has heard of it. */
const endPage = (desk: Desk) =>
  desk.app.evaluate(
    ({ BrowserWindow }) =>
      new Promise((done) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        contents?.once('render-process-gone', () => done(true))
        contents?.forcefullyCrashRenderer()
      }),
  )

const logged = (desk: Desk) => readFileSync(path.join(desk.userData, 'lectern.log'), 'utf8')

test('a page that ends is there again; one that ends again at once asks first', async ({ desk }) => {
  await holdBoxes(desk)
  expect(await endPage(desk)).toBe(true)
  await expect.poll(() => heading(desk)).toBe('Which archive?')
  expect(await boxes(desk)).toEqual([])
  expect(logged(desk)).toContain('The page ended')
  expect(await endPage(desk)).toBe(true)
  await expect.poll(() => boxes(desk)).toHaveLength(1)
  expect(await boxes(desk)).toEqual([
    { message: words.ended, buttons: [words.again, words.close], isClosed: false },
  ])
  await answerBox(desk, 0)
  await expect.poll(() => heading(desk)).toBe('Which archive?')
})

test('a preload that fails is logged, and loading it again is offered', async ({ desk }) => {
  await holdBoxes(desk)
  await desk.app.evaluate(({ BrowserWindow }) => {
    // An event of a page's contents.
    BrowserWindow.getAllWindows()[0]?.webContents.emit('preload-error', {}, 'preload.cjs', new Error('broke'))
  })
  await expect.poll(() => boxes(desk)).toHaveLength(1)
  expect(await boxes(desk)).toEqual([
    { message: words.ended, buttons: [words.again, words.close], isClosed: false },
  ])
  expect(logged(desk)).toContain('The preload failed')
  await desk.page.evaluate(() => document.querySelector('h1')?.replaceChildren('stuck'))
  await answerBox(desk, 0)
  await expect.poll(() => heading(desk)).toBe('Which archive?')
})

test('a page that does not answer is offered to be shown again, until it answers', async ({ desk }) => {
  await holdBoxes(desk)
  const tell = (event: 'unresponsive' | 'responsive') =>
    desk.app.evaluate(({ BrowserWindow }, name) => {
      // Both are events of a page's contents.
      BrowserWindow.getAllWindows()[0]?.webContents.emit(name)
    }, event)
  await tell('unresponsive')
  await tell('unresponsive')
  await expect.poll(() => boxes(desk)).toHaveLength(1)
  await tell('responsive')
  await expect
    .poll(() => boxes(desk))
    .toEqual([{ message: words.silent, buttons: [words.wait, words.again], isClosed: true }])
  await desk.page.evaluate(() => document.querySelector('h1')?.replaceChildren('stuck'))
  await tell('unresponsive')
  await expect.poll(() => boxes(desk)).toHaveLength(2)
  await answerBox(desk, 1)
  await expect.poll(() => heading(desk)).toBe('Which archive?')
})

test('a window opens at the place where it was left, but not at one that ended its page', async ({
  desk,
}) => {
  const file = path.join(desk.userData, 'window.json')
  const place = '#/packages/AIP%2F1?text=oxen'
  const url = () =>
    desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL())
  const crash = () =>
    desk.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    )
  // A window is remembered once it has come to its place on the screen.
  await expect.poll(() => existsSync(file)).toBe(true)
  let closed = 0
  // The second is closed as soon as it is there.
  for (const hash of ['#/orders', place]) {
    await goTo(desk.page, hash)
    await expect.poll(url).toContain(hash)
    await desk.app.close()
    closed = statSync(file).mtimeMs
    await desk.restart('started')
    expect(await url()).toContain(hash)
  }
  await expect.poll(() => statSync(file).mtimeMs).toBeGreaterThan(closed)
  await holdBoxes(desk)
  await crash()
  await expect.poll(() => heading(desk)).toBe('Which archive?')
  await crash()
  await expect.poll(() => boxes(desk)).toHaveLength(1)
  await desk.restart('quit')
  expect(await url()).not.toContain('#')
})

test('a window that takes a while to go is remembered where it was closed', async ({ desk }) => {
  const file = path.join(desk.userData, 'window.json')
  const placeLeft = () => (JSON.parse(readFileSync(file, 'utf8')) as { place: string }).place
  await expect.poll(() => existsSync(file)).toBe(true)
  await goTo(desk.page, '#/packages/1')
  await expect
    .poll(() =>
      desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL()),
    )
    .toContain('#/packages/1')
  const wasPlaced = statSync(file).mtimeMs
  await desk.app.evaluate(
    ({ app, BrowserWindow }) =>
      new Promise((done) => {
        app.once('browser-window-created', (_event, window) =>
          window.once('show', () => {
            window.emit('close')
            // A frame of its page that was on its way goes with it.
            window.webContents.emit('did-fail-load', {}, -3, 'ERR_ABORTED', 'app://viewer/viewer.html', false)
            // By then the window has come to its place on the screen, and is still there.
            setTimeout(done, 1_000)
          }),
        )
        const [open] = BrowserWindow.getAllWindows()
        open?.once('closed', () => app.emit('activate'))
        open?.close()
      }),
  )
  expect(statSync(file).mtimeMs).toBeGreaterThan(wasPlaced)
  expect(placeLeft()).toBe('packages/1')
})

test('a place whose page cannot be shown is opened once, and none after a kill', async ({ desk }) => {
  const file = path.join(desk.userData, 'window.json')
  const placeLeft = () => (JSON.parse(readFileSync(file, 'utf8')) as { place: string }).place
  const url = () =>
    desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL())
  const closeWindow = async () => {
    await desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
    await expect.poll(() => desk.app.windows().length).toBe(0)
  }
  await expect.poll(() => existsSync(file)).toBe(true)
  await goTo(desk.page, '#/packages/1')
  await expect.poll(url).toContain('#/packages/1')
  await closeWindow()
  expect(placeLeft()).toBe('packages/1')
  await holdBoxes(desk)
  await desk.app.evaluate(({ app }) => {
    app.once('browser-window-created', (_event, window) => {
      window.show = () => undefined
      window.webContents.on('did-finish-load', () => window.webContents.forcefullyCrashRenderer())
    })
    app.emit('activate')
  })
  await expect.poll(() => boxes(desk)).toHaveLength(1)
  await answerBox(desk, 1)
  await expect.poll(() => desk.app.windows().length).toBe(0)
  expect(placeLeft()).toBe('')

  const forgotten = statSync(file).mtimeMs
  await desk.restart('quit')
  await expect.poll(() => statSync(file).mtimeMs).toBeGreaterThan(forgotten)
  await goTo(desk.page, '#/packages/2')
  await expect.poll(url).toContain('#/packages/2')
  await desk.app.close()
  const closed = statSync(file).mtimeMs
  await desk.restart('started')
  expect(await url()).toContain('#/packages/2')
  await expect.poll(() => statSync(file).mtimeMs).toBeGreaterThan(closed)
  await desk.restart('kill')
  expect(await url()).not.toContain('#')
})

test('a window opens where and as it was left, and does not move by itself', async ({ desk }) => {
  const file = path.join(desk.userData, 'window.json')
  const left = () => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as unknown
    } catch {
      return undefined
    }
  }
  const bounds = () =>
    desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds())
  const isMaximized = () =>
    desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMaximized())
  // Written first when it has come to its place.
  await expect.poll(left).toHaveProperty('isMaximized', false)
  await desk.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    window?.setBounds({ x: 200, y: 150, width: 900, height: 700 })
    window?.maximize()
  })
  await desk.restart('quit')
  expect(left()).toMatchObject({ isMaximized: true })
  await expect.poll(isMaximized).toBe(true)
  await desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.unmaximize())
  const opened = await bounds()
  for (let start = 0; start < 2; start += 1) {
    await desk.app.close()
    const closed = statSync(file).mtimeMs
    await desk.restart('started')
    await expect.poll(() => statSync(file).mtimeMs).toBeGreaterThan(closed)
    expect(await bounds()).toEqual(opened)
  }
})

test.describe('where nothing is drawn in a window before it is shown', () => {
  test.skip(process.platform !== 'linux', 'Only compositors of Wayland do so.')
  test.use({ environment: { STAND_IN_WAYLAND: '1' } })

  test('the window is shown once its page is loaded', async ({ desk }) => {
    await expect
      .poll(() => desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
      .toBe(true)
  })
})

test('a dialog opens where the last thing of its kind lay, as long as that is there', async ({ desk }) => {
  const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-dialogs-'))
  const folder = path.join(place, 'påsar')
  mkdirSync(folder)
  /** Chooses a bag to check, and gives where the dialog opened. */
  const opensIn = async (chosen: string[]) => {
    await desk.app.evaluate(({ dialog }, filePaths) => {
      dialog.showOpenDialog = (...given: unknown[]) => {
        const { defaultPath } = given.at(-1) as Electron.OpenDialogOptions
        Object.assign(globalThis, { defaultPath })
        return Promise.resolve({ canceled: filePaths.length === 0, filePaths })
      }
    }, chosen)
    const reply = await desk.page.evaluate(() => window.bridge.application.checks.choose({ what: 'files' }))
    expect(reply).toHaveProperty('value')
    return desk.app.evaluate(() => (globalThis as { defaultPath?: string }).defaultPath)
  }
  expect(await opensIn([path.join(folder, 'påse.zip')])).toBeUndefined()
  expect(await opensIn([])).toBe(folder)
  await desk.restart('quit')
  expect(await opensIn([])).toBe(folder)
  rmSync(place, { recursive: true })
  expect(await opensIn([])).toBeUndefined()
})

/** Whether pages are in a sandbox, and whether somebody said that they cannot be. */
const sandbox = (desk: Desk) =>
  desk.app.evaluate(({ app }) => ({
    isOn: app.commandLine.hasSwitch('enable-sandbox'),
    isRefused: app.commandLine.hasSwitch('no-sandbox'),
  }))

test('every page is in a sandbox, unless there can be none', async ({ desk }) => {
  const { isOn, isRefused } = await sandbox(desk)
  expect(isOn).toBe(!isRefused)
})

/** The process of the archive on this computer. */
const archiveProcess = async (desk: Desk) => {
  const pid = await desk.app.evaluate(
    ({ app }) => app.getAppMetrics().find(({ name }) => name === 'Lectern archive')?.pid,
  )
  if (pid === undefined) throw new Error('The archive has no process')
  return pid
}

test('the archive’s process has V8’s flags', async ({ desk }) => {
  test.skip(process.platform !== 'linux', 'Another system does not show the command line of a process.')
  await openHere(desk)
  const commandLine = readFileSync(`/proc/${await archiveProcess(desk)}/cmdline`, 'utf8')
  for (const flag of archiveFlags) expect(commandLine).toContain(flag)
})

test('a desk that nobody is signed in to ends when it is told to', async ({ desk }) => {
  const ended = new Promise((done) => desk.app.process().once('exit', done))
  await desk.app.evaluate(({ app }) => app.quit()).catch(() => undefined)
  await ended
})

test('an archive that hangs holds up no end of the program, and ends with it', async ({ desk }) => {
  test.skip(process.platform === 'win32', 'There is no signal that stops a process there.')
  await openHere(desk)
  const pid = await archiveProcess(desk)
  process.kill(pid, 'SIGSTOP')
  const began = performance.now()
  await desk.app.close()
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect(logged(desk)).toMatch(/The archive in .* did not stop within 3 s and was killed\./)
})

test('without a sandbox, as root needs it, the window shows its page', async ({ desk }) => {
  await desk.restart('quit', ['--no-sandbox'])
  expect(await sandbox(desk)).toEqual({ isOn: false, isRefused: true })
  await expect(desk.page.getByRole('heading', { name: 'Which archive?' })).toBeVisible()
})

test('a start that fails says why, and where the log lies', async () => {
  test.skip(process.env['ELECTRON_OVERRIDE_DIST_PATH'] === undefined, 'There a box waits for a person.')
  const userData = mkdtempSync(path.join(os.tmpdir(), 'lectern-newer-'))
  const newer = new DatabaseSync(path.join(userData, 'desk.sqlite'))
  newer.exec('pragma user_version = 9999')
  newer.close()
  const started = spawn(
    process.execPath,
    [path.join(root, 'node_modules/electron/cli.js'), root, `--user-data-dir=${userData}`],
    { env: { ...process.env, LANG: 'sv_SE.UTF-8' }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  started.stderr.on('data', (part: Buffer) => (said += String(part)))
  expect(await new Promise((done) => started.once('exit', done))).toBe(1)
  expect(said).toContain('Lectern kunde inte starta.: Orsak: desk.sqlite was written by a newer version')
  const log = path.join(userData, 'lectern.log')
  expect(said).toContain(log)
  expect(readFileSync(log, 'utf8')).toContain('The start failed')
  rmSync(userData, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
})
