import type { DatabaseSync } from 'node:sqlite'
import { prepare } from '../../common/statements.ts'
import { newestFirst } from '../cache/generation-number.ts'

/**
 * Finds what stands for a package in place of its newest generation: an earlier one, or its AIC. By each of
 * them the others of its package, as "packages ID".
 */
export const openOtherGenerations = (database: DatabaseSync) => {
  const others = prepare<{ id: string; other: string }>(
    database,
    `select p.id, k.id as other from json_each(:numbers) n
      cross join package p on p.number = n.value
      cross join package k on k.aic = coalesce(p.aic, p.id) or k.id = coalesce(p.aic, p.id)
     where k.id <> p.id
       and p.id <> (select l.id from package l where l.aic = coalesce(p.aic, p.id)
         order by ${newestFirst('l')} limit 1)`,
  )
  return (numbers: number[]): Record<string, string[]> => {
    const found = new Map<string, string[]>()
    for (const { id, other } of others.all({ numbers: JSON.stringify(numbers) }))
      found.set(`packages ${id}`, [...(found.get(`packages ${id}`) ?? []), `packages ${other}`])
    return Object.fromEntries(found)
  }
}
