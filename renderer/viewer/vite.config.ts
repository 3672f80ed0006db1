import path from 'node:path'
import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'
import { bundledLicences } from '../../electron/bundled-licences.ts'

const fileAt = (file: string) => path.join(import.meta.dirname, file)

/** Puts what PDF.js reads while it works beside the frame: tables of signs, typefaces, decoders. */
const dataOfPdf: Plugin = {
  name: 'data-of-pdf',
  generateBundle() {
    for (const folder of ['cmaps', 'standard_fonts', 'wasm'])
      for (const file of readdirSync(fileAt(`../../node_modules/pdfjs-dist/${folder}`)))
        this.emitFile({
          type: 'asset',
          fileName: `pdf/${folder}/${file}`,
          source: readFileSync(fileAt(`../../node_modules/pdfjs-dist/${folder}/${file}`)),
        })
  },
}

const walked = `for (let last = kids.length - 1; last >= 0; last--) {
        const lastKid = kids[last];
        nodesToVisit.push(lastKid);
        if (currentNode === this.toplevelPagesDict`
const direct = `if (count === kids.length && kids[pageIndex - currentPageIndex] instanceof Ref) {
        const kid = kids[pageIndex - currentPageIndex];
        const page = await xref.fetchAsync(kid);
        if (page instanceof Dict && !page.has("Kids")) return [page, kid];
      }
      `
/**
 * PDF.js reads every page before the one that is wanted, to count it. Where a node has as many pages as kids
 * each kid is a page, so that the wanted one is known: of 5 000 pages in a row two are read, and not all.
 */
const directPages: Plugin = {
  name: 'direct-pages',
  transform(code, id) {
    if (!id.endsWith(workerOfPdf)) return undefined
    if (code.split(walked).length !== 2) throw new Error('PDF.js goes to its pages in another way now.')
    return { code: code.replace(walked, () => direct + walked), map: null }
  },
}

const workerOfPdf = 'pdfjs-dist/build/pdf.worker.mjs'
/** Places of PDF.js, how often each is there, and what stands there then. */
const bounded: [place: string, count: number, then: string][] = [
  [
    'let size = this.minBufferLength;\n',
    1,
    'checkInflated(requested, this.dict?.get("Subtype")?.name === "Image" || ' +
      'this.dict?.get("Type")?.name === "EmbeddedFile");\n    let size = this.minBufferLength;\n',
  ],
  [
    'totalLength += chunk.byteLength;\n',
    1,
    'totalLength += chunk.byteLength;\n        checkInflated(totalLength, true);\n',
  ],
  [
    'if (!preprocessor.read(operation)) {\n',
    2,
    'checkOperators(++task.operators);\n        if (!preprocessor.read(operation)) {\n',
  ],
  [
    'this.name = name;\n    this.terminated = false;\n',
    1,
    'this.name = name;\n    this.terminated = false;\n    this.operators = 0;\n',
  ],
]
/** PDF.js inflates and draws whatever a page asks for: a few kilobytes may ask for terabytes. */
const boundedPages: Plugin = {
  name: 'bounded-pages',
  transform(code, id) {
    if (!id.endsWith(workerOfPdf)) return undefined
    let made = code
    for (const [place, count, then] of bounded) {
      if (made.split(place).length !== count + 1)
        throw new Error(`PDF.js does this in another way now: ${place}`)
      made = made.replaceAll(place, then)
    }
    const from = JSON.stringify(fileAt('formats/pdf-bounds.ts'))
    return { code: `import { checkInflated, checkOperators } from ${from}\n${made}`, map: null }
  },
}

/**
 * The frame in which content of packages is drawn. Each kind of file is a piece of its own, which is loaded
 * when there is such a file to draw.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  logLevel: 'warn',
  plugins: [bundledLicences('licences.json'), dataOfPdf, directPages, boundedPages],
  resolve: {
    alias: ['fs', 'path', 'zlib'].map((name) => ({
      find: new RegExp(`^${name}$`),
      replacement: fileAt('formats/no-node.ts'),
    })),
  },
  build: {
    // The largest libraries, each asked for by one kind of file alone, are 2 MB.
    chunkSizeWarningLimit: 2_000,
    outDir: fileAt('../../out/viewer'),
    emptyOutDir: true,
    target: 'chrome152',
    // A kind is several pieces: all of them are asked for at once.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { input: fileAt('viewer.html') },
  },
})
