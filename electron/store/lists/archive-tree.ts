import type { DatabaseSync } from 'node:sqlite'
import type { TreeRow, WhichTree } from '../../contract/description.ts'
import type { Listed } from '../../contract/paging.ts'
import { folded } from '../../common/fold.ts'
import { prepare, prepareOne } from '../../common/statements.ts'
import type { ListName } from '../../contract/lists.ts'
import type { HeldRecord } from '../../dialects/models.ts'
import type { Cache } from '../cache/cache.ts'

const tags = `'description/tags'`
const units = `'description/structure-units'`
const parent = `coalesce(h.above, '')`
/** Every id of a list that a record refers to begins so, and none of another list does. */
const refers = (list: string) =>
  `r.subject = h.subject and r.id = h.id and r.target >= '${list}:' and r.target < '${list};'`
const hasUnit = `exists (select 1 from reference r where ${refers('structure-units')})`
const below = 'held h indexed by held_record_by_parent'
/** A unit of which it is not known yet what stands in it. */
const isUnread = `(h.model ->> '$.hasNodes' is not null
  and not exists (select 1 from contents c where c.contentsOf = 'structure-units:' || h.id)
  and not exists (select 1 from reference r where r.target = 'structure-units:' || h.id
    and r.subject = ${tags}))`
const seen = `h.id, h.model ->> '$.title' as title, coalesce(h.model ->> '$.note', '') as note,
  h.changed is not null as isNew`
const ofNode = `${seen}, exists (select 1 from held k where k.subject = ${tags}
    and substr(k.subject, 1, 12) = 'description/' and coalesce(k.above, '') = h.id)
  or exists (select 1 from reference r where ${refers('information-packages')}) as hasChildren`
const ofDescription = (subject: string) =>
  `h.subject = ${subject} and substr(h.subject, 1, 12) = 'description/'`

interface Seen {
  id: string
  title: string
  note: string
  isNew: number
}

interface SeenUnit extends Seen {
  isUnread: number
}

/** An archive with the structure that its units stand in. */
interface Root extends Seen {
  within: string | null
  hasChildren: number
}

interface Line {
  row: TreeRow
  /** For type-ahead. */
  text: string
}

const openStatements = (database: DatabaseSync) => ({
  roots: prepare<Root>(
    database,
    `select ${ofNode}, h.model ->> '$.within' as within from ${below}
      where ${ofDescription(tags)} and ${parent} = '' and not ${hasUnit} order by h.position`,
  ),
  rootCount: prepareOne<{ n: number }>(
    database,
    `select count(*) as n from ${below} where ${ofDescription(tags)} and ${parent} = '' and not ${hasUnit}`,
  ),
  topUnits: prepare<SeenUnit>(
    database,
    `select ${seen}, ${isUnread} as isUnread from ${below} where ${ofDescription(units)} and ${parent} = ''
      and h.model ->> '$.within' = ? order by h.position`,
  ),
  unitsBelow: prepare<SeenUnit>(
    database,
    `select ${seen}, ${isUnread} as isUnread from ${below}
      where ${ofDescription(units)} and ${parent} = ? order by h.position`,
  ),
  /** The units in which the nodes right below an archive stand. */
  usedUnits: prepare<{ id: string }>(
    database,
    `select distinct substr(r.target, ${'structure-units:'.length + 1}) as id from ${below}
      join reference r on ${refers('structure-units')}
      where ${ofDescription(tags)} and ${parent} = ?`,
  ),
  unreadUnits: prepare<{ id: string }>(
    database,
    `select h.id from held h where ${ofDescription(units)} and h.model ->> '$.within' = ? and ${isUnread}`,
  ),
  nodesBelow: prepare<Seen & { hasChildren: number }>(
    database,
    `select ${ofNode} from ${below} where ${ofDescription(tags)} and ${parent} = ?1
      and (?2 = 0 or not ${hasUnit}) order by h.position`,
  ),
  nodesIn: prepare<Seen & { hasChildren: number }>(
    database,
    `select ${ofNode} from reference u join held h on h.subject = u.subject and h.id = u.id
      where u.target = 'structure-units:' || ?1 and u.subject = ${tags}
      and (${parent} = ?2 or (?3 = 1 and ${parent} = '')) order by h.position`,
  ),
  anyNodeIn: prepare<{ id: string }>(
    database,
    `select h.id from reference u join held h on h.subject = u.subject and h.id = u.id
      where u.target = 'structure-units:' || ?1 and u.subject = ${tags}
      and (${parent} = ?2 or (?3 = 1 and ${parent} = '')) limit 1`,
  ),
  packagesOf: prepare<{ id: string; title: string; note: string }>(
    database,
    `select p.id, p.label as title, p.identifier as note
      from reference r join package p on p.id = substr(r.target, ${'information-packages:'.length + 1})
      where r.subject = ${tags} and r.id = ? and r.target >= 'information-packages:'
        and r.target < 'information-packages;'
      order by p.label, p.identifier, p.id`,
  ),
  revision: prepareOne<{ n: number }>(
    database,
    `select coalesce(sum(n), 0) as n from revision where subject in (${tags}, ${units}, 'packages')`,
  ),
  unitOf: prepare<{ id: string }>(
    database,
    `select substr(r.target, ${'structure-units:'.length + 1}) as id from held h
      join reference r on ${refers('structure-units')} where h.subject = ${tags} and h.id = ? limit 1`,
  ),
  within: prepare<{ within: string | null }>(
    database,
    `select model ->> '$.within' as within from held where subject = ${units} and id = ?`,
  ),
})

