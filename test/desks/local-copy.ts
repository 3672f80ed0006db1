import { specification } from '../../electron/dialects/specification.ts'
import type { Dialect } from '../../electron/dialects/dialect.ts'
import type { Listing } from '../../electron/dialects/listing.ts'
import { openCache } from '../../electron/store/cache/cache.ts'
import { beginSnapshot, type Outcome } from '../../electron/store/reading/snapshot.ts'
import { openSortOrders } from '../../electron/store/lists/sort-orders.ts'
import { openPackageFacets } from '../../electron/store/lists/package-facets.ts'
import { openPackageList } from '../../electron/store/lists/package-list.ts'
import { openRecordList } from '../../electron/store/lists/record-list.ts'
import { openFullScans } from '../../electron/store/cache/full-scans.ts'
import { openWriter } from '../../electron/store/cache/writer.ts'
import type { Subject } from '../../electron/contract/subjects.ts'

type Read = (element: unknown, from: number) => Listing<{ id: string | number; refs?: string[] }>

/** The local copy of an archive with both of its sides: what writes it, and what reads it. */
export const openLocalCopy = (file: string, dialect: Dialect = specification) => {
  const writer = openWriter({ file, dialect, committed: () => undefined })
  const cache = openCache(file)
  const sortOrders = openSortOrders(cache.database)
  return {
    writer,
    cache,
    scans: openFullScans(cache),
    packages: {
      ...cache.packages,
      ...openPackageList(cache, sortOrders),
      ...openPackageFacets(cache, sortOrders),
    },
    records: openRecordList(cache, sortOrders),
    /** Brings the words of everything that came into the index. */
    index: () => {
      while (writer.indexSome());
    },
    /** Takes elements as the whole of a list, as if they had just arrived. */
    hold: (subject: Subject, elements: Iterable<unknown>, at: string, read?: Read): Outcome => {
      const { reader, finish } = beginSnapshot(writer, subject, read ? { read } : {})
      for (const element of elements) {
        const text = Buffer.from(`${JSON.stringify(element)},`)
        reader.recognize?.(text)
        reader.take(text.subarray(0, -1), 0)
      }
      return finish({ pass: 0, count: null, isSure: true }, at)
    },
    close: () => {
      cache.close()
      writer.close()
    },
  }
}
