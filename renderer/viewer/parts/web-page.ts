import './virtual-rows.css'
import './web-page.css'
import { guessEncoding } from '../formats/encodings.ts'
import { element } from '../element.ts'
import type { Stage } from '../kind.ts'
import { cleanPage, pageFrame, type Neighbours } from './foreign-page.ts'
import { markIn, markStyle } from './marked-text.ts'

interface Options {
  stage: Stage
  name: string
  neighbours?: Neighbours
}

const guessedBytes = 64 * 1024

/** The encoding that a page names, else one that fits it. */
const textOf = (bytes: Uint8Array<ArrayBuffer>): string => {
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 2_048))
  const named = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(beginning)?.[1]
  if (named === undefined) return guessEncoding(bytes.subarray(0, guessedBytes)).decode(bytes)
  try {
    return new TextDecoder(named).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

const mostSearchedBytes = 1024 * 1024

/** The title of a page and what stands in it, of a long one the beginning. Nothing of it runs. */
export const wordsOfPage = (bytes: Uint8Array<ArrayBuffer>): string => {
  const parsed = new DOMParser().parseFromString(textOf(bytes.subarray(0, mostSearchedBytes)), 'text/html')
  for (const unread of parsed.querySelectorAll('script, style')) unread.remove()
  return `${parsed.title}\n${parsed.body.textContent}`.replace(/\s+/g, ' ')
}

/** A page in HTML, as far as it can be shown without running or fetching anything. */
export const drawPage = async (bytes: Uint8Array<ArrayBuffer>, { stage, name, neighbours }: Options) => {
  const page = await cleanPage(textOf(bytes), neighbours)
  const parsed = new DOMParser().parseFromString(page.html, 'text/html')
  for (const unread of parsed.querySelectorAll('style')) unread.remove()
  const frame = pageFrame(page, parsed.title || name)
  const mark = (words: string, place: number) => {
    const marked = new DOMParser().parseFromString(page.html, 'text/html')
    const count = markIn(marked, words, place)
    marked.head.append(element('style', {}, markStyle))
    frame.srcdoc = `<!doctype html>${marked.documentElement.outerHTML}`
    return count
  }
  const isCaptured = neighbours !== undefined && page.missing > 0
  stage.note(isCaptured ? stage.say.web.missing(page.missing) : stage.say.web.still)
  return {
    frame,
    /** Marks words and shows one place where they stand. @returns how many there are */
    mark,
    title: parsed.title,
    text: parsed.body.textContent
      .replace(/[ \t]+/g, ' ')
      .replace(/(\s*\n\s*)+/g, '\n')
      .trim(),
    links: page.links,
  }
}
