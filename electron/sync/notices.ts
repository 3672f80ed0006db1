import type { Alert } from '../contract/alerts.ts'
import { alertsOf } from '../store/alerts.ts'
import type { Cache } from '../store/cache.ts'
import type { DeskStore } from '../store/desk.ts'
import type { Packages } from '../store/package-rows.ts'

/** A native notice: what it says, and the place that a click leads to. */
export interface Notice {
  title: string
  body: string
  place: string
}

export interface NoticeWords {
  preserved: string
  failed: string
  news: string
  several: (count: number, failures: number) => string
}

const mostAtOnce = 3
/** Stands in the ledger for "what was there before the first look": it is not told. */
const baseline = -1

const placeOf = (alert: Alert) => (alert.package ? `packages/${alert.package.id}` : 'desk')

const noticeOf = (alert: Alert, words: NoticeWords): Notice => ({
  title: alert.level === 'error' || alert.level === 'critical' ? words.failed : alert.package ? words.preserved : words.news,
  body: alert.package && /preserved|bevarad/i.test(alert.message) ? alert.package.label : alert.text,
  place: placeOf(alert),
})

/**
 * Tells each notification of the archive natively once: it is entered in the ledger before it is shown. What was there at the first
 * look at an archive is not told, and more than three at once become one digest; failures come first.
 */
export const openNotices =
  ({ cache, packages, store, words, show }: { cache: Cache; packages: Packages; store: DeskStore; words: () => NoticeWords; show: (notice: Notice) => void }) =>
  (archive: string) => {
    const unseen = alertsOf({ cache, packages }, archive).filter(({ seen }) => !seen)
    const isFirstLook = store.tellOnce(archive, [baseline]).length === 1
    const fresh = new Set(
      store.tellOnce(
        archive,
        unseen.map(({ id }) => id),
      ),
    )
    if (isFirstLook) return
    const isFailure = ({ level }: Alert) => level === 'error' || level === 'critical'
    const news = unseen.filter(({ id }) => fresh.has(id)).sort((a, b) => Number(isFailure(b)) - Number(isFailure(a)))
    if (news.length <= mostAtOnce) for (const alert of news) show(noticeOf(alert, words()))
    else show({ title: words().news, body: words().several(news.length, news.filter(isFailure).length), place: 'desk' })
  }