/** Rows are named by where they stand: a unit of a structure that is shared stands below several archives. */
const keyOf = {
  archive: (id: string) => `a:${id}`,
  unit: (archive: string, id: string) => `u:${archive}:${id}`,
  node: (id: string) => `n:${id}`,
}

/** What is put into the tree: what is read, which rows are open, and the rows so far. */
interface Walk {
  statements: ReturnType<typeof openStatements>
  open: ReadonlySet<string>
  lines: Line[]
}

/** Nobody describes deeper; a parent that stands below its child would have no end. */
const deepest = 100

/** @returns whether what is below the row is to be put too */
const put = ({ lines, open }: Walk, row: Omit<TreeRow, 'isNew'>, isNew = 0): boolean => {
  lines.push({ row: { ...row, isNew: isNew === 1 }, text: folded(row.title) })
  return row.hasChildren && open.has(row.id) && row.depth < deepest
}

const putPackages = (walk: Walk, node: string, depth: number) => {
  for (const { id, title, note } of walk.statements.packagesOf.all(node))
    put(walk, {
      id: `p:${node}:${id}`,
      kind: 'package',
      to: { list: 'information-packages', id },
      title,
      note,
      depth,
      hasChildren: false,
    })
}

const putNodes = (walk: Walk, nodes: (Seen & { hasChildren: number })[], depth: number) => {
  for (const { id, title, note, isNew, hasChildren } of nodes) {
    const row: Omit<TreeRow, 'isNew'> = {
      id: keyOf.node(id),
      kind: 'node',
      to: { list: 'tags', id },
      title,
      note,
      depth,
      hasChildren: hasChildren === 1,
    }
    if (!put(walk, row, isNew)) continue
    putNodes(walk, walk.statements.nodesBelow.all(id, 0), depth + 1)
    putPackages(walk, id, depth + 1)
  }
}

/** An archive whose units are put. */
interface Units {
  archive: string
  /** The units that have, or may have, something of the archive; all of them count where it is undefined. */
  used: ReadonlySet<string> | undefined
}

