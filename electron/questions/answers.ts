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
import { openPackages } from '../store/package-rows.ts'
import { openRecordList } from '../store/record-list.ts'

/** Questions that may walk through much of the local copy. */
export const openAnswers = ({ file, deskFile }: { file: string; deskFile: string }) => {
  const cache = openCache(file)
  // Rows are fetched from all over a long list; what was read stays for the next one (measured by `npm run bench -- room`).
  cache.database.exec('pragma cache_size = -48000')
  // The desk's own file is only read here: its journal stands on the time line beside what the archive tells.
  cache.database.prepare('attach ? as desk').run(deskFile)
  const orders = openRowOrders(cache.database)
  const find = openFind(cache)
  const packageList = openPackageList(cache, orders)
  const records = openRecordList(cache, orders)
  const holdings = openHoldings(cache, orders)
  const activity = openActivity(cache, openPackages(cache), orders)
  return {
    packages: (archive: string, which: WhichPackages) => packageList.list(archive, which),
    packageOrder: (archive: string, which: WhichPackages) => packageList.prepare(archive, which),
    packageBeginning: (archive: string, which: WhichBeginning) => packageList.beginning(archive, which),
    records: (archive: string, which: WhichRecords) => records.list(archive, which),
    recordBeginning: (archive: string, which: WhichRecordBeginning) => records.beginning(archive, which),
    found: (archive: string, which: WhichFound) => find.ask(archive, which),
    foundIds: (archive: string, which: WhichFound) => find.ids(archive, which),
    foundRows: (archive: string, ids: string[]) => find.rows(archive, ids),
    filterChoices: (archive: string) => find.choices(archive),
    activity: (archive: string, which: WhichActivity) => activity(archive, which),
    holdings: (archive: string) => holdings.overview(archive, new Date().toISOString()),
    copiesOfMedia: (archive: string) => holdings.copiesOfMedia(archive),
    onMedium: (archive: string, medium: string) => holdings.onMedium(archive, medium),
    risky: (archive: string, which: WhichRisky) => holdings.risky(archive, which, new Date().toISOString()),
  }
}

export type Answers = ReturnType<typeof openAnswers>
