import type { Stage } from '../kind.ts'
import type { Capture } from '../formats/warc.ts'
import { readableAddress } from '../formats/percent.ts'
import { sizeIn, timeFormat } from './numbers.ts'
import type { OutlineRow } from './outline-rows.ts'

interface CaptureRow extends OutlineRow {
  capture: Capture
}

const mostCaptures = 200_000
/** What is shown of an archive: the pages, or everything that was captured. */
export const orders = ['pages', 'all'] as const
export type Order = (typeof orders)[number]

/** A page that came as it was asked for. */
export const isPage = ({ type, status, record }: Capture) =>
  /^(text\/html|application\/xhtml)/i.test(type) && (status === 200 || record === 'resource')
const isContent = ({ record }: Capture) => ['response', 'resource', 'revisit', 'conversion'].includes(record)
const withoutFragment = (address: string) => address.replace(/#.*$/, '')

/** What is read of an archive so far: its pages, and what belongs to them. */
export const indexOf = ({ language }: Stage) => {
  const rows: Record<Order, CaptureRow[]> = { pages: [], all: [] }
  const byAddress = new Map<string, Capture>()
  const timeIn = timeFormat(language, 'UTC')
  let isFull = false
  return {
    rows,
    isFull: () => isFull,
    /** What was captured at an address; what was the same as before is found where that lies. */
    find: (address: string): Capture | undefined => {
      const found = byAddress.get(withoutFragment(address))
      if (found?.record !== 'revisit') return found
      const same = byAddress.get(withoutFragment(found.sameAs))
      return same?.record === 'revisit' ? undefined : same
    },
    add: (capture: Capture) => {
      if (!isContent(capture)) return
      isFull = rows.all.length >= mostCaptures
      if (isFull) return
      const { address, status, type, date, bytes } = capture
      const row: CaptureRow = {
        depth: 0,
        label: readableAddress(address),
        values: [
          status === 0 ? '' : String(status),
          type.replace(/;.*$/, ''),
          sizeIn(language, bytes),
          timeIn(new Date(date)),
        ],
        capture,
      }
      rows.all.push(row)
      if (isPage(capture)) rows.pages.push(row)
      const known = byAddress.get(withoutFragment(address))
      // Of what was captured twice the first that is there is taken.
      if (known?.status !== 200 || known.record === 'revisit')
        byAddress.set(withoutFragment(address), capture)
    },
  }
}
export type Index = ReturnType<typeof indexOf>
