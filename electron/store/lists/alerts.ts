import type { Alert, ShownAlert } from '../../contract/alerts.ts'
import type { Cache } from '../cache/cache.ts'
import type { Packages } from '../cache/package-rows.ts'
import type { Notification } from '../../dialects/models.ts'

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
export const alertsOf = (cache: Pick<Cache, 'notifications' | 'packages'>, most: number): Alert[] =>
  cache.notifications(most).map((notification) => alertOf(cache.packages, notification))

/** Failures of one burst follow each other within this time: a task that fails fails those after it. */
const burstMs = 120_000

const isNameless = ({ tells, package: about }: Alert) => tells === 'failure' && about === null

/**
 * Alerts as lines, the newest first: failures without a package that follow each other closely are one, read
 * and unread apart.
 * @param alerts the newest first
 * @param isUnread by what the desk knows a message by
 */
export const linesOf = (alerts: Alert[], isUnread: (key: string) => boolean): ShownAlert[] => {
  const lines: ShownAlert[] = []
  const bursts = new Map<boolean, ShownAlert>()
  for (const alert of alerts) {
    const key = `n${alert.id}`
    const line = { ...alert, keys: [key], isUnread: isUnread(key) }
    const later = bursts.get(line.isUnread)
    if (isNameless(alert) && later && Date.parse(later.time) - Date.parse(alert.time) <= burstMs)
      Object.assign(later, line, { keys: [...later.keys, key] })
    else {
      lines.push(line)
      if (isNameless(alert)) bursts.set(line.isUnread, line)
    }
  }
  return lines
}

/**
 * The package that the newest burst of failures is about, where no other package of the archive has failed:
 * none of its messages names one.
 */
export const withFailed = (lines: ShownAlert[], packages: Pick<Packages, 'failed'>): ShownAlert[] => {
  const newest = lines.find(isNameless)
  const [failed, ...others] = newest ? packages.failed(2) : []
  if (!failed || others.length > 0 || !newest || Date.parse(failed.since) > Date.parse(newest.time))
    return lines
  const about = { id: failed.id, label: failed.label || failed.identifier || failed.id }
  return lines.map((line) => (line === newest ? { ...line, package: about } : line))
}