const putUnits = (walk: Walk, of: Units, units: SeenUnit[], depth: number) => {
  const { statements } = walk
  const { archive, used } = of
  for (const { id, title, note, isNew, isUnread } of units) {
    if (used && !used.has(id)) continue
    const deeper = statements.unitsBelow.all(id).filter((unit) => !used || used.has(unit.id))
    const inUnit = [id, archive, used ? 0 : 1] as const
    const row: Omit<TreeRow, 'isNew'> = {
      id: keyOf.unit(archive, id),
      kind: 'unit',
      to: { list: 'structure-units', id },
      title,
      note,
      depth,
      hasChildren: isUnread === 1 || deeper.length > 0 || statements.anyNodeIn.get(...inUnit) !== undefined,
    }
    if (!put(walk, row, isNew)) continue
    putUnits(walk, of, deeper, depth + 1)
    putNodes(walk, statements.nodesIn.all(...inUnit), depth + 1)
  }
}

/** What stands above a record in the tree, as the ids of the rows that are to be open. */
const openPaths = (statements: Walk['statements'], pathTo: Cache['pathTo']) => {
  const unitPath = (id: string) => [...pathTo({ list: 'structure-units', id }).map((above) => above.id), id]
  /** What stands above a unit that no other archive has. */
  const pathToUnit = (id: string): string[] => {
    const within = statements.within.get(id)?.within
    const archives = statements.roots.all().filter((root) => within && root.within === within)
    const [archive] = archives
    if (!archive || archives.length > 1) return []
    const path = unitPath(id).slice(0, -1)
    return [keyOf.archive(archive.id), ...path.map((unit) => keyOf.unit(archive.id, unit))]
  }
  const pathToNode = (id: string): string[] => {
    const [archive = '', ...nodes] = [...pathTo({ list: 'tags', id }).map((above) => above.id), id]
    const unit = nodes[0] === undefined ? undefined : statements.unitOf.get(nodes[0])?.id
    const units = unit === undefined ? [] : unitPath(unit)
    return [
      keyOf.archive(archive),
      ...units.map((one) => keyOf.unit(archive, one)),
      ...nodes.map(keyOf.node),
    ].slice(0, -1)
  }
  return { unitPath, pathToUnit, pathToNode }
}

/** What a record stands below, by its titles from the top, for whoever chooses among many of one name. */
const openPlaces = (statements: Walk['statements'], { pathTo, one }: Pick<Cache, 'pathTo' | 'one'>) => {
  const titleOf = (list: ListName, id: string) =>
    one<HeldRecord>(`description/${list}`, id)?.model.title ?? id
  const titlesAbove = (list: ListName, id: string) => pathTo({ list, id }).map(({ title }) => title)
  const placeOfUnit = (id: string): string[] => {
    const within = statements.within.get(id)?.within
    return [...(within ? [titleOf('structures', within)] : []), ...titlesAbove('structure-units', id)]
  }
  const placeOfNode = (id: string): string[] => {
    const [archive, ...above] = pathTo({ list: 'tags', id })
    const unit = statements.unitOf.get(archive ? (above[0]?.id ?? id) : id)?.id
    return [
      ...(archive ? [archive.title] : []),
      ...(unit === undefined
        ? []
        : [...titlesAbove('structure-units', unit), titleOf('structure-units', unit)]),
      ...above.map(({ title }) => title),
    ]
  }
  return (list: ListName, id: string): string[] =>
    list === 'tags' ? placeOfNode(id) : list === 'structure-units' ? placeOfUnit(id) : titlesAbove(list, id)
}

/** @returns -1 where no line begins so */
const lineBeginning = (lines: Line[], begins: string, from: number): number => {
  const isSo = ({ text }: Line) => text.startsWith(begins)
  const found = lines.findIndex((line, index) => index >= from && isSo(line))
  return found >= 0 ? found : lines.findIndex(isSo)
}

const unreadUnits = ({ roots, unreadUnits: unread }: Walk['statements'], open: string[]): string[] => {
  const opened = roots.all().filter(({ id }) => open.includes(keyOf.archive(id)))
  const structures = new Set(opened.flatMap(({ within }) => (within === null ? [] : [within])))
  return [...structures].flatMap((within) => unread.all(within).map(({ id }) => id))
}

