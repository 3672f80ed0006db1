import OpenSeadragon from 'openseadragon'
import { entryIn } from '../../../electron/common/records.ts'
import './picture-stage.css'
import { element } from '../element.ts'
import type { Controls, Stage } from '../kind.ts'
import type { View } from '../messages.ts'
import { openCanvas, type Picture } from './picture.ts'
import { smallPictureOf } from './small-picture.ts'

const { Point, TileSource, Viewer } = OpenSeadragon

/** Pictures that are pages of one file. */
export interface Pictures {
  /** What a screen reader calls them. */
  name: string
  /** So many are known. */
  count: number
  /** How many there are, once all of them were found. */
  counted?: Promise<number>
  /** @param index from 0 */
  open: (index: number) => Promise<Picture>
}

/** Pixels on a side of what is painted at once. */
const tileSize = 512
/** So many tiles are kept, of 1 MB each. */
const keptTiles = 96
const zoomStep = 1.4
/** Screen pixels for each pixel of the picture at most. */
const closest = 16

type Job = Parameters<OpenSeadragon.TileSource['downloadTileStart']>[0]

/** What came of the painting so far. */
interface Outcome {
  painted: number
  /** Why a part could not be painted at all. */
  failure?: unknown
  /** Something is left white. */
  isPartial: boolean
}

/** Gives OpenSeadragon what it shows: a picture at every power of two of its size, in squares. */
const tilesOf = (picture: Picture, outcome: Outcome, versionOf: () => string) => {
  const { width, height, paint } = picture
  const source = new TileSource({ width, height, tileSize, tileOverlap: 0 })
  // The smallest one is a square or less: a picture that small has no other.
  source.minLevel = source.maxLevel - Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / tileSize)))
  const leaving = new WeakMap<Job, AbortController>()
  source.getTileUrl = (level, x, y) => `${versionOf()}/${level}/${x}/${y}`
  source.hasTransparency = () => false
  source.downloadTileStart = (job) => {
    const [level = 0, x = 0, y = 0] = job.src.split('/').slice(-3).map(Number)
    const reduction = 2 ** (source.maxLevel - level)
    const [left, top] = [x * tileSize * reduction, y * tileSize * reduction]
    const part = {
      left,
      top,
      width: Math.min(tileSize * reduction, width - left),
      height: Math.min(tileSize * reduction, height - top),
      reduction,
    }
    const leave = new AbortController()
    leaving.set(job, leave)
    const context = openCanvas(Math.ceil(part.width / reduction), Math.ceil(part.height / reduction))
    // What is drawn was drawn on paper.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, context.canvas.width, context.canvas.height)
    const painting = async () => paint(part, context, leave.signal)
    painting().then(
      (isAll) => {
        outcome.painted += 1
        outcome.isPartial ||= !isAll
        job.finish(context, null, 'context2d')
      },
      (error: unknown) => {
        outcome.failure = error
        outcome.isPartial = true
        job.fail(String(error), null)
      },
    )
  }
  source.downloadTileAbort = (job) => leaving.get(job)?.abort()
  return source
}

const openViewer = (root: HTMLElement) => {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const place = element('div', { class: 'picture-stage' })
  root.append(place)
  return new Viewer({
    element: place,
    drawer: 'canvas',
    showNavigationControl: false,
    showNavigator: true,
    navigatorPosition: 'BOTTOM_RIGHT',
    navigatorAutoFade: false,
    navigatorSizeRatio: 0.2,
    navigatorOpacity: 1,
    keyboardNavEnabled: false,
    gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
    animationTime: isCalm ? 0 : 0.4,
    zoomPerScroll: 1.25,
    visibilityRatio: 0.5,
    maxZoomPixelRatio: closest,
    minPixelRatio: 0.75,
    viewportMargins: { left: 24, top: 24, right: 24, bottom: 24 },
    maxImageCacheCount: keptTiles,
    imageLoaderLimit: 3,
    tileRetryMax: 0,
  })
}

