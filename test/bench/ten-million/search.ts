import { nothing, heldFilters } from '../../../electron/contract/search-filters.ts'
import type { SearchFilters } from '../../../electron/contract/search.ts'
import type { WhichHits } from '../../../electron/contract/find.ts'
import type { Desk } from '../../e2e/launch.ts'
import { filledNode, filledPackage, packageId, type Mix } from '../filled-records.ts'
import type { Figures } from '../figures.ts'
import { counted, median, percentile, table } from '../measure.ts'

interface Question {
  kind: string
  typed: string
  filters?: Partial<SearchFilters>
  /** Whether what is found by its name stands before all else. */
  isRanked: boolean
}

/** Numbers all over a list, always the same. */
const numberAt = (nth: number, count: number) => Math.floor(((nth * 0.618_034 + 0.137) % 1) * count)

const each = <T>(count: number, make: (nth: number) => T) =>
  Array.from({ length: count }, (_, nth) => make(nth))
const wordOf = (text: string, nth: number) => text.split(' ')[nth] ?? ''

/** Two hundred questions of every kind that a person types. */
const questions = ({ packages, nodes }: Mix): Question[] => {
  const labelAt = (nth: number) => filledPackage(numberAt(nth, packages)).label
  const nodeAt = (nth: number) => filledNode(numberAt(nth, nodes))
  const common = [
    'kvarteret',
    'volym',
    'preserved',
    'östra hamnen',
    'från',
    'SE/STA',
    'byggnadsnämnden',
    'LTO',
  ]
  const inside = [
    'ritning',
    'protokoll',
    'räkning',
    'fotografi',
    'diarium',
    'matrikel',
    'besiktning',
    'liggare',
  ]
  const narrowed: Partial<SearchFilters>[] = [
    { states: ['Received'] },
    { from: '2006-01-01', to: '2006-12-31' },
    { creators: ['Byggnadsnämnden i Östra hamnen 17'] },
    { media: ['m7'] },
    { policies: ['00000001-0000-4000-8000-000000000009'] },
    { states: ['Preserved'], from: '2010-06-01', to: '2010-06-30' },
  ]
  const filtersAt = (nth: number) => narrowed[nth % narrowed.length] ?? {}
  const ranked: Omit<Question, 'isRanked'>[] = [
    ...each(16, (nth) => ({ kind: 'a word of most rows', typed: common[nth % common.length] ?? '' })),
    ...each(20, (nth) => ({ kind: 'a rare word', typed: wordOf(nodeAt(nth).name, 2) })),
    ...each(20, (nth) => ({ kind: 'one of a thousand words', typed: wordOf(labelAt(nth), 0) })),
    ...each(24, (nth) => ({ kind: 'a beginning', typed: wordOf(labelAt(nth), 0).slice(0, 1 + (nth % 6)) })),
    ...each(16, (nth) => ({ kind: 'a part of words', typed: inside[nth % inside.length] ?? '' })),
    ...each(20, (nth) => ({ kind: 'a code', typed: `SE/STA/${numberAt(nth, packages)}` })),
    ...each(10, (nth) => ({ kind: 'the code of a node', typed: nodeAt(nth).reference_code })),
    ...each(10, (nth) => ({ kind: 'an id', typed: packageId(numberAt(nth, packages)) })),
    ...each(16, (nth) => ({ kind: 'a phrase', typed: `"${labelAt(nth).replace(/,.*/, '')}"` })),
    ...each(16, (nth) => ({
      kind: 'two words and a number',
      typed: `${wordOf(labelAt(nth), 0)} volym ${numberAt(nth, 1_000)}`,
    })),
    ...each(12, (nth) => ({
      kind: 'words with filters',
      typed: wordOf(labelAt(nth), 0),
      filters: filtersAt(nth),
    })),
    ...each(8, (nth) => ({
      kind: 'a part of words with filters',
      typed: inside[nth] ?? '',
      filters: filtersAt(nth),
    })),
  ]
  const unranked: Omit<Question, 'isRanked'>[] = each(12, (nth) => ({
    kind: 'filters alone',
    typed: '',
    filters: filtersAt(nth),
  }))
  return [
    ...ranked.map((question) => ({ ...question, isRanked: true })),
    ...unranked.map((question) => ({ ...question, isRanked: false })),
  ]
}

/**
 * As the page asks: the list, and what it can be narrowed by beside it, unless that is still counted for an
 * earlier question. @returns ms until the list was there, and how many were found
 */
const askInPage = async ({ archive, which }: { archive: string; which: WhichHits }) => {
  const { find } = window.bridge.archive
  const counting = window as unknown as { facets: Promise<unknown> | undefined }
  const began = performance.now()
  const over = () => (counting.facets = undefined)
  counting.facets ??= find.facets(archive, which).then(over, over)
  const reply = await find.list(archive, which)
  if (!('value' in reply)) throw new Error(JSON.stringify(reply))
  return { list: performance.now() - began, total: reply.value.total }
}

/** Searching ten million rows with every kind of question, with other archives beside. */
export const searchTenMillion = async (desk: Desk, mix: Mix, figures: Figures) => {
  const { page } = desk
  const archive = await page.evaluate(() => document.documentElement.dataset['archive'] ?? '')
  const ask = ({ typed, filters }: Question) => {
    const which = { typed, filters: heldFilters({ ...nothing, ...filters }), most: 50 }
    return page.evaluate(askInPage, { archive, which })
  }
  const all = questions(mix)
  // The file is opened by the first.
  await ask({ kind: '', typed: 'volym 1', isRanked: true })
  const answers: { question: Question; list: number; total: number }[] = []
  // One after the other of each kind, so that none finds all that it needs in memory.
  const inTurn = [...all.entries()].sort(([a], [b]) => numberAt(a, 1e6) - numberAt(b, 1e6))
  for (const [, question] of inTurn) answers.push({ question, ...(await ask(question)) })
  counted('answers', answers, all.length)
  const rows = [...Map.groupBy(answers, ({ question }) => question.kind)].map(([kind, of]) => {
    const spent = of.map(({ list }) => list)
    const slowest = of.toSorted((a, b) => b.list - a.list)[0]
    return {
      kind,
      asked: of.length,
      'found nothing': of.filter(({ total }) => total === 0).length,
      'p50 ms': Math.round(median(spent)),
      'p95 ms': Math.round(percentile(spent, 0.95)),
      'most ms': Math.round(Math.max(...spent)),
      slowest: `${slowest?.question.typed ?? ''} ${JSON.stringify(slowest?.question.filters ?? {})}`,
    }
  })
  const count = mix.packages + mix.nodes + mix.copies
  table(`Search of ${count} rows by their words, nine archives beside (bars: 100 ms, 50 ms unranked)`, rows)
  for (const [isRanked, most] of [
    [true, 100],
    [false, 50],
  ] as const)
    figures.note({
      what: `search of ${count} rows, ${isRanked ? 'ranked' : 'unranked'}, p95`,
      values: [
        percentile(
          answers.filter(({ question }) => question.isRanked === isRanked).map(({ list }) => list),
          0.95,
        ),
      ],
      unit: 'ms',
      bar: { most },
    })
}
