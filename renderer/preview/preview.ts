import { getDocument } from 'unpdf/pdfjs'
import { isDrawable } from './drawing.ts'

/** What the page around this frame sends once: a content and what kind it is. */
interface Shown {
  kind: 'text' | 'image' | 'pdf'
  name: string
  content: string
}

/**
 * What the page around this frame hears: that it may send, that drawing goes on, and how it ended. When it
 * hears nothing for a while, it takes the frame away.
 */
type Told = 'ready' | 'drawing' | 'shown' | 'broken' | 'too complex'

const mostPages = 50
/** Pixels on a side of a drawing, which has no size of its own. */
const drawnWidth = 1_600
const mostHeight = 8_000
const main = document.querySelector('main')

/** The parent knows this frame by its window, since an origin that is nobody's has no name. */
const post = (told: Told) => window.parent.postMessage(told, '*')

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

const showText = (bytes: Uint8Array) => {
  const text = document.createElement('pre')
  text.textContent = new TextDecoder().decode(bytes)
  main?.append(text)
}

const canvasOf = (width: number, height: number, name: string) => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width))
  canvas.height = Math.max(1, Math.round(height))
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', name)
  return canvas
}

const imageOf = async (content: Blob, name: string) => {
  const image = document.createElement('img')
  image.alt = name
  image.src = URL.createObjectURL(content)
  await image.decode()
  return image
}

const showImage = async (bytes: Uint8Array<ArrayBuffer>, name: string) =>
  main?.append(await imageOf(new Blob([bytes]), name))

/** Painting is put off until somebody looks at the pixels. */
const paintNow = (context: CanvasRenderingContext2D) => {
  try {
    context.getImageData(0, 0, 1, 1)
  } catch {
    // Pixels of a drawing with HTML in it may be painted, but not read.
  }
}

/**
 * A drawing in XML becomes pixels in this process (a canvas that is to be read back is painted by the
 * processor), since what takes for ever to paint would else hold up the process that paints every window.
 */
const showDrawing = async (bytes: Uint8Array<ArrayBuffer>, name: string) => {
  const image = await imageOf(new Blob([bytes], { type: 'image/svg+xml' }), name)
  const height = (drawnWidth * (image.naturalHeight || 1)) / (image.naturalWidth || 1)
  const canvas = canvasOf(drawnWidth, Math.min(mostHeight, height), name)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('No canvas')
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  paintNow(context)
  main?.append(canvas)
}

const showPdf = async (bytes: Uint8Array) => {
  const pdf = await getDocument({ data: bytes, useSystemFonts: true, disableFontFace: true }).promise
  for (let number = 1; number <= Math.min(mostPages, pdf.numPages); number += 1) {
    const page = await pdf.getPage(number)
    const viewport = page.getViewport({ scale: 1.5 })
    const canvas = canvasOf(viewport.width, viewport.height, `${number}`)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('No canvas')
    await page.render({ canvas, canvasContext: context, viewport }).promise
    main?.append(canvas)
    post('drawing')
  }
}

/** Draws a content in a frame that has a process and an origin of its own, no bridge and no network. */
const show = async ({ kind, name, content }: Shown): Promise<Told> => {
  const bytes = bytesOf(content)
  if (kind === 'text') showText(bytes)
  else if (kind === 'pdf') await showPdf(bytes)
  // Only of a drawing in XML the bytes do not say what they are.
  else if (!name.toLowerCase().endsWith('.svg')) await showImage(bytes, name)
  else if (!isDrawable(new TextDecoder().decode(bytes))) return 'too complex'
  else await showDrawing(bytes, name)
  return 'shown'
}

window.addEventListener('message', (event: MessageEvent<Shown>) => {
  if (event.source !== window.parent) return
  show(event.data).then(post, () => post('broken'))
})
post('ready')
