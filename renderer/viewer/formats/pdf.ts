import { getDocument, PDFDataRangeTransport, type PDFDocumentProxy } from 'pdfjs-dist'
import { WorkerMessageHandler } from 'pdfjs-dist/build/pdf.worker.mjs'
import type { Content } from '../content.ts'
import { Undrawable } from '../kind.ts'

// There are no workers in the frame, which has a process of its own: PDF.js then works in its thread.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } })

/** Pictures in a PDF of more pixels are left out. */
const mostPixels = 100_000_000
const rangeBytes = 256 * 1024
/** Where everything is stands at the end: of 5 000 pages in so many bytes. */
const endBytes = 768 * 1024

class Ranges extends PDFDataRangeTransport {
  readonly #content: Content
  readonly #failed: (error: unknown) => void

  constructor(content: Content, beginning: Uint8Array, failed: (error: unknown) => void) {
    super(content.bytes, beginning)
    this.#content = content
    this.#failed = failed
  }

  override requestDataRange(begin: number, end: number) {
    this.#content.read(begin, end).then(
      // PDF.js takes the bytes away from whoever gives them.
      (bytes) => this.onDataRange(begin, bytes.slice()),
      (error: unknown) => this.#failed(error),
    )
  }
}

/** Tables of signs, typefaces and decoders of PDF.js, which are built beside the frame. */
class BuiltData {
  async fetch({ kind, filename }: { kind: string; filename: string }) {
    const folder = { cMapUrl: 'cmaps', standardFontDataUrl: 'standard_fonts', wasmUrl: 'wasm' }[kind] ?? ''
    const address = new URL(`pdf/${folder}/${encodeURIComponent(filename)}`, document.baseURI)
    // eslint-disable-next-line no-restricted-globals -- files of ours; the policy allows no other
    const response = await fetch(address)
    if (!response.ok) throw new Error(`${filename}: ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  }
}

/**
 * Opens a PDF, of which only what is looked at is read. It runs no scripts and fetches nothing.
 * @throws Undrawable where it asks for a password or is none, Unreachable
 */
export const openPdf = async (content: Content, signal: AbortSignal): Promise<PDFDocumentProxy> => {
  const broken = Promise.withResolvers<never>()
  // What PDF.js asks for next is on its way by then; that it cannot be had is said once it is asked for.
  content.read(Math.max(0, content.bytes - endBytes), content.bytes).catch(() => undefined)
  const beginning = await content.read(0, rangeBytes)
  const isWhole = beginning.length >= content.bytes
  const task = getDocument({
    ...(isWhole
      ? { data: beginning.slice() }
      : { range: new Ranges(content, beginning.slice(), broken.reject), length: content.bytes }),
    rangeChunkSize: rangeBytes,
    disableAutoFetch: true,
    disableStream: true,
    BinaryDataFactory: BuiltData,
    useWorkerFetch: false,
    isEvalSupported: false,
    enableXfa: false,
    maxImageSize: mostPixels,
    verbosity: 0,
  })
  const end = () => {
    task.destroy().catch(reportError)
  }
  signal.addEventListener('abort', end)
  broken.promise.catch(end)
  try {
    return await Promise.race([task.promise, broken.promise])
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw new Undrawable('protected')
    throw error
  }
}

/** Paper by its usual name, where it has one. */
const papers: Record<string, [width: number, height: number]> = {
  A0: [841, 1189],
  A1: [594, 841],
  A2: [420, 594],
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  Letter: [216, 279],
  Legal: [216, 356],
}

/** The size of a page, of a width and height in points. */
export const paperOf = (width: number, height: number) => {
  const [across, down] = [width, height].map((points) => Math.round((points * 25.4) / 72))
  if (across === undefined || down === undefined) return ''
  const isOf = ([paperWidth, paperHeight]: [number, number]) =>
    Math.abs(Math.min(across, down) - paperWidth) <= 2 && Math.abs(Math.max(across, down) - paperHeight) <= 2
  const name = Object.entries(papers).find(([, paper]) => isOf(paper))?.[0]
  return `${name === undefined ? '' : `${name}, `}${across} × ${down} mm`
}

/** What a PDF says of itself, by names of `facts`; empty where it does not say. */
export const statedOf = async (pdf: PDFDocumentProxy) => {
  const { info, metadata } = await pdf.getMetadata()
  const stated = new Map<string, unknown>(Object.entries(info))
  const textOf = (name: string) => {
    const value = stated.get(name)
    return typeof value === 'string' ? value.slice(0, 500) : ''
  }
  const xmpOf = (name: string) => {
    const value: unknown = metadata?.get(name)
    return typeof value === 'string' ? value.slice(0, 20) : ''
  }
  const part = xmpOf('pdfaid:part')
  return [
    { name: 'title', value: textOf('Title') },
    { name: 'author', value: textOf('Author') },
    { name: 'producer', value: textOf('Producer') || textOf('Creator') },
    { name: 'version', value: `PDF ${textOf('PDFFormatVersion')}` },
    { name: 'conformance', value: part && `PDF/A-${part}${xmpOf('pdfaid:conformance').toLowerCase()}` },
  ]
}
