import { getDocument } from 'unpdf/pdfjs'

/** What the page around this frame sends once: a content and what kind it is. */
interface Shown {
  kind: 'text' | 'image' | 'pdf'
  name: string
  content: string
}

const mostPages = 50
const main = document.querySelector('main')

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

const showText = (bytes: Uint8Array) => {
  const text = document.createElement('pre')
  text.textContent = new TextDecoder().decode(bytes)
  main?.append(text)
}

const showImage = async (bytes: Uint8Array<ArrayBuffer>, name: string) => {
  const image = document.createElement('img')
  image.alt = name
  // Only of a drawing in XML the bytes do not say what they are.
  image.src = URL.createObjectURL(
    new Blob([bytes], name.toLowerCase().endsWith('.svg') ? { type: 'image/svg+xml' } : {}),
  )
  main?.append(image)
  await image.decode()
}

const showPdf = async (bytes: Uint8Array) => {
  const pdf = await getDocument({ data: bytes, useSystemFonts: true, disableFontFace: true }).promise
  for (let number = 1; number <= Math.min(mostPages, pdf.numPages); number += 1) {
    const page = await pdf.getPage(number)
    const canvas = document.createElement('canvas')
    const viewport = page.getViewport({ scale: 1.5 })
    Object.assign(canvas, { width: viewport.width, height: viewport.height })
    canvas.setAttribute('role', 'img')
    canvas.setAttribute('aria-label', `${number}`)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('No canvas')
    await page.render({ canvas, canvasContext: context, viewport }).promise
    main?.append(canvas)
  }
}

/** Draws a content in a frame that has an origin of its own, no bridge and no network; the page around it hears whether that went well. */
const show = async ({ kind, name, content }: Shown) => {
  const bytes = bytesOf(content)
  if (kind === 'text') showText(bytes)
  else if (kind === 'image') await showImage(bytes, name)
  else await showPdf(bytes)
}

window.addEventListener('message', (event: MessageEvent<Shown>) => {
  if (event.source !== window.parent) return
  // The parent knows this frame by its window, since an origin that is nobody's has no name.
  void show(event.data).then(
    () => window.parent.postMessage('shown', '*'),
    () => window.parent.postMessage('broken', '*'),
  )
})
window.parent.postMessage('ready', '*')
