import { toPackage, type PackageFacts } from '../archive-client/packages.ts'
import type { Listed, Package, PackageRow, PackageSort, WhichPackages } from '../contract/packages.ts'
import type { Cache } from './cache.ts'
import { likeText } from './texts.ts'

const orders: Record<PackageSort, string> = { label: 'words', state: 'shownState collate nocase', bytes: 'shownBytes', copies: 'shownCopies', changed: 'shownSince' }

const matches = (row: string) => `(${row}.folded like '%' || :filter || '%' escape '\\' or lower(${row}.shownState) like '%' || :filter || '%' escape '\\')`

/** What a row shows beside its own facts, looked up for the rows in the window alone. */
const columns = `
  p.id, p.type, p.aic, p.label, p.identifier, p.shownState as state, coalesce(n.stepState, p.stepState) as stepState, p.shownBytes as bytes, p.generation, p.isLast, p.generations, p.newest,
  p.shownCopies as copies, p.shownSince as changed,
  (select count(*) from held w, json_each(w.model, '$.methods') m where w.archive = p.archive and w.subject = 'policies' and w.id = coalesce(n.policy, p.policy) and m.value ->> '$.isEnabled' = 1) as wanted,
  exists (select 1 from held w where w.archive = p.archive and w.subject = 'policies' and w.id = coalesce(n.policy, p.policy)) as hasPolicy,
  exists (select 1 from held c where c.archive = p.archive and c.subject = 'packages' and c.id in (p.id, p.newest) and c.changed is not null) as isNew`

interface Found extends Omit<PackageRow, 'isLast' | 'isNew' | 'wanted'> {
  isLast: number
  isNew: number
  wanted: number
  hasPolicy: number
}

const toRow = ({ hasPolicy, wanted, isLast, isNew, ...it }: Found): PackageRow => ({ ...it, isLast: isLast === 1, isNew: isNew === 1, wanted: hasPolicy === 1 ? wanted : null })

export type Packages = ReturnType<typeof openPackages>

/** Packages of the local copy: their list, a window of rows at a time, and each as it was given. */
export const openPackages = ({ database, raw, asOf }: Cache) => {
  const facts = 'select id, type, aic, label, identifier, state, stepState, bytes, generation, isLast, policy, archived, since from package'
  const toFacts = (row: unknown): PackageFacts => {
    const { isLast, archived, ...it } = row as PackageFacts
    return { ...it, isLast: Number(isLast) === 1, archived: Number(archived) === 1 }
  }
  const one = database.prepare(`${facts} where archive = ? and id = ?`)
  const known = database.prepare(`${facts} where archive = ? and identifier = ?`)
  const family = database.prepare('select id from package where archive = ? and aic = ? order by coalesce(generation, 0), id')
  const some = database.prepare(`${facts} where archive = ? and type <> 'AIC' order by words limit ?`)

  /** Of a tree, the top rows that are open above the window or in it push the others down: they are counted first. */
  const list = (archive: string, { view, sort, descending, filter, open, offset, limit }: WhichPackages): Listed<PackageRow> => {
    const isTree = view === 'tree'
    const level = isTree ? 'p.archive = :archive and p.isTop = 1' : `p.archive = :archive and p.type <> 'AIC'`
    const typed = likeText(filter)
    const below = `exists (select 1 from package kid where kid.archive = p.archive and kid.aic = p.id and ${matches('kid')})`
    const wanted = typed === '' ? level : `${level} and ${isTree ? `(${matches('p')} or ${below})` : matches('p')}`
    const given = { archive, ...(typed === '' ? {} : { filter: typed }) }
    const countOf = (condition: string, more = {}) => (database.prepare(`select count(*) as n from package p where ${condition}`).get({ ...given, ...more }) as { n: number }).n
    const of = (database.prepare(`select count(*) as n from package p where ${level}`).get({ archive }) as { n: number }).n
    const total = typed === '' ? of : countOf(wanted)
    const direction = descending ? 'desc' : 'asc'
    const key = orders[sort]
    const isOpen = isTree && open.length > 0
    // Without open rows the index alone finds the window; with them, each is followed by what is below it.
    const tops = `select p.number, p.number as top, 0 as depth, p.${key.split(' ')[0]} as sorted, p.id as topId, 0 as generation from package p where ${wanted}`
    const window = isOpen
      ? `select number from (${tops} union all select k.number, p.number, 1, p.${key.split(' ')[0]}, p.id, coalesce(k.generation, 0)
           from package p join package k on k.archive = p.archive and k.aic = p.id where ${wanted} and p.id in (select value from json_each(:open)))
         order by sorted ${key.includes('nocase') ? 'collate nocase ' : ''}${direction}, topId ${direction}, depth, generation desc limit :limit offset :offset`
      : `select p.number from package p where ${wanted} order by p.${key} ${direction}, p.id ${direction} limit :limit offset :offset`
    const numbers = database.prepare(window).all({ ...given, limit, offset, ...(isOpen ? { open: JSON.stringify(open) } : {}) }) as { number: number }[]
    const found = database
      .prepare(`select ${columns} from json_each(:numbers) w join package p on p.number = w.value left join package n on n.archive = p.archive and n.id = p.newest order by w.key`)
      .all({ numbers: JSON.stringify(numbers.map(({ number }) => number)) }) as unknown as Found[]
    const lines = isOpen
      ? total +
        (
          database
            .prepare(`select count(*) as n from package p join package k on k.archive = p.archive and k.aic = p.id where ${wanted} and p.id in (select value from json_each(:open))`)
            .get({ ...given, open: JSON.stringify(open) }) as { n: number }
        ).n
      : total
    return { rows: found.map(toRow), total, of, lines, asOf: asOf(archive, 'packages') }
  }

  return {
    list,
    facts: (archive: string, id: string): PackageFacts | undefined => {
      const row = one.get(archive, id)
      return row && toFacts(row)
    },
    /** Those that carry an identifier of their own. */
    identified: (archive: string, identifier: string): PackageFacts[] => known.all(archive, identifier).map(toFacts),
    /** A package with everything the archive said of it. */
    whole: (archive: string, id: string): Package | undefined => {
      const found = raw(archive, 'packages', id)
      return found === undefined ? undefined : toPackage(found)
    },
    /** The ids of an AIC's generations, the oldest first. */
    generations: (archive: string, aic: string): string[] => family.all(archive, aic).map((row) => String(row['id'])),
    some: (archive: string, most: number): PackageFacts[] => some.all(archive, most).map(toFacts),
  }
}
