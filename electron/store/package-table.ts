import type { DatabaseSync } from 'node:sqlite'
import type { PackageFacts } from '../archive-client/packages.ts'
import { folded, sortKey } from './texts.ts'

/** Rows named in :ids, and those of the same families. */
const touched = `package.archive = :archive and package.number in (
  select p.number from package p join json_each(:ids) given on p.archive = :archive and p.id = given.value
  union select a.number from json_each(:ids) given join package p on p.archive = :archive and p.id = given.value join package a on a.archive = :archive and a.id = p.aic
  union select k.number from json_each(:ids) given join package k on k.archive = :archive and k.aic = given.value)`

/** Keeps a row of facts for every package that is held, with what the list sorts by: an AIC shows its newest generation's. */
export const packageTable = (database: DatabaseSync) => {
  const put = database.prepare(
    `insert into package (archive, id, type, aic, label, identifier, state, stepState, bytes, generation, isLast, policy, archived, since, shownState, shownBytes, shownSince, words, folded)
     values (:archive, :id, :type, :aic, :label, :identifier, :state, :stepState, :bytes, :generation, :isLast, :policy, :archived, :since, :state, :bytes, :since, :words, :folded)
     on conflict do update set type = excluded.type, aic = excluded.aic, label = excluded.label, identifier = excluded.identifier, state = excluded.state, stepState = excluded.stepState,
       bytes = excluded.bytes, generation = excluded.generation, isLast = excluded.isLast, policy = excluded.policy, archived = excluded.archived, since = excluded.since,
       shownState = excluded.shownState, shownBytes = excluded.shownBytes, shownSince = excluded.shownSince, words = excluded.words, folded = excluded.folded`,
  )
  const remove = database.prepare('delete from package where archive = ? and id = ?')
  const aicOf = database.prepare('select aic from package where archive = ? and id = ?')
  const own = database.prepare(
    `update package set
       copies = (select count(*) from held o where o.archive = package.archive and o.subject = 'objects' and o.model ->> '$.package' = package.id),
       isTop = package.aic is null or not exists (select 1 from package a where a.archive = package.archive and a.id = package.aic),
       generations = (select count(*) from package k where k.archive = package.archive and k.aic = package.id),
       newest = (select k.id from package k where k.archive = package.archive and k.aic = package.id order by coalesce(k.generation, 0) desc, k.id limit 1)
     where ${touched}`,
  )
  const shown = database.prepare(
    `update package set shownState = coalesce(n.state, package.state), shownBytes = coalesce(n.bytes, package.bytes), shownCopies = coalesce(n.copies, package.copies), shownSince = coalesce(n.since, package.since)
     from package p left join package n on n.archive = p.archive and n.id = p.newest where p.number = package.number and ${touched}`,
  )
  /** Packages whose families are to be looked at again, by archive. */
  const waiting = new Map<string, Set<string>>()
  const touch = (archive: string, id: string | null) => {
    if (id === null || id === '') return
    const ids = waiting.get(archive) ?? new Set()
    waiting.set(archive, ids.add(id))
  }
  const touchFamily = (archive: string, id: string) => {
    const before = aicOf.get(archive, id) as { aic: string | null } | undefined
    touch(archive, id)
    touch(archive, before?.aic ?? null)
  }

  return {
    touch,
    put: (archive: string, it: PackageFacts, isNew: boolean) => {
      if (!isNew) touchFamily(archive, it.id)
      touch(archive, it.id)
      put.run({
        ...{ archive, id: it.id, type: it.type, aic: it.aic, label: it.label, identifier: it.identifier, state: it.state, stepState: it.stepState, bytes: it.bytes },
        ...{ generation: it.generation, isLast: Number(it.isLast), policy: it.policy, archived: Number(it.archived), since: it.since },
        ...{ words: sortKey(it.label), folded: folded(`${it.label} ${it.identifier} ${it.id}`) },
      })
    },
    remove: (archive: string, id: string) => {
      touchFamily(archive, id)
      remove.run(archive, id)
    },
    /** Brings what packages show of their families and copies up to date; part of the transaction that changed them. */
    settle: () => {
      for (const [archive, ids] of waiting) {
        const given = { archive, ids: JSON.stringify([...ids]) }
        own.run(given)
        shown.run(given)
      }
      waiting.clear()
    },
  }
}
