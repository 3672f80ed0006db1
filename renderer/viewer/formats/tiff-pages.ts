import type { Content } from '../content.ts'
import { Undrawable } from '../kind.ts'
import { openTiff, readDirectory, type Directory } from './tiff-directory.ts'

/** A page of a TIFF, and the directories of the smaller pictures of it. */
export interface TiffPage {
  directory: Directory
  smaller: Directory[]
  /** Smaller ones that stand inside the page’s own directory. */
  inside: number[]
}

const [newSubfileType, subfileType, subDirectories] = [254, 255, 330]
const mostDirectories = 20_000
const mostInside = 32

const [width, height] = [256, 257]
/** Some programs write smaller pictures of a page as if they were pages, each half as wide and as high. */
const isHalf = async ({ directory, smaller }: TiffPage, next: Directory) => {
  const before = smaller.at(-1) ?? directory
  const isHalved = async (side: number) =>
    Math.abs((await before.number(side)) / 2 - (await next.number(side))) < 1
  return (await isHalved(width)) && (await isHalved(height))
}

/**
 * Goes through the pages of a TIFF in their order. Smaller pictures of a page stand in it or after it; masks
 * are passed over.
 * @param pages those found so far: the last one may still get smaller pictures
 * @returns a generator that stops after each directory
 */
export async function* findPages(content: Content, pages: TiffPage[]): AsyncGenerator<void> {
  const tiff = await openTiff(content)
  const seen = new Set<number>()
  for (let at = tiff.first; at !== 0 && !seen.has(at) && seen.size < mostDirectories;) {
    seen.add(at)
    const directory = await readDirectory(tiff, at)
    const kind = (await directory.number(newSubfileType)) || 0
    const last = pages.at(-1)
    const isMarked = (kind & 1) === 1 || (await directory.number(subfileType)) === 2
    const isSmaller = isMarked || (last !== undefined && (await isHalf(last, directory)))
    const inside = (await directory.numbers(subDirectories)).slice(0, mostInside)
    if (isSmaller && last) last.smaller.push(directory)
    else if ((kind & 4) === 0) pages.push({ directory, smaller: [], inside })
    at = directory.next
    yield
  }
  if (pages.length === 0) throw new Undrawable('broken', 'no page')
}

/** The directories of all sizes of a page, its own first. */
export const sizesOf = async (content: Content, { directory, smaller, inside }: TiffPage) => {
  const tiff = await openTiff(content)
  const found = [directory, ...smaller]
  for (const at of inside) {
    const one = await readDirectory(tiff, at).catch(() => undefined)
    if (one && ((await one.number(newSubfileType)) & 1) === 1) found.push(one)
  }
  return found
}
