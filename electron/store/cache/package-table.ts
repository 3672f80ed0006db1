import type { DatabaseSync } from 'node:sqlite'
import { folded } from '../../common/fold.ts'
import { newestFirst } from './generation-number.ts'
import { openPlacements } from './placements.ts'
import { sortKey } from './text-functions.ts'
import type { PackageFacts } from '../../dialects/models.ts'
import { prepare } from '../../common/statements.ts'

/**
 * The rows named in :ids, and those of the same families; "cross" keeps the planner from walking all packages
 * instead.
 */
const families = `
  select p.number from json_each(:ids) given cross join package p on p.id = given.value
  union select a.number from json_each(:ids) given cross join package p on p.id = given.value
    join package a on a.id = p.aic
  union select k.number from json_each(:ids) given cross join package k on k.aic = given.value`

/** Brings what packages show of their families and copies up to date. */
const openShownUpdate = (database: DatabaseSync) => {
  // Only rows that differ are written: most packages that arrive show what they say of themselves. Each
  // statement sets what changes with it: SQLite writes every index anew of which a column is set.
  const updateLevels = database.prepare(
    `with wanted as materialized (
       select p.number, p.aic is null or not exists (select 1 from package a where a.id = p.aic) as isTop
       from json_each(:numbers) given cross join package p on p.number = given.value)
     update package set isTop = w.isTop from wanted w
     where package.number = w.number and package.isTop <> w.isTop`,
  )
  const updateCopies = database.prepare(
    `with wanted as materialized (
       select given.value ->> 0 as number, coalesce(json_array_length(given.value ->> 1), 0) as copies,
         (select s.number from placement s where s.copies = given.value ->> 1) as placement
       from json_each(:placements) given)
     update package set copies = w.copies, placement = w.placement from wanted w
     where package.number = w.number and (package.copies, package.placement) is not (w.copies, w.placement)`,
  )
  const updateGenerations = database.prepare(
    `with wanted as materialized (
       select p.number, (select count(*) from package k where k.aic = p.id) as generations,
         (select k.id from package k where k.aic = p.id order by ${newestFirst('k')} limit 1) as newest
       from json_each(:numbers) given cross join package p on p.number = given.value)
     update package set generations = w.generations, newest = w.newest from wanted w
     where package.number = w.number and (package.generations, package.newest)
       is not (w.generations, w.newest)`,
  )
  const updateShownFacts = database.prepare(
    `with wanted as materialized (
       select p.number, coalesce(n.state, p.state) as state, coalesce(n.bytes, p.bytes) as bytes,
         coalesce(n.copies, p.copies) as copies, coalesce(n.since, p.since) as since
       from json_each(:numbers) given cross join package p on p.number = given.value left
         join package n on n.id = p.newest)
     update package set shownState = w.state, shownBytes = w.bytes, shownCopies = w.copies,
       shownSince = w.since from wanted w
     where package.number = w.number and (package.shownState, package.shownBytes, package.shownCopies,
       package.shownSince) is not (w.state, w.bytes, w.copies, w.since)`,
  )
  const related = database.prepare(families)
  const findPlacements = openPlacements(database)
  return (ids: Iterable<string>) => {
    const found = related.all({ ids: JSON.stringify([...ids]) })
    const numbers = JSON.stringify(found.map(({ number }) => number))
    updateLevels.run({ numbers })
    updateCopies.run({ placements: findPlacements(numbers) })
    updateGenerations.run({ numbers })
    updateShownFacts.run({ numbers })
  }
}

/** Writes the facts of a package. */
const openFacts = (database: DatabaseSync) => {
  const put = database.prepare(
    `insert into package (id, type, aic, label, identifier, state, stepState, bytes, generation, isLast,
      policy, archived, since, shownState, shownBytes, shownSince, words, folded, agreement, work,
      creator, number, isTop)
     values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?6, ?8, ?13, ?14, ?15, ?16, ?17, ?18,
       ?19, ?3 is null)
     on conflict do update set type = excluded.type, aic = excluded.aic, label = excluded.label,
       identifier = excluded.identifier, state = excluded.state, stepState = excluded.stepState,
       bytes = excluded.bytes, generation = excluded.generation, isLast = excluded.isLast,
         policy = coalesce(excluded.policy, iif(package.agreement is excluded.agreement, package.policy,
         null)), agreement = excluded.agreement, archived = excluded.archived, since = excluded.since,
       shownState = excluded.shownState, shownBytes = excluded.shownBytes, shownSince = excluded.shownSince,
         words = excluded.words, folded = excluded.folded, work = excluded.work,
         creator = excluded.creator`,
  )
  return (facts: PackageFacts, number: number) => {
    const { id, type, aic, label, identifier, state, stepState, bytes, generation } = facts
    const { isLast, policy, agreement, archived, since, work, creator } = facts
    put.run(
      id,
      type,
      aic,
      label,
      identifier,
      state,
      stepState,
      bytes,
      generation,
      Number(isLast),
      policy,
      Number(archived),
      since,
      sortKey(label),
      folded(`${label} ${identifier} ${id}`),
      agreement,
      work,
      creator,
      number,
    )
  }
}

/**
 * Keeps a row of facts for every package that is held, with what the list sorts by: an AIC shows its newest
 * generation's.
 */
export const packageTable = (database: DatabaseSync) => {
  const putFacts = openFacts(database)
  const updateShown = openShownUpdate(database)
  const remove = database.prepare('delete from package where id = ?')
  const aicOf = prepare<{ aic: string | null }>(database, 'select aic from package where id = ?')
  const byAgreement = database.prepare(
    `update package set policy = h.policy
      from (select id, model ->> '$.policy' as policy from held where subject = 'agreements') h
     where package.agreement = h.id and package.policy is not h.policy`,
  )
  /** Packages whose families are to be looked at again. */
  const waiting = new Set<string>()
  const touch = (id: string | null) => {
    if (id !== null && id !== '') waiting.add(id)
  }
  const touchFamily = (id: string) => {
    const before = aicOf.get(id)
    touch(id)
    touch(before?.aic ?? null)
  }

  return {
    touch,
    /** @param number that of its record: whoever finds one by words has the other as well */
    put: (facts: PackageFacts, number: number, isNew: boolean) => {
      if (!isNew) touchFamily(facts.id)
      touch(facts.id)
      putFacts(facts, number)
    },
    remove: (id: string) => {
      touchFamily(id)
      remove.run(id)
    },
    /** Gives packages that name no policy that of their agreement; part of a transaction. */
    takePolicies: () => Number(byAgreement.run().changes),
    /** What was to be looked at again went with its transaction. */
    forget: () => waiting.clear(),
    /**
     * Brings what packages show of their families and copies up to date; part of the transaction that changed
     * them.
     */
    updateShown: () => {
      if (waiting.size === 0) return
      updateShown(waiting)
      waiting.clear()
    },
  }
}
