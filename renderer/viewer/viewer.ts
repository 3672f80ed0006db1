import { endingOf } from '../../electron/contract/file-endings.ts'
import './viewer.css'
import { viewerEn } from '../language/viewer.en.ts'
import { viewerSv } from '../language/viewer.sv.ts'
import { openContent, type Content } from './content.ts'
import type { Beginning, Controls, Kind, Played, Stage } from './kind.ts'
import { troubleOf } from './trouble.ts'
import { expectedKind, isMisnamed, kinds } from './kinds.ts'
import { openBoundScroll } from './parts/bound-scroll.ts'
import {
  longestLine,
  longestText,
  printedSide,
  toolNames,
  type Asked,
  type Shown,
  type Standing,
  type FrameMessage,
  type ToolName,
  type View,
} from './messages.ts'

const beginningBytes = 4096
/** How deep files may lie in files: a container can be made that holds itself. */
const deepest = 12

/** The parent knows this frame by its window, since an opaque origin has no name. */
const tell = (told: FrameMessage) => window.parent.postMessage(told, '*')

/**
 * On their way while the file is: until they are there nothing of what is written in them can be seen. One
 * that cannot be had is done without.
 */
const typefaces = Promise.allSettled(
  ['Inter Variable', 'Source Serif 4 Variable'].map((family) => document.fonts.load(`1em '${family}'`)),
)

const readBeginning = async (content: Content): Promise<Beginning> => {
  const bytes = await content.read(0, beginningBytes)
  return {
    extension: endingOf(content.name),
    bytes,
    text: new TextDecoder('x-user-defined').decode(bytes).replace(/[\uf780-\uf7ff]/g, byteOf),
  }
}
/** The encoding "x-user-defined" lays bytes from 0x80 to where nothing else is. */
const byteOf = (sign: string) => String.fromCharCode(sign.charCodeAt(0) - 0xf700)

/** What is empty is of no kind, whatever its name: it is said to be empty, as a text is. */
const kindOf = (beginning: Beginning, content: Content): Kind => {
  const found = kinds.find(({ name, matches }) =>
    content.bytes === 0 ? name === 'text' : matches(beginning, content),
  )
  if (!found) throw new Error('The last kind draws any file.')
  return found
}

const methods: Record<ToolName, keyof Controls> = {
  zoom: 'zoom',
  rotate: 'rotate',
  brightness: 'brightness',
  pages: 'goToPage',
  find: 'find',
  text: 'text',
  view: 'move',
  picture: 'small',
}
const toolsOf = (controls: Controls) => toolNames.filter((tool) => controls[methods[tool]] !== undefined)

/** What is drawn now: the files that lie in one another, the innermost last, and what can be done with it. */
let way: Content[] = []
let controls: Controls = {}
let leaving = new AbortController()
let surroundings: Pick<Shown, 'language' | 'looked'> = { language: 'en', looked: '' }
let standing: Standing = {}
/** Leads to the place in a drawing that is wanted; undefined once somebody was led there. */
let lead: (() => Promise<void>) | undefined
/** The frame draws one file in its life: what is read of another one would be another frame's. */
const life = new AbortController()

const stand = (changed: Standing) => {
  standing = { ...standing, ...changed }
  tell({ told: 'standing', standing: changed })
}

/** What is no picture is moved by being scrolled. */
const bound = openBoundScroll((view) => {
  if (!controls.move) stand({ view })
})
bound.listen(life.signal)

const asLine = (text: string) => (text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text)

const stageOf = (root: HTMLElement, signal: AbortSignal): Stage => {
  const { language } = surroundings
  const whileShown = (told: FrameMessage) => {
    if (!signal.aborted) tell(told)
  }
  return {
    root,
    language,
    say: language === 'sv' ? viewerSv : viewerEn,
    addFacts: (...facts) => {
      const stated = facts.filter(({ value }) => value.trim() !== '')
      whileShown({ told: 'facts', facts: stated.map(({ name, value }) => ({ name, value: asLine(value) })) })
    },
    note: (note) => whileShown({ told: 'note', note }),
    open: (inside) => {
      if (!signal.aborted && way.length < deepest) draw([...way, inside])
    },
    openNamed: way.length > 1 ? undefined : (path) => whileShown({ told: 'file', path }),
    stands: (changed) => {
      if (!signal.aborted) stand(changed)
    },
    signal,
  }
}

/** Leads whoever comes from a hit of a search to its place. */
const findLooked = async () => {
  if (surroundings.looked !== '') await controls.find?.(surroundings.looked, false)
}

/** The page knows where it asked for; who draws it anew must know too. */
const move = (view: View) => {
  standing = { ...standing, view }
  const { move: moveTo = bound.move } = controls
  moveTo(view)
}

