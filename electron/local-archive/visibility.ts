import type { Account } from './accounts/accounts.ts'
import type { Kind } from './database.ts'

/** Where a record names the package that it is about. */
const packageIn: Partial<Record<Kind, string>> = {
  event: `body ->> 'information_package'`,
  'information package': 'id',
  'storage object': `body ->> 'ip'`,
  tag: `body ->> 'information_package'`,
}
/** Where a record names whose it is. */
const ownerIn: Partial<Record<Kind, string>> = {
  notification: `$.user.id`,
  order: `$.responsible.id`,
  'stored search': `$.sender`,
}

/**
 * The one rule of who sees what, as a condition on rows of the table of records: what is one's own is seen by
 * nobody else, except orders by administrators; and a package that is hidden is hidden from readers with
 * whatever is about it.
 * @param account who asks; without one, the archive itself, which sees everything
 */
export const visibleRows = (kind: Kind, account: Account | undefined): string => {
  const owner = ownerIn[kind]
  if (account && owner !== undefined)
    return kind === 'order' && account.role === 'administrator'
      ? 'true'
      : `body ->> '${owner}' = ${account.id}`
  const about = packageIn[kind]
  return account?.role === 'reader' && about !== undefined
    ? `ifnull(${about}, '') not in (select id from hidden_package)`
    : 'true'
}
