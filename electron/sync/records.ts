import type { Reach } from '../archive-client/http.ts'
import { listRecords } from '../archive-client/records.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import type { ListName } from '../contract/lists.ts'
import type { Cache } from '../store/cache.ts'

interface Parts {
  reached: () => { account: { archive: string }; archive: Reach } | undefined
  /** What the talk with the archive showed. */
  met: (failure: Failure | null) => void
  cache: Cache
  now: () => Date
  changed: (list: ListName) => void
}

/** Reads one list of description into the local copy. Asked again while it reads, it is the same reading. */
export const openRecords = ({ reached, met, cache, now, changed }: Parts) => {
  const reading = new Map<ListName, Promise<void>>()
  const read = async (archive: string, list: ListName) => {
    const there = reached()
    if (there?.account.archive !== archive) return
    try {
      cache.hold(archive, `description/${list}`, await listRecords(there.archive, list), now().toISOString())
      changed(list)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      met(error.failure.kind === 'not-allowed' || error.failure.kind === 'not-found' ? null : error.failure)
    }
  }
  return (archive: string, list: ListName): Promise<void> => {
    const running = reading.get(list) ?? read(archive, list).finally(() => reading.delete(list))
    reading.set(list, running)
    return running
  }
}
