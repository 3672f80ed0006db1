import DOMPurify from 'dompurify'
import { readWhole, type Content } from '../content.ts'
import { element } from '../element.ts'
import { isTooDeep } from '../formats/nesting.ts'
import { Undrawable } from '../kind.ts'

/** What was captured with a page, by its address. */
export interface Neighbours {
  address: string
  find: (address: string) => Promise<{ content: Content; type: string } | undefined>
}

export interface PageLink {
  text: string
  address: string
}

export interface ForeignPage {
  html: string
  /** Where the links of the page lead, each address once. */
  links: PageLink[]
  /** So many pictures and styles were not captured, or are too large. */
  missing: number
}

const mostNeighbours = 400
const mostNeighbourBytes = 8 * 1024 * 1024
const mostLinks = 1_000
const mostStyleBytes = 4 * 1024 * 1024
const deepestImports = 3

/** Nothing of a page can ask for anything: this policy and the frame’s both forbid it. */
const policy = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const settings = {
  WHOLE_DOCUMENT: true,
  FORBID_TAGS: [
    'script',
    'iframe',
    'frame',
    'object',
    'embed',
    'base',
    'meta',
    'link',
    'video',
    'audio',
    'source',
  ],
  FORBID_ATTR: [
    'srcset',
    'ping',
    'target',
    'background',
    'action',
    'formaction',
    'poster',
    'autofocus',
    'xlink:href',
  ],
  ADD_TAGS: ['style'],
}

const dataOf = async (content: Content, type: string) => {
  const bytes = await readWhole(content, mostNeighbourBytes)
  return new Promise<string>((done, fail) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => done(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => fail(new Error('A picture could not be read.')))
    reader.readAsDataURL(new Blob([bytes], { type: type.replace(/;.*$/, '') }))
  })
}

