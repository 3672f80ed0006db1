import { sizeBounds } from '../../electron/contract/packages.ts'
import { say, shown } from '../language/say.svelte.ts'

/** The range that a size is in, as it stands in an address: "1000000-100000000", in bytes. */
export const sizeRangeOf = (bytes: number): string => {
  const index = sizeBounds.findLastIndex((from) => bytes >= from)
  return `${sizeBounds[index] ?? 0}-${sizeBounds[index + 1] ?? ''}`
}

/** What a range of sizes is called. */
export const textOfSizeRange = (value: string): string => {
  const [from = '', to = ''] = value.split('-')
  if (to === '') return say.lists.atLeast(shown.size(Number(from)))
  return from === '0'
    ? say.lists.below(shown.size(Number(to)))
    : say.lists.between(shown.size(Number(from)), shown.size(Number(to)))
}