/** Leads back to where a drawing stood before it was drawn anew. */
const goBackTo = async ({ choices = [], page, view }: Standing, played?: Played) => {
  for (const { name, chosen } of choices)
    if (standing.choices?.some((one) => one.name === name && one.chosen !== chosen))
      await controls.choose?.(name, chosen)
  if (page) controls.goToPage?.(page.number)
  if (view) move(view)
  if (played) controls.playOn?.(played)
}

const leadThere = async (leadTo: () => Promise<void>, signal: AbortSignal) => {
  await leadTo()
  if (!signal.aborted) lead = undefined
}

/** Draws the innermost of some files; whatever goes wrong is told as the reason why nothing is drawn. */
const draw = (next: Content[], leadTo = findLooked): void => {
  drawing(next, leadTo).catch(reportError)
}

const drawing = async (next: Content[], leadTo: () => Promise<void>) => {
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  way = next
  lead = leadTo
  controls = {}
  standing = {}
  const content = next.at(-1)
  const root = document.createElement('main')
  root.id = 'stage'
  document.querySelector('#stage')?.replaceWith(root)
  if (!content) return
  try {
    // What draws it is on its way while its beginning is; where it is another, that fails nothing.
    expectedKind(endingOf(content.name))
      ?.load()
      .catch(() => undefined)
    const beginning = await readBeginning(content)
    const kind = kindOf(beginning, content)
    document.documentElement.dataset['kind'] = kind.name
    tell({ told: 'kind', kind: kind.name, path: next.slice(1).map(({ name }) => name) })
    const { draw: drawKind } = await kind.load()
    const stage = stageOf(root, signal)
    if (isMisnamed(beginning, kind.name)) stage.note(stage.say.notAsNamed(beginning.extension))
    const given = await drawKind(content, stage)
    await typefaces
    if (signal.aborted) return
    controls = given ?? {}
    tell({ told: 'shown', tools: toolsOf(controls) })
    leadThere(leadTo, signal).catch(reportError)
  } catch (error) {
    if (!signal.aborted) tell({ told: 'trouble', ...troubleOf(error) })
  }
}

const show = (shown: Shown) => {
  const { address, name, bytes, language, accent } = shown
  document.documentElement.lang = language
  document.documentElement.dataset['accent'] = accent
  surroundings = shown
  const progressed = (read: number) => tell({ told: 'read', bytes: read, isWhole: read >= bytes })
  draw([openContent({ address, name, bytes, progressed, signal: life.signal })])
}

/** Draws what is shown in another language, at its place, also where nobody was led to that yet. */
const speak = (language: Shown['language']) => {
  document.documentElement.lang = language
  surroundings = { language, looked: surroundings.looked }
  const [stood, played] = [standing, controls.played?.()]
  draw(way, lead ?? (() => goBackTo(stood, played)))
}

const act = async (asked: Extract<Asked, { ask: 'act' }>) => {
  if (asked.act === 'zoom') controls.zoom?.(asked.to)
  else if (asked.act === 'rotate') controls.rotate?.()
  else if (asked.act === 'brightness') controls.brightness?.(asked.percent)
  else if (asked.act === 'page') controls.goToPage?.(asked.number)
  else if (asked.act === 'view') move(asked.view)
  else if (asked.act === 'find') await controls.find?.(asked.text, asked.isBackwards)
  else if (asked.act === 'choose') await controls.choose?.(asked.name, asked.value)
  else if (way.length > 1) draw(way.slice(0, -1))
}

const textOf = async ({ text }: Controls) => (await text?.()) ?? ''

window.addEventListener('message', (event: MessageEvent<Asked>) => {
  if (event.source !== window.parent) return
  const asked = event.data
  if (asked.ask === 'show') show(asked)
  else if (asked.ask === 'language') speak(asked.language)
  else if (asked.ask === 'alive') tell({ told: 'alive', number: asked.number })
  else if (asked.ask === 'act')
    act(asked).catch((error: unknown) => tell({ told: 'trouble', ...troubleOf(error) }))
  else if (asked.ask === 'small')
    Promise.resolve(controls.small?.(Math.min(asked.side, printedSide), asked.page) ?? null).then(
      (picture) => tell({ told: 'small', number: asked.number, picture }),
      () => tell({ told: 'small', number: asked.number, picture: null }),
    )
  else
    textOf(controls).then(
      (text) => tell({ told: 'text', number: asked.number, text: text.length > longestText ? null : text }),
      () => tell({ told: 'text', number: asked.number, text: null }),
    )
})
/** Keys are the page’s where nothing in the frame takes them: Esc, F6, F1, to the next file. */
window.addEventListener('keydown', ({ key, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented }) => {
  if (!defaultPrevented) tell({ told: 'key', key, altKey, ctrlKey, metaKey, shiftKey })
})
tell({ told: 'ready' })
