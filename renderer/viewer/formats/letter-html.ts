import DOMPurify, { type Config } from 'dompurify'
import type { Letter } from './letter.ts'
import { isTooDeep } from './nesting.ts'
import { decodePercent } from './percent.ts'

/** More is no letter that anybody wrote; its text is shown. */
const mostSigns = 4_000_000
/** Pictures that are drawn in a letter, in bytes. */
const mostPictureBytes = 32 * 1024 * 1024

const config: Config & { RETURN_DOM_FRAGMENT: true } = {
  USE_PROFILES: { html: true },
  FORCE_BODY: true,
  FORBID_TAGS:
    'form input button select textarea label dialog map area audio video source track picture'.split(' '),
  FORBID_ATTR: ['srcset', 'action', 'ping', 'usemap', 'autofocus', 'tabindex', 'id', 'name', 'popover'],
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

const base64 = (bytes: Uint8Array<ArrayBuffer> & { toBase64?: () => string }) => bytes.toBase64?.() ?? ''

/** Addresses in styles are taken out, but for pictures that are written out in them. */
const cleanStyle = (style: string, count: () => void) =>
  style.replace(/@import[^;]*(;|$)/gi, '').replace(/url\(\s*(?!["']?data:image\/)[^)]*\)/gi, () => {
    count()
    return 'none'
  })

/** An HTML letter as it may be drawn. */
export interface CleanHtml {
  body: DocumentFragment
  /** Pictures that lie elsewhere, of which none was fetched. */
  remote: number
}

/** What an `img` shows: a picture of the letter, one that is written out, or none. */
const cleanPicture = (image: Element, pictures: Letter['pictures'], room: { bytes: number }) => {
  const address = image.getAttribute('src')?.trim() ?? ''
  const picture = /^cid:/i.test(address) ? pictures.get(decodePercent(address.slice(4))) : undefined
  image.removeAttribute('src')
  if (/^data:image\/(png|jpe?g|gif|webp|bmp|avif)[;,]/i.test(address)) image.setAttribute('src', address)
  else if (picture && /^image\/[\w.+-]+$/.test(picture.type) && picture.bytes.length <= room.bytes) {
    room.bytes -= picture.bytes.length
    image.setAttribute('src', `data:${picture.type};base64,${base64(picture.bytes)}`)
  } else return /^(https?:)?\/\//i.test(address)
  return false
}

/**
 * The HTML of a letter without anything that runs, is fetched or leads away: pictures of the letter are
 * written out, addresses of links are said when the pointer rests on them.
 * @returns undefined where there is more of it than can be drawn
 */
export const cleanHtml = (html: string, pictures: Letter['pictures']): CleanHtml | undefined => {
  if (html.length > mostSigns || isTooDeep(html)) return undefined
  const body = DOMPurify.sanitize(html, config)
  const room = { bytes: mostPictureBytes }
  let remote = 0
  const count = () => {
    remote += 1
  }
  for (const made of body.querySelectorAll('*')) {
    const style = made.getAttribute('style')
    if (style !== null) made.setAttribute('style', cleanStyle(style, count))
    if (made.localName === 'style') made.textContent = cleanStyle(made.textContent, count)
    if (made.localName === 'img' && cleanPicture(made, pictures, room)) count()
    const background = made.getAttribute('background')
    if (background !== null) count()
    made.removeAttribute('background')
    const address = made.getAttribute('href')
    if (address === null) continue
    made.removeAttribute('href')
    made.setAttribute('title', address)
    made.setAttribute('class', 'letter-link')
  }
  return { body, remote }
}

/** The words of HTML that is too much to be drawn: what stands between its tags, as far as it is shown. */
export const wordsOfHtml = (html: string): string => {
  const shown = html
    .slice(0, mostSigns)
    .replace(/<(style|script)\b[^]*?(?:<\/\1\s*>|$)|<!--[^]*?(?:-->|$)/gi, ' ')
  const pieces = shown.split('<')
  // A tag that was cut off holds no words.
  const text = pieces.map((piece, index) => {
    const end = piece.indexOf('>')
    return index === 0 ? piece : end < 0 ? '' : piece.slice(end + 1)
  })
  const { body } = new DOMParser().parseFromString(text.join(' '), 'text/html')
  return body.textContent.replace(/\s+/g, ' ').trim()
}

/** The text of clean HTML, a line for each block. */
export const textOfHtml = (body: DocumentFragment) => {
  const blocks = 'p,div,br,tr,li,h1,h2,h3,h4,h5,h6,blockquote,pre,table'
  const copy = body.cloneNode(true)
  if (!(copy instanceof DocumentFragment)) return ''
  for (const style of copy.querySelectorAll('style')) style.remove()
  for (const block of copy.querySelectorAll(blocks)) block.append('\n')
  return (copy.textContent ?? '')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n\s*\n\s*/g, '\n\n')
    .trim()
}
