import type { WhichActivity } from '../contract/activity.ts'
import type { WhichRecordBeginning, WhichRecords } from '../contract/description.ts'
import type { WhichFound } from '../contract/find.ts'
import type { WhichBeginning, WhichPackages } from '../contract/packages.ts'
import type { WhichRisky } from '../contract/storage.ts'
import { openCache } from '../store/cache.ts'
import { openFind } from '../store/find.ts'
import { openActivity } from '../store/activity.ts'
import { openHoldings } from '../store/holdings.ts'
import { openRowOrders } from '../store/row-orders.ts'
import { openPackageList } from '../store/package-list.ts'
import { openRecordList } from '../store/record-list.ts'

interface Parts {
  archive: string
  /** The local copy of the archive. */
  file: string
  deskFile: string
}

/** Questions that may walk through much of the local copy of an archive. */
export const openAnswers = ({ archive, file, deskFile }: Parts) => {
  const cache = openCache(file)
  const { database } = cache
  // The desk's own file is only read here: its journal stands on the time line beside what the archive tells.
  database.prepare('attach ? as desk').run(deskFile)
  const orders = openRowOrders(database)
  const find = openFind(cache)
  const packageList = openPackageList(cache, orders)
  const records = openRecordList(cache, orders)
  const holdings = openHoldings(cache, orders)
  const activity = openActivity(cache, orders, archive)
  return {
    answers: {
      packages: (which: WhichPackages) => packageList.list(which),
      packageOrder: (which: WhichPackages) => packageList.prepare(which),
      packageBeginning: (which: WhichBeginning) => packageList.beginning(which),
      records: (which: WhichRecords) => records.list(which),
      recordBeginning: (which: WhichRecordBeginning) => records.beginning(which),
      found: (which: WhichFound) => find.ask(which),
      foundIds: (which: WhichFound) => find.ids(which),
      foundRows: (ids: string[]) => find.rows(ids),
      filterChoices: () => find.choices(),
      activity: (which: WhichActivity) => activity(which),
      holdings: () => holdings.overview(new Date().toISOString()),
      copiesOfMedia: () => holdings.copiesOfMedia(),
      onMedium: (medium: string) => holdings.onMedium(medium),
      risky: (which: WhichRisky) => holdings.risky(which, new Date().toISOString()),
    },
    /** How much of the file may stand in memory. */
    keepInMemory: (bytes: number) => database.exec(`pragma main.cache_size = -${Math.floor(bytes / 1024)}`),
    close: cache.close,
  }
}

export type Answers = ReturnType<typeof openAnswers>['answers']