/** The view as the page knows it, and where it is asked for. */
const viewOf = (viewer: OpenSeadragon.Viewer, { width, height, enlarged = 1 }: Picture) => {
  const { viewport } = viewer
  const zoomAt = (zoom: number) => viewport.imageToViewportZoom(zoom / enlarged)
  return {
    now: (): View => {
      const middle = viewport.viewportToImageCoordinates(viewport.getCenter(true))
      const zoom = viewport.viewportToImageZoom(viewport.getZoom(true)) * enlarged
      return { x: middle.x / width, y: middle.y / height, zoom }
    },
    show: ({ x, y, zoom }: View, isAtOnce: boolean) => {
      viewport.zoomTo(zoomAt(zoom), undefined, isAtOnce)
      viewport.panTo(viewport.imageToViewportCoordinates(new Point(x * width, y * height)), isAtOnce)
    },
    /** All of it; a small one not larger than it is. */
    begin: () => {
      // Its types do not know of this one.
      Object.assign(viewport, { minZoomLevel: Math.min(zoomAt(1), viewport.getHomeZoom() / 2) })
      viewport.goHome(true)
      if (viewport.getZoom() > zoomAt(1)) viewport.zoomTo(zoomAt(1), undefined, true)
    },
    fit: () => void viewport.goHome(),
    zoomTo: (zoom: number) => void viewport.zoomTo(zoomAt(zoom)).applyConstraints(),
    zoomBy: (factor: number) => void viewport.zoomBy(factor).applyConstraints(),
    panBy: (x: number, y: number) =>
      void viewport.panBy(viewport.deltaPointsFromPixels(new Point(x, y))).applyConstraints(),
    isWhole: () => {
      const seen = viewport.getBoundsNoRotate(true)
      return seen.width >= 0.99 && seen.height >= (0.99 * height) / width
    },
  }
}
type Viewing = ReturnType<typeof viewOf>

const isSame = (one: View | undefined, other: View) =>
  one !== undefined &&
  Math.abs(one.x - other.x) + Math.abs(one.y - other.y) < 0.0005 &&
  Math.abs(one.zoom / other.zoom - 1) < 0.0005

/** Shows a picture in place of the one before, once its first view is painted. */
const showPicture = async (viewer: OpenSeadragon.Viewer, picture: Picture, page: number) => {
  const outcome: Outcome = { painted: 0, isPartial: false }
  let version = 0
  const source = tilesOf(picture, outcome, () => `${page}/${version}`)
  const opened = Promise.withResolvers<void>()
  viewer.addOnceHandler('open', () => opened.resolve())
  viewer.addOnceHandler('open-failed', ({ message }) => opened.reject(new Error(message)))
  viewer.open([{ tileSource: source }])
  await opened.promise
  const item = viewer.world.getItemAt(0)
  viewOf(viewer, picture).begin()
  if (picture.moving) viewer.addOverlay({ element: picture.moving, location: item.getBounds() })
  const painted = Promise.withResolvers<void>()
  const settle = () => {
    if (item.getFullyLoaded()) painted.resolve()
  }
  item.addHandler('fully-loaded-change', settle)
  settle()
  await painted.promise
  item.removeHandler('fully-loaded-change', settle)
  return {
    outcome,
    refresh: () => {
      version += 1
      item.reset()
      viewer.navigator.world.getItemAt(0)?.reset()
      viewer.forceRedraw()
    },
  }
}

/** Keys that move a picture. Arrows are the page’s as long as all of it is seen. */
const pressed = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent, viewing: Viewing): boolean => {
  if (ctrlKey || altKey || metaKey) return false
  const arrows: Record<string, [number, number]> = {
    ArrowLeft: [-80, 0],
    ArrowRight: [80, 0],
    ArrowUp: [0, -80],
    ArrowDown: [0, 80],
  }
  const arrow = entryIn(arrows, key)
  if (arrow && viewing.isWhole()) return false
  if (arrow) viewing.panBy(...arrow)
  else if (key === '+' || key === '=') viewing.zoomBy(zoomStep)
  else if (key === '-') viewing.zoomBy(1 / zoomStep)
  else if (key === '0') viewing.fit()
  else if (key === '1') viewing.zoomTo(1)
  else return false
  return true
}

const nameParts = ({ canvas, navigator }: OpenSeadragon.Viewer, name: string, picture: Picture) => {
  const [width, height] = [picture.width, picture.height].map((side) => side / (picture.enlarged ?? 1))
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', `${name}, ${Math.round(width ?? 0)} × ${Math.round(height ?? 0)}`)
  // The small picture is for the mouse; keys move the large one.
  navigator.element.setAttribute('aria-hidden', 'true')
  for (const inside of navigator.element.querySelectorAll('[tabindex]')) inside.removeAttribute('tabindex')
}