/** Finds what a page refers to, and makes data of it; each once, and not too many. */
const inliner = (neighbours: Neighbours | undefined) => {
  const known = new Map<string, Promise<string>>()
  let missing = 0
  const find = async (address: string) => {
    const found = known.size <= mostNeighbours ? await neighbours?.find(address) : undefined
    if (!found || !/^(image|font)\/|font/.test(found.type)) throw new Error(address)
    return dataOf(found.content, found.type)
  }
  const absolute = (address: string, base: string) => URL.parse(address, base)?.href.replace(/#.*$/, '')
  return {
    absolute,
    missing: () => missing,
    lose: () => {
      missing += 1
    },
    data: async (address: string, base: string): Promise<string> => {
      if (/^data:image\//i.test(address)) return address
      const whole = absolute(address, base)
      if (whole === undefined) return ''
      const data = known.get(whole) ?? find(whole)
      known.set(whole, data)
      return data.catch(() => {
        missing += 1
        return ''
      })
    },
  }
}

/** A style sheet whose pictures and further sheets are put into it, where they were captured. */
const inlineStyle = async (
  style: string,
  base: string,
  inline: ReturnType<typeof inliner>,
  { neighbours, depth }: { neighbours: Neighbours | undefined; depth: number },
): Promise<string> => {
  const imports = /@import\s+(?:url\(\s*)?["']?([^"')\s;]+)["']?\s*\)?[^;]*;?/gi
  const addresses = /url\(\s*(["']?)([^"')]*)\1\s*\)/gi
  let result = style.slice(0, mostStyleBytes)
  for (const [whole, address = ''] of [...result.matchAll(imports)].slice(0, 20)) {
    const found =
      depth < deepestImports ? await readStyle(address, base, inline, { neighbours, depth: depth + 1 }) : ''
    result = result.replace(whole, () => found)
  }
  result = result.replace(/@import[^;]*;?/gi, '')
  for (const [whole, , address = ''] of [...result.matchAll(addresses)].slice(0, mostNeighbours)) {
    if (/^data:/i.test(address)) continue
    const data = await inline.data(address, base)
    result = result.replace(whole, () => (data === '' ? 'none' : `url("${data}")`))
  }
  return result
}

const readStyle = async (
  address: string,
  base: string,
  inline: ReturnType<typeof inliner>,
  options: { neighbours: Neighbours | undefined; depth: number },
): Promise<string> => {
  const whole = inline.absolute(address, base)
  const found = whole === undefined ? undefined : await options.neighbours?.find(whole)
  if (whole === undefined || !found || found.content.bytes > mostStyleBytes) {
    inline.lose()
    return ''
  }
  return inlineStyle(new TextDecoder().decode(await readWhole(found.content)), whole, inline, options)
}

/** Style sheets that a page links to, which no cleaning would leave. */
const linkedStyles = (page: Document) =>
  [...page.querySelectorAll('link[rel~="stylesheet" i][href]')]
    .slice(0, 50)
    .map((link) => link.getAttribute('href') ?? '')

/** Links become texts that say where they lead. */
const takeLinks = (page: Document, base: string): PageLink[] => {
  const links = new Map<string, string>()
  for (const link of page.querySelectorAll('a, area')) {
    const written = link.getAttribute('href')
    const address = written === null ? null : URL.parse(written, base)
    link.removeAttribute('href')
    if (!address || !/^https?:$/.test(address.protocol)) continue
    link.setAttribute('title', address.href)
    const text = link.textContent.trim().replace(/\s+/g, ' ')
    if (links.size < mostLinks && !links.get(address.href)) links.set(address.href, text)
  }
  return [...links].map(([address, text]) => ({ text, address }))
}

/** What of a style sheet would end it, and begin something else, is written as CSS writes signs. */
const styleText = (style: string) => style.replaceAll('<', '\\3c ')

/**
 * HTML without anything that runs, sends or fetches; pictures and styles that there are are put into it.
 * @throws Undrawable where its elements are nested without measure
 */
export const cleanPage = async (html: string, neighbours?: Neighbours): Promise<ForeignPage> => {
  if (isTooDeep(html)) throw new Undrawable('too complex')
  const base = neighbours?.address ?? 'https://nowhere.invalid/'
  const inline = inliner(neighbours)
  const sheets: string[] = []
  for (const address of linkedStyles(new DOMParser().parseFromString(html, 'text/html')))
    sheets.push(await readStyle(address, base, inline, { neighbours, depth: 0 }))
  const page = new DOMParser().parseFromString(DOMPurify.sanitize(html, settings), 'text/html')
  for (const image of page.querySelectorAll('img, image, input')) {
    const data = await inline.data(image.getAttribute('src') ?? image.getAttribute('href') ?? '', base)
    image.removeAttribute('href')
    if (data === '') image.removeAttribute('src')
    else image.setAttribute('src', data)
  }
  for (const style of page.querySelectorAll('style'))
    style.textContent = styleText(
      await inlineStyle(style.textContent, base, inline, { neighbours, depth: 0 }),
    )
  for (const styled of page.querySelectorAll('[style]'))
    if (/url\(|@import|image-set/i.test(styled.getAttribute('style') ?? '')) styled.removeAttribute('style')
  const links = takeLinks(page, base)
  for (const field of page.querySelectorAll('input, button, select, textarea'))
    field.setAttribute('disabled', '')
  const rules = page.createElement('meta')
  rules.httpEquiv = 'Content-Security-Policy'
  rules.content = policy
  page.head.prepend(rules, ...sheets.map((sheet) => element('style', {}, styleText(sheet))))
  return { html: `<!doctype html>${page.documentElement.outerHTML}`, links, missing: inline.missing() }
}

/** A frame in the frame, in which nothing runs, and from which nothing leads away. */
export const pageFrame = ({ html }: ForeignPage, name: string) => {
  const frame = element('iframe', { sandbox: '', title: name, class: 'page' })
  frame.srcdoc = html
  return frame
}
