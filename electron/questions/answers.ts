import type { WhichActivity, WhichActivityColumns, WhichActivityFacet } from '../contract/activity.ts'
import type {
  Choice,
  WhichRecordBeginning,
  WhichRecordColumns,
  WhichRecordFacet,
  WhichRecords,
  WhichTree,
} from '../contract/description.ts'
import type { FoundAnswer, FoundList, WhichFound, WhichHits } from '../contract/find.ts'
import { withoutIndexFilters } from '../contract/search-filters.ts'
import { definitionOf, listNames, type ListName } from '../contract/lists.ts'
import type {
  Package,
  WhichPackageBeginning,
  WhichPackageLine,
  WhichPackageColumns,
  WhichPackageFacet,
  WhichPackageLines,
  WhichPackages,
} from '../contract/packages.ts'
import type { WhichRisky } from '../contract/storage.ts'
import type {
  Delivery,
  WhichTransferBeginning,
  WhichTransferColumns,
  WhichTransferFacet,
  WhichTransferLine,
  WhichTransfers,
} from '../contract/transfers.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { HeldRecord } from '../dialects/models.ts'
import { openOrderBook } from '../orders/order-book.ts'
import { openActivity } from '../store/lists/activity.ts'
import { openJournalPart } from '../store/desk/journal-part.ts'
import { openAlertQuestions } from '../store/lists/alert-questions.ts'
import { openCache } from '../store/cache/cache.ts'
import { openDeskLists } from '../store/desk/desk-lists.ts'
import { openArchiveTree } from '../store/lists/archive-tree.ts'
import { openFind } from '../store/search/find.ts'
import { isFiltered } from '../store/search/found-filters.ts'
import { openHoldings } from '../store/lists/holdings.ts'
import { openCreationQuestions, openDipsOf } from '../store/desk/job-lists.ts'
import { openJobScans } from '../store/desk/job-scans.ts'
import { matchesAmong, type LocalRecord } from '../store/search/local-matches.ts'
import { openTransferList } from '../store/desk/transfer-list.ts'
import { openPackageFacets } from '../store/lists/package-facets.ts'
import { openPackageList } from '../store/lists/package-list.ts'
import { openRecordList } from '../store/lists/record-list.ts'
import { openSortOrders } from '../store/lists/sort-orders.ts'
import { storageOverview } from '../store/lists/storage-overview.ts'
import { openFullScans } from '../store/cache/full-scans.ts'

interface Parts {
  archive: string
  /** The local copy of the archive. */
  file: string
  /** What the archive speaks. */
  dialect: Dialect
  deskFile: string
  /** Waits while somebody is asked for rows, between two steps of what takes long. */
  yieldToRows?: () => void
}

type Opened = ReturnType<typeof open>

const open = ({ archive, file, dialect, deskFile, yieldToRows = () => undefined }: Parts) => {
  const cache = openCache(file)
  const { database } = cache
  // The desk's own file is only read here: its journal stands on the time line beside what the archive tells.
  database.prepare('attach ? as desk').run(deskFile)
  const scans = openFullScans(cache)
  const store = {
    lists: openDeskLists(database),
    ...openCreationQuestions(database),
    dipsOf: openDipsOf(database),
  }
  const sortOrders = openSortOrders(database)
  return {
    archive,
    dialect,
    yieldToRows,
    cache,
    database,
    scans,
    sortOrders,
    packageList: openPackageList(cache, sortOrders),
    jobs: openJobScans(database),
    book: openOrderBook({ archive, store, cache, scans, dialect }),
  }
}

/** What this desk has of an archive and nobody else: its transfers and its orders. */
function* deskRecords({ archive, book, jobs }: Opened): Generator<LocalRecord> {
  yield* jobs.transferTexts(archive)
  for (const { id, kind, name, content } of book.local())
    yield { place: `orders/${id}`, title: name || id, note: content, state: kind, text: '' }
}

/** Questions about what an archive describes: its lists, and the tree in which they stand. */
const aboutDescription = ({ cache, scans, sortOrders }: Opened) => {
  const records = openRecordList(cache, sortOrders)
  const tree = openArchiveTree(cache)
  return {
    records: (which: WhichRecords) => records.list(which),
    referredLists: (list: ListName) => records.referred(list),
    recordFacet: (which: WhichRecordFacet) => records.facet(which),
    recordUniform: (which: WhichRecordColumns) => records.uniform(which),
    tree: (which: WhichTree) => tree.rows(which),
    treeBeginning: (open: string[], begins: string, from: number) => tree.beginning(open, begins, from),
    unreadUnits: (open: string[]) => tree.unreadUnits(open),
    treePath: (list: 'tags' | 'structure-units', id: string) => tree.pathTo(list, id),
    listCounts: () =>
      listNames.map((list) => ({
        list,
        count:
          cache.asOf(`description/${list}`) === null
            ? null
            : list === 'tags'
              ? tree.count()
              : cache.count(`description/${list}`),
      })),
    recordBeginning: (which: WhichRecordBeginning) => records.beginning(which),
    /** Every record of a list, as it may be chosen: by its title and what tells it from others. */
    titles: (list: ListName) =>
      scans.all<HeldRecord>(`description/${list}`).map(({ id, title, note, within, isTemplate }): Choice => {
        const text = note === '' ? title : `${title} – ${note}`
        const choice: Choice = { value: id, text, within, isTemplate: isTemplate === true }
        return definitionOf(list).isTree === true ? { ...choice, path: tree.placeOf(list, id) } : choice
      }),
  }
}

