import type { DatabaseSync } from 'node:sqlite'
import { prepareOne } from '../../common/statements.ts'

/**
 * SQL for where the copies of a package lie: of each the id of its medium and what is written on it, as a
 * JSON array; null where there are none. Packages whose copies lie on the same media have the same text.
 * @param id of the package; after "+" it has no affinity, so that the index is used
 */
const copiesOf = (id: string) => `nullif((
  select json_group_array(json_array(o.model ->> '$.medium', o.model ->> '$.mediumId')
    order by o.model ->> '$.medium', o.model ->> '$.mediumId')
  from held o where o.subject = 'objects' and o.model ->> '$.package' = +${id}), '[]')`

/** SQL that places every package, in a copy where none is placed. */
export const placePackages = `
  create temp table placed as select number, ${copiesOf('p.id')} as copies from package p;
  insert into placement (copies) select distinct copies from placed where copies is not null;
  update package set placement = s.number from placed d join placement s on s.copies = d.copies
    where package.number = d.number;
  drop table placed`

/**
 * A placement is the media on which the copies of a package lie. A million packages have some hundred of
 * them: what is at risk is weighed for each placement, never for each package.
 */
export const placementTables = `
  create table placement (number integer primary key, copies text not null unique) strict;
  alter table package add column placement integer;
  ${placePackages};
  create index package_by_placement on package (placement, policy, archived, since, bytes, type);
  drop index held_object_by_medium;
  create index held_object_by_medium on held (model ->> '$.medium', model ->> '$.written')
    where subject = 'objects'`

/** Finds the placements of packages, and keeps those that are new. */
export const openPlacements = (database: DatabaseSync) => {
  const finding = prepareOne<{ found: string }>(
    database,
    `select json_group_array(json_array(number, copies)) as found
      from (select p.number, ${copiesOf('p.id')} as copies
        from json_each(?) given cross join package p on p.number = given.value)`,
  )
  const add = database.prepare(
    `insert into placement (copies) select distinct value ->> 1 from json_each(?)
      where value ->> 1 is not null on conflict do nothing`,
  )
  /**
   * @param numbers of packages, as a JSON array
   * @returns for each its number and the copies of its placement, as a JSON array of pairs
   */
  return (numbers: string): string => {
    const { found } = finding.get(numbers)
    add.run(found)
    return found
  }
}
