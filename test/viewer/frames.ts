import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import * as v from 'valibot'
import { chromium, type Browser, type BrowserContext, type Frame, type Page, type Route } from 'playwright'
import { content, openContentAnswers } from '../../electron/reader/content-answer.ts'
import { answerFrom, frame as frameAddress } from '../../electron/shell/page-files.ts'
import { readFrameMessage } from '../../renderer/pages/reader/frame-messages.ts'
import {
  smallSide,
  type Asked,
  type Fact,
  type Shown,
  type SmallPicture,
  type Standing,
  type ToolName,
  type Trouble,
} from '../../renderer/viewer/messages.ts'
import { memoryOf } from '../bench/measure.ts'
import { findChromium } from '../setup/find-chromium.mjs'

const builtViewer = path.resolve(import.meta.dirname, '../../out/viewer')
const configFile = path.resolve(import.meta.dirname, '../../renderer/viewer/vite.config.ts')
const desk = 'https://desk-app.invalid/index.html'

/** As in the stand-in for Electron, app://viewer/x travels as https://viewer-app.invalid/x. */
const toApp = (url: string) => url.replace(/^https:\/\/([a-z]+)-app\.invalid/, 'app://$1')
const toWire = (text: string) => text.replace(/app:\/\/([a-z]+)/g, 'https://$1-app.invalid')

/** What a frame was given to draw, and what it told of it. */
export interface Drawn {
  frame: Frame
  kind: string
  /** Names of files in the file that were gone into. */
  inside: string[]
  tools: readonly ToolName[]
  facts: Fact[]
  notes: string[]
  /** Paths of files that were asked for. */
  named: string[]
  standing: Standing
  trouble: Trouble | undefined
  detail: string
  /** So many bytes of the file were read. */
  read: number
  /** Addresses that were asked for and are nobody's to ask: none, if all is well. */
  requests: string[]
  /** Asks something of the frame, as the page does. */
  ask: (asked: Asked) => Promise<void>
  /** All text of the drawing. @throws Error where the frame gives none */
  text: () => Promise<string>
  /** The drawing as a small picture. */
  small: () => Promise<SmallPicture | null>
  /** Resolves once what the frame told satisfies this. */
  until: (isSo: (drawn: Drawn) => boolean) => Promise<void>
  close: () => Promise<void>
}

/** A file by its parts, wherever it is. */
export interface Source {
  name: string
  bytes: number
  /** Both included. */
  read: (range: { first: number; last: number }) => Promise<Buffer>
}

/** A file in memory. */
export const inMemory = (name: string, bytes: Uint8Array | string): Source => {
  const whole = Buffer.from(bytes)
  return {
    name,
    bytes: whole.length,
    read: ({ first, last }) => Promise.resolve(whole.subarray(first, last + 1)),
  }
}

const parent = `<!doctype html><html><body style="margin:0"><script>
addEventListener('message', ({ data, source }) => {
  if (source !== document.querySelector('iframe')?.contentWindow) return
  // What is told from here on is JSON, which knows no pixels.
  const isSmall = data.told === 'small' && data.picture
  told(isSmall ? { ...data, picture: { ...data.picture, pixels: [...data.picture.pixels] } } : data)
})
</script></body></html>`

/** Makes pixels of their numbers again. */
const withPixels = (data: unknown): unknown => {
  const read = v.safeParse(v.looseObject({ picture: v.looseObject({ pixels: v.array(v.number()) }) }), data)
  if (!read.success) return data
  const { picture } = read.output
  return { ...read.output, picture: { ...picture, pixels: Uint8ClampedArray.from(picture.pixels) } }
}

const fulfill = async (route: Route, response: Response) =>
  route.fulfill({
    status: response.status,
    headers: Object.fromEntries([...response.headers].map(([name, value]) => [name, toWire(value)])),
    body: Buffer.from(await response.arrayBuffer()),
  })