/** Questions about what an archive has. */
const aboutHoldings = (opened: Opened) => {
  const { archive, cache, scans, sortOrders, packageList, yieldToRows } = opened
  const find = openFind(cache, yieldToRows)
  const facets = openPackageFacets(cache, sortOrders, yieldToRows)
  const holdings = openHoldings(cache, sortOrders)
  const activity = openActivity(cache, sortOrders, archive)
  return {
    packages: (which: WhichPackages) => packageList.list(which),
    packageRows: (ids: string[]) => packageList.some(ids),
    packageBeginning: (which: WhichPackageBeginning) => packageList.beginning(which),
    packageLine: (which: WhichPackageLine) => packageList.line(which),
    packageFacet: (which: WhichPackageFacet) => facets.facet(which),
    packageUniform: (which: WhichPackageColumns) => facets.uniform(which),
    chosenPackages: (which: WhichPackageLines) => packageList.chosen(which),
    ...aboutDescription(opened),
    deliveries: () => scans.all<Delivery>('deliveries'),
    /** What of this desk alone is found stands first; it has none of the things that filters speak of. */
    found: (which: WhichFound): FoundAnswer => {
      const answer = find.ask(which)
      if (which.group !== null || isFiltered(which.filters)) return answer
      const ofDesk = matchesAmong(deskRecords(opened), answer.reading)
      return { ...answer, groups: [...ofDesk, ...answer.groups] }
    },
    foundList: (which: WhichHits): FoundList => {
      const answer = find.list(which)
      const { filters } = which
      if (isFiltered(answer.isWithoutIndexFilters ? withoutIndexFilters(filters) : filters)) return answer
      const [ofDesk] = matchesAmong(deskRecords(opened), answer.reading)
      if (!ofDesk) return answer
      const isShown = filters.kinds.length === 0 || filters.kinds.includes('desk')
      return {
        ...answer,
        hits: isShown ? [...ofDesk.hits, ...answer.hits].slice(0, which.most) : answer.hits,
        total: answer.total + (isShown ? ofDesk.total : 0),
        kinds: [{ group: 'desk', total: ofDesk.total, isMore: false }, ...answer.kinds],
      }
    },
    foundFacets: (which: WhichHits) => find.facets(which),
    foundIds: (which: WhichFound) => find.ids(which),
    foundRows: (ids: string[]) => find.rows(ids),
    filterChoices: () => find.choices(),
    activity: (which: WhichActivity) => activity.list(which),
    activityFacet: (which: WhichActivityFacet) => activity.facet(which),
    activityUniform: (which: WhichActivityColumns) => activity.uniform(which),
    storage: () => ({
      ...storageOverview(cache, scans, holdings.copiesOfMedia()),
      ...holdings.overview(new Date().toISOString()),
      copies: cache.count('objects'),
      asOf: cache.asOf('media'),
    }),
    copiesOfMedia: () => holdings.copiesOfMedia(),
    onMedium: (medium: string) => holdings.onMedium(medium),
    risky: (which: WhichRisky) => holdings.risky(which, new Date().toISOString()),
  }
}

/** Questions about what this desk keeps, and about what the archive tells and keeps for a person. */
const aboutDesk = ({ archive, dialect, cache, scans, book, jobs }: Opened) => {
  const transferList = openTransferList(cache.database, archive)
  const alerts = openAlertQuestions(cache, archive)
  const journalOf = openJournalPart(cache.database)
  return {
    journalOf: (about: string, most: number) => journalOf(archive, about, most),
    jobCounts: () => jobs.counts(archive),
    transferIds: (which: WhichTransfers) => transferList.ids(which),
    transferBeginning: ({ begins, from, ...which }: WhichTransferBeginning) =>
      transferList.beginning(which, begins, from),
    transferLine: ({ id, ...which }: WhichTransferLine) => transferList.line(which, id),
    transferFacet: (which: WhichTransferFacet) => transferList.facet(which),
    transferUniform: (which: WhichTransferColumns) => transferList.uniform(which),
    unknownAlerts: (most: number, upTo: number | null) => alerts.unknown(most, upTo),
    openedAlerts: (most: number) => alerts.opened(most),
    toldOf: (current: string, named: Pick<Package, 'identifier'>) => alerts.toldOf(current, named),
    orders: () => ({ rows: book.rows(), asOf: cache.asOf('description/orders') }),
    order: (id: string) => book.page(id),
    asking: () => book.asking(),
    bookedOrder: (id: string) => book.one(id),
    /** Searches that the archive keeps, with their queries as it gave them. */
    storedSearches: () =>
      scans.all<HeldRecord>('description/me/searches').map(({ id, title }) => ({
        id,
        title,
        query: dialect.storedSearches.queryIn(cache.raw('description/me/searches', id)),
      })),
  }
}

/**
 * The answers to questions that may walk through much of what is held of an archive, or of what this desk
 * keeps: threads give them alone.
 */
export const openAnswers = (parts: Parts) => {
  const opened = open(parts)
  return {
    answers: { ...aboutHoldings(opened), ...aboutDesk(opened) },
    /** How much of the file may stand in memory. */
    keepInMemory: (bytes: number) =>
      opened.database.exec(`pragma main.cache_size = -${Math.floor(bytes / 1024)}`),
    close: () => {
      opened.packageList.close()
      opened.cache.close()
    },
  }
}

export type Answers = ReturnType<typeof openAnswers>['answers']