/** Tells the page what is seen, but not what it asked for itself: two that move as one would never rest. */
const teller = (viewer: OpenSeadragon.Viewer, stage: Stage) => {
  let [told, asked]: (View | undefined)[] = []
  return {
    tell: (viewing: Viewing) => {
      const view = viewing.now()
      viewer.navigator.element.hidden = viewing.isWhole()
      if (isSame(told, view)) return
      told = view
      const zoom = Math.round(view.zoom * 100)
      stage.stands(isSame(asked, view) ? { zoom } : { zoom, view })
    },
    expect: (view: View) => {
      asked = view
    },
  }
}

/** Keeps a picture fitted, or at least whole, where the frame that it is shown in has another size. */
const fitter = (viewer: OpenSeadragon.Viewer) => {
  let [isResized, wasFitted, wasWhole] = [false, false, false]
  viewer.addHandler('resize', () => (isResized = true))
  return (viewing: Viewing) => {
    if (isResized && (wasFitted || (wasWhole && !viewing.isWhole()))) viewer.viewport.goHome(true)
    isResized = false
    const { viewport } = viewer
    wasFitted = Math.abs(viewport.getZoom(true) / viewport.getHomeZoom() - 1) < 0.01
    wasWhole = viewing.isWhole()
  }
}

/**
 * Shows pictures, one at a time, each as large as one wants: only what is seen is painted, at the size at
 * which it is seen. Resolves when the first view of the first one is painted.
 * @throws whatever the painting of the first view throws
 */
export const showPictures = async (pictures: Pictures, stage: Stage): Promise<Controls> => {
  const first = await pictures.open(0)
  const viewer = openViewer(stage.root)
  stage.signal.addEventListener('abort', () => viewer.destroy())
  const { tell, expect } = teller(viewer, stage)
  const page = { number: 1, of: pictures.count }
  const tellPage = () => {
    if (page.of > 1) stage.stands({ page: { number: page.number, of: page.of } })
  }
  let shown = first
  let viewing = viewOf(viewer, first)
  let leaving = new AbortController()
  let isWarned = false
  const warn = () => {
    if (!isWarned) stage.note(stage.say.pictures.partUnreadable)
    isWarned = true
  }
  const show = async (picture: Picture, leave: AbortSignal) => {
    shown = picture
    viewing = viewOf(viewer, picture)
    nameParts(viewer, pictures.name, picture)
    const { outcome, refresh } = await showPicture(viewer, picture, page.number)
    if (outcome.painted === 0) throw outcome.failure
    if (outcome.isPartial) warn()
    tellPage()
    tell(viewing)
    picture.complete?.(refresh, AbortSignal.any([leave, stage.signal])).catch(warn)
  }
  await show(first, leaving.signal)
  const refit = fitter(viewer)
  viewer.addHandler('update-viewport', () => {
    refit(viewing)
    tell(viewing)
  })
  viewer.addHandler('tile-load-failed', warn)
  stage.root.addEventListener('keydown', (event) => {
    if (pressed(event, viewing)) event.preventDefault()
  })
  pictures.counted?.then((of) => {
    page.of = of
    tellPage()
  }, warn)
  const turn = async (number: number) => {
    leaving.abort()
    leaving = new AbortController()
    const { signal } = leaving
    page.number = Math.min(page.of, Math.max(1, Math.round(number)))
    const picture = await pictures.open(page.number - 1)
    if (!signal.aborted) await show(picture, signal)
  }
  const controls: Controls = {
    zoom: (to) => {
      if (to === 'in') viewing.zoomBy(zoomStep)
      else if (to === 'out') viewing.zoomBy(1 / zoomStep)
      else if (to === 'fit') viewing.fit()
      else viewing.zoomTo(1)
    },
    rotate: () => void viewer.viewport.rotateBy(90),
    brightness: (percent) => viewer.element.style.setProperty('--brightness', `${percent}%`),
    small: async (side, number = page.number) => {
      const picture =
        number === page.number ? shown : await pictures.open(Math.min(page.of, Math.max(1, number)) - 1)
      return smallPictureOf(picture, side, stage.signal, viewer.viewport.getRotation())
    },
    move: (view) => {
      expect(view)
      viewing.show(view, true)
    },
  }
  if (page.of > 1) controls.goToPage = (number) => void turn(number).catch(warn)
  return controls
}