/**
 * The one tree of what is described: archives, the units of their structures, the nodes in these, and the
 * packages of nodes; only what stands below open rows. Of a structure that archives share each of them has
 * the units in which it has something, and those of which nobody knows yet what is in them. A node stands
 * right below its archive until its unit is known: where the lists do not say it (ESSArch), that is once the
 * contents of the unit were read.
 */
export const openArchiveTree = ({
  database,
  asOf,
  pathTo,
  one,
}: Pick<Cache, 'database' | 'asOf' | 'pathTo' | 'one'>) => {
  const statements = openStatements(database)
  const { unitPath, pathToUnit, pathToNode } = openPaths(statements, pathTo)
  const usedBy = (archive: string, within: string | null) =>
    new Set(
      [...statements.usedUnits.all(archive), ...statements.unreadUnits.all(within)].flatMap(({ id }) =>
        unitPath(id),
      ),
    )

  const readLines = (open: ReadonlySet<string>): Line[] => {
    const walk: Walk = { statements, open, lines: [] }
    const roots = statements.roots.all()
    const archivesOf = new Map<string, number>()
    for (const { within } of roots) if (within) archivesOf.set(within, (archivesOf.get(within) ?? 0) + 1)
    const unitsOf = new Map([...archivesOf.keys()].map((within) => [within, statements.topUnits.all(within)]))
    for (const { id, title, note, isNew, within, hasChildren } of roots) {
      const units = unitsOf.get(within ?? '') ?? []
      const isShared = (archivesOf.get(within ?? '') ?? 0) > 1
      const row: Omit<TreeRow, 'isNew'> = {
        id: keyOf.archive(id),
        kind: 'archive',
        to: { list: 'tags', id },
        title,
        note,
        depth: 0,
        hasChildren: hasChildren === 1 || (!isShared && units.length > 0),
      }
      if (!put(walk, row, isNew)) continue
      putUnits(walk, { archive: id, used: isShared ? usedBy(id, within) : undefined }, units, 1)
      putNodes(walk, statements.nodesBelow.all(id, 1), 1)
      putPackages(walk, id, 1)
    }
    return walk.lines
  }

  /** The lines that were asked for last: a window of rows after the other is asked of the same ones. */
  let latest: { key: string; revision: number; lines: Line[] } | undefined
  const linesOf = (open: string[]): Line[] => {
    const key = JSON.stringify(open)
    const revision = statements.revision.get().n
    if (latest?.key !== key || latest.revision !== revision)
      latest = { key, revision, lines: readLines(new Set(open)) }
    return latest.lines
  }
  return {
    rows: ({ open, offset, limit }: WhichTree): Listed<TreeRow> => {
      const lines = linesOf(open)
      const of = statements.rootCount.get().n
      return {
        rows: lines.slice(offset, offset + limit).map(({ row }) => row),
        total: of,
        of,
        lines: lines.length,
        asOf: asOf('description/tags'),
      }
    },
    /** The line of the next row whose title begins so, from one on and then from the top. */
    beginning: (open: string[], begins: string, from: number): number | null => {
      const line = lineBeginning(linesOf(open), folded(begins), from)
      return line >= 0 ? line : null
    },
    /** The units of open archives of which nobody knows yet what stands in them. */
    unreadUnits: (open: string[]) => unreadUnits(statements, open),
    /** What is to be open for a record to be seen, from the top; empty where nobody knows its archive. */
    pathTo: (list: 'tags' | 'structure-units', id: string): string[] =>
      list === 'tags' ? pathToNode(id) : pathToUnit(id),
    /** The titles of what a record of any list stands below, from the top. */
    placeOf: openPlaces(statements, { pathTo, one }),
    /** How many archives there are. */
    count: () => statements.rootCount.get().n,
  }
}
