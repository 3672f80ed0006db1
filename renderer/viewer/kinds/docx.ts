import { parseAsync, renderDocument } from 'docx-preview'
import DOMPurify from 'dompurify'
import { entryIn } from '../../../electron/common/records.ts'
import { readWhole } from '../content.ts'
import { element } from '../element.ts'
import { openParts, type OfficeParts } from '../formats/office-parts.ts'
import { Undrawable, type Draw } from '../kind.ts'
import { findInFlow } from '../parts/flow.ts'
import '../parts/docx.css'

const mostBytes = 64 * 1024 * 1024
/** What a document may inflate to. */
const mostInflated = 256 * 1024 * 1024
/** Paragraphs and runs of text: each takes some 5 kB when it is laid out. */
const mostTexts = 70_000
const core = 'docProps/core.xml'

/** Bullets of Symbol and Wingdings, which no browser has, and what they look like. */
const bullets: Record<string, string> = {
  '\uf0b7': '•',
  '\uf0a7': '▪',
  '\uf0d8': '➢',
  '\uf0fc': '✓',
  '\uf0e0': '→',
}
const plainBullets = (drawn: HTMLElement) => {
  for (const style of drawn.querySelectorAll('style'))
    style.textContent = style.textContent.replace(
      /[\uf0a7\uf0b7\uf0d8\uf0e0\uf0fc]/g,
      (sign) => entryIn(bullets, sign) ?? sign,
    )
}

/** Addresses are said and not gone to; places in the document are gone to. */
const calmLinks = (drawn: HTMLElement) => {
  for (const link of drawn.querySelectorAll('a[href]')) {
    const address = link.getAttribute('href') ?? ''
    if (address.startsWith('#')) continue
    link.removeAttribute('href')
    link.setAttribute('title', address.slice(0, 500))
  }
  for (const picture of drawn.querySelectorAll('[src]'))
    if (!/^(blob|data):/.test(picture.getAttribute('src') ?? '')) picture.removeAttribute('src')
}

/** How many paragraphs and runs a document has, about: those at the seams of its pieces are passed over. */
const countTexts = async (parts: OfficeParts) => {
  let count = 0
  for await (const piece of parts.pieces('word/document.xml'))
    count += new TextDecoder('latin1').decode(piece).match(/<w:[pr][ >]/g)?.length ?? 0
  return count
}

/** Documents of Word, as near to their pages as a browser lays them out. */
export const draw: Draw = async (content, stage) => {
  const { root, addFacts, note, say, signal } = stage
  const parts = await openParts(content)
  if (!parts.names.includes('word/document.xml')) throw new Undrawable('broken')
  if (parts.bytes > mostInflated || (await countTexts(parts)) > mostTexts) throw new Undrawable('too large')
  const stated = new DOMParser().parseFromString(await parts.text(core, 1024 * 1024), 'text/xml')
  const textOf = (name: string) => stated.getElementsByTagName(name)[0]?.textContent ?? ''
  addFacts({ name: 'title', value: textOf('dc:title') }, { name: 'author', value: textOf('dc:creator') })
  const bytes = await readWhole(content, mostBytes)
  const options = { renderAltChunks: false, ignoreLastRenderedPageBreak: false, renderComments: false }
  const nodes = await renderDocument(await parseAsync(bytes, options), options)
  const drawn = element('div', { class: 'docx-pages', tabindex: '0' }, ...nodes)
  DOMPurify.sanitize(drawn, {
    IN_PLACE: true,
    ADD_TAGS: ['style'],
    FORBID_TAGS: ['form', 'input', 'button', 'iframe', 'object', 'embed', 'link', 'meta'],
    ALLOWED_URI_REGEXP: /^(?:blob:|data:image\/|https?:|mailto:|#)/i,
  })
  calmLinks(drawn)
  plainBullets(drawn)
  // The library leaves out what the document says of them.
  for (const picture of drawn.querySelectorAll('img:not([alt])'))
    picture.setAttribute('alt', say.kinds.picture)
  root.append(drawn)
  note(say.wordPages)
  const find = findInFlow(drawn, stage, signal)
  return { find, text: () => drawn.innerText }
}
