import { prepare } from '../../common/statements.ts'
import type { ContentsOf, NodeInside } from '../../dialects/models.ts'
import type { Writer } from './writer.ts'

const tags = 'description/tags'
const keyOf = ({ list, id }: Pick<ContentsOf, 'list' | 'id'>) => `${list}:${id}`

const openStatements = ({ database }: Writer) => ({
  known: prepare<{ id: string; target: string }>(
    database,
    'select id, target from reference where contentsOf = ? order by id, target',
  ),
  forget: database.prepare('delete from reference where contentsOf = ?'),
  forgetOthers: database.prepare(
    `delete from reference where subject = '${tags}' and id = ? and contentsOf >= ? and contentsOf < ?`,
  ),
  refer: database.prepare(
    `insert or ignore into reference (subject, id, target, contentsOf) values ('${tags}', ?, ?, ?)`,
  ),
  age: prepare<{ at: string }>(database, 'select at from contents where contentsOf = ?'),
  stamp: database.prepare(
    'insert into contents (contentsOf, at) values (?, ?) on conflict do update set at = excluded.at',
  ),
})

/**
 * Takes over what stands in a unit or below a node: which unit its nodes are in, and which packages they
 * stand for. A node stands in the unit that named it last.
 * @param nodes undefined where the archive does not say any more; what is known of it then stays
 * @param time when it was asked
 * @returns whether anything else is known now
 */
export const holdContents = (
  writer: Writer,
  of: ContentsOf,
  nodes: NodeInside[] | undefined,
  time: string,
): boolean => {
  const { known, forget, forgetOthers, refer, age, stamp } = openStatements(writer)
  const key = keyOf(of)
  let hasChanged = false
  writer.transaction(() => {
    const before = JSON.stringify(known.all(key))
    if (nodes) forget.run(key)
    for (const node of nodes ?? []) {
      forgetOthers.run(node.id, `${of.list}:`, `${of.list};`)
      if (of.list === 'structure-units') refer.run(node.id, key, key)
      if (node.package !== null) refer.run(node.id, `information-packages:${node.package}`, key)
    }
    hasChanged = age.get(key) === undefined || JSON.stringify(known.all(key)) !== before
    stamp.run(key, time)
    if (hasChanged) writer.wrote(tags)
  })
  return hasChanged
}
