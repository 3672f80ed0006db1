import { createHash } from 'node:crypto'

/** The same text gives the same identifier, so that the sample is alike on every machine. */
export const stableId = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}