/** Frames of the viewer as it is built, in a Chromium, without the rest of the app. */
export const openFrames = async (viewer = builtViewer) => {
  const browser: Browser = await chromium.launch({
    executablePath: findChromium() ?? chromium.executablePath(),
    args: [
      '--no-sandbox',
      '--autoplay-policy=no-user-gesture-required',
      // The lists of its address field are pages of their own, which each window would start, seen or not.
      '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
    ],
  })
  return {
    /** Shows a file in a frame of its own, and waits until it is drawn or said why not. */
    show: async (
      source: Source,
      {
        language = 'en',
        looked = '',
        width = 900,
        height = 700,
        theme = 'light',
        isGuarded = true,
        beforeTypeface = () => Promise.resolve(),
      }: {
        language?: 'en' | 'sv'
        looked?: string
        width?: number
        height?: number
        theme?: 'light' | 'dark'
        /** Whether the frame has its policy; without it a test shows that it would see what gets through. */
        isGuarded?: boolean
        /** What is waited for before a typeface is given. */
        beforeTypeface?: (page: Page) => Promise<void>
      } = {},
    ): Promise<Drawn> => {
      const context: BrowserContext = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
      })
      const requests: string[] = []
      const files = {
        bytesOf: (key: string) => (key === 'key' ? source.bytes : undefined),
        read: (_key: string, { first, last }: { first: number; last: number }) =>
          source.read({ first, last: Math.min(last, first + 4 * 1024 * 1024 - 1, source.bytes - 1) }),
      }
      const answerContent = openContentAnswers(files, String)
      await context.route('**', async (route) => {
        const request = route.request()
        const url = toApp(request.url())
        if (request.url() === desk) return route.fulfill({ contentType: 'text/html', body: parent })
        if (url.startsWith(content))
          return fulfill(
            route,
            await answerContent({ url, headers: new Headers(await request.allHeaders()) }),
          )
        if (url.startsWith('app://viewer/')) {
          if (url.endsWith('.woff2')) await beforeTypeface(page)
          const answer = await answerFrom({ desk: viewer, viewer }, url)
          if (!isGuarded) answer.headers.delete('Content-Security-Policy')
          return fulfill(route, answer)
        }
        requests.push(request.url())
        return route.abort()
      })
      const page = await context.newPage()
      const changes = new Set<() => void>()
      const texts = new Map<number, PromiseWithResolvers<string>>()
      const smalls = new Map<number, (picture: SmallPicture | null) => void>()
      let number = 0
      const ask = (asked: Asked) =>
        page.evaluate((message) => {
          document.querySelector('iframe')?.contentWindow?.postMessage(message, '*')
        }, asked)
      const drawn: Omit<Drawn, 'frame'> = {
        kind: '',
        inside: [],
        tools: [],
        facts: [],
        notes: [],
        named: [],
        standing: {},
        trouble: undefined,
        detail: '',
        read: 0,
        requests,
        ask,
        text: async () => {
          number += 1
          const answer = Promise.withResolvers<string>()
          texts.set(number, answer)
          await ask({ ask: 'text', number })
          return answer.promise
        },
        small: async () => {
          number += 1
          const answer = Promise.withResolvers<SmallPicture | null>()
          smalls.set(number, answer.resolve)
          await ask({ ask: 'small', number, side: smallSide })
          return answer.promise
        },
        until: (isSo) =>
          new Promise((done) => {
            const look = () => {
              if (!isSo(whole)) return
              changes.delete(look)
              done()
            }
            changes.add(look)
            look()
          }),
        close: async () => {
          await context.unrouteAll({ behavior: 'ignoreErrors' })
          await context.close()
        },
      }
      const shown: Shown = {
        ask: 'show',
        address: `${toWire(content)}key`,
        name: source.name,
        bytes: source.bytes,
        language,
        accent: '',
        looked,
      }
      const end = Promise.withResolvers<void>()
      await page.exposeFunction('told', (data: unknown) => {
        const told = readFrameMessage(withPixels(data))
        if (!told) return
        if (told.told === 'ready') void ask(shown)
        else if (told.told === 'kind') {
          Object.assign(drawn, {
            kind: told.kind,
            inside: told.path,
            facts: [],
            notes: [],
            standing: {},
            trouble: undefined,
          })
        } else if (told.told === 'facts') drawn.facts.push(...told.facts)
        else if (told.told === 'note') drawn.notes.push(told.note)
        else if (told.told === 'standing') drawn.standing = { ...drawn.standing, ...told.standing }
        else if (told.told === 'read') drawn.read = told.bytes
        else if (told.told === 'text') {
          if (told.text === null) texts.get(told.number)?.reject(new Error('The frame gives no text.'))
          else texts.get(told.number)?.resolve(told.text)
        } else if (told.told === 'file') drawn.named.push(told.path)
        else if (told.told === 'small') smalls.get(told.number)?.(told.picture)
        else if (told.told === 'shown') {
          drawn.tools = told.tools
          end.resolve()
        } else if (told.told === 'trouble') {
          drawn.trouble = told.trouble
          drawn.detail = told.detail
          end.resolve()
        }
        for (const look of changes) look()
      })
      await page.goto(desk)
      await page.evaluate((address) => {
        const made = document.createElement('iframe')
        made.setAttribute('sandbox', 'allow-scripts')
        made.style.cssText = 'border:0;width:100vw;height:100vh;display:block'
        made.src = address
        document.body.append(made)
      }, toWire(frameAddress))
      const handle = await page.waitForSelector('iframe')
      const frame = await handle.contentFrame()
      if (!frame) throw new Error('There is no frame.')
      const whole: Drawn = Object.assign(drawn, { frame })
      await end.promise
      return whole
    },
    /** The most memory that a process which draws has ever held, in MB (Linux; else 0). */
    mostMemory: async (): Promise<number> => {
      if (process.platform !== 'linux') return 0
      const session = await browser.newBrowserCDPSession()
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      await session.detach()
      const drawing = processInfo.filter(({ type }) => type === 'renderer')
      return Math.max(0, ...drawing.map(({ id }) => memoryOf(id, 'VmHWM')))
    },
    close: () => browser.close(),
  }
}

/** As `openFrames`, of a viewer that is built for it: files of tests run side by side. */
export const buildFrames = async (): Promise<Awaited<ReturnType<typeof openFrames>>> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'lectern-viewer-'))
  await build({ configFile, build: { outDir: folder } })
  const { show, mostMemory, close } = await openFrames(folder)
  return {
    show,
    mostMemory,
    close: async () => {
      await close()
      await rm(folder, { recursive: true })
    },
  }
}
