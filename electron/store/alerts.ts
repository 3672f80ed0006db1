import type { Alert } from '../contract/alerts.ts'
import type { Cache } from './cache.ts'
import type { Packages } from './package-rows.ts'
import type { Notification } from '../dialects/models.ts'

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
export const alertOf = (packages: Packages, notification: Notification): Alert => {
  const found = packageIn(packages, notification.message)
  return {
    ...notification,
    package: found,
    text: found ? readable(notification.message) : notification.message,
  }
}

/** The newest of the archive's notifications in the local copy, newest first. */
export const alertsOf = (cache: Pick<Cache, 'some' | 'packages'>, most: number): Alert[] =>
  cache.some<Notification>('notifications', most).map((notification) => alertOf(cache.packages, notification))
