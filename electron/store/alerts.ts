import type { Notification } from '../archive-client/activity.ts'
import type { Alert } from '../contract/alerts.ts'
import type { Cache } from './cache.ts'
import type { Packages } from './package-rows.ts'

/** The package that a message speaks of: archives write "label (identifier) …", and no id. */
const packageIn = (packages: Packages, message: string): Alert['package'] => {
  const identifiers = [...message.matchAll(/\(([^()]+)\)/g)].map(([, inside]) => inside ?? '')
  for (const identifier of identifiers.reverse()) {
    const found = packages.identified(identifier)
    const newest =
      found
        .filter(({ type }) => type !== 'AIC')
        .sort((a, b) => (b.generation ?? 0) - (a.generation ?? 0))[0] ?? found[0]
    if (newest) return { id: newest.id, label: newest.label }
  }
  return null
}

/** Archives put the identifier in parentheses behind the label. */
const readable = (message: string) => message.replace(/\s*\([^()]*\)(?=[^()]*$)/, '')

/** A notification with the package it speaks of. */
export const alertOf = (packages: Packages, it: Notification): Alert => {
  const found = packageIn(packages, it.message)
  return { ...it, package: found, text: found ? readable(it.message) : it.message }
}

/** The archive's notifications from the local copy, newest first. */
export const alertsOf = (cache: Cache, most = Number.MAX_SAFE_INTEGER): Alert[] =>
  cache.some<Notification>('notifications', most).map((it) => alertOf(cache.packages, it))

/** Those that the ledger does not know yet. */
export const unknownAlerts = (cache: Cache, isKnown: (key: string) => boolean): Notification[] => {
  const unknown = new Set(cache.ids('notifications').filter((id) => !isKnown(`n${id}`)))
  return unknown.size === 0
    ? []
    : [...unknown].flatMap((id) => cache.one<Notification>('notifications', id)?.model ?? [])
}
