/** What a search asks for, read from its path form, its query string, or both (specification 4.3). */
export interface SearchQuery {
  /** Phrases, each of which must be found: single words, or several that stood in quotes. */
  phrases: string[]
  /** Whether there was something to look for at all: a query of signs alone finds nothing. */
  hasText: boolean
  indices: string[]
  extensions: string[]
  types: string[]
  agents: string[]
  archives: string[]
  ordering: { field: 'name' | 'reference_code'; descending: boolean }[]
  page: number
  length: number
}

export const mostHits = 10_000
const longest = 2_000
const mostWords = 100
const mostValues = 100

const listed = (value: string | null) =>
  [...new Set((value ?? '').split(',').map((part) => part.trim()))].filter(Boolean)

const phrasesOf = (q: string) =>
  [...q.matchAll(/"([^"]*)"|([^\s"]+)/g)]
    .map(([, quoted, word]) => (quoted ?? word ?? '').trim())
    .filter((phrase) => /[\p{L}\p{N}]/u.test(phrase))

/**
 * Reads the filters of a search.
 * @returns the query, or the answer that refuses it: 400 and 404 as ESSArch gives them
 */
export const readQuery = (given: URLSearchParams): SearchQuery | { status: number; detail: string } => {
  const q = (given.get('q') ?? '').trim()
  if (q.length > longest) return { status: 400, detail: `A query has at most ${longest} characters.` }
  if ((q.match(/[\p{L}\p{N}]+/gu) ?? []).length > mostWords)
    return { status: 400, detail: `A query has at most ${mostWords} words.` }
  for (const filter of ['indices', 'extension', 'type', 'agents', 'archives'])
    if (listed(given.get(filter)).length > mostValues)
      return { status: 400, detail: `A filter has at most ${mostValues} values.` }
  const ordering: SearchQuery['ordering'] = []
  for (const asked of listed(given.get('ordering'))) {
    const field = asked.replace(/^-/, '')
    if (field !== 'name' && field !== 'reference_code')
      return { status: 400, detail: `Invalid sort field: ${field}` }
    ordering.push({ field, descending: asked.startsWith('-') })
  }
  const all = given.get('pager') === 'none'
  const page = given.get('page') ?? '1'
  const length = given.get('page_size') ?? '10'
  if (!/^[1-9]\d{0,8}$/.test(page)) return { status: 404, detail: 'Invalid page.' }
  if (!/^\d{1,9}$/.test(length)) return { status: 400, detail: 'page_size is not a number.' }
  if (!all && Number(page) * Number(length) > mostHits)
    return { status: 400, detail: `Can't show more than ${mostHits} results` }
  return {
    phrases: phrasesOf(q),
    hasText: q !== '',
    ordering,
    indices: listed(given.get('indices')),
    extensions: listed(given.get('extension')).map((extension) => extension.replace(/^\./, '')),
    types: listed(given.get('type')),
    agents: listed(given.get('agents')),
    archives: listed(given.get('archives')),
    page: all ? 1 : Number(page),
    length: all ? mostHits : Number(length),
  }
}
