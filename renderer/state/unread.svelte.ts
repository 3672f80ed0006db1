import type { ArchiveDesk } from '../bridge.svelte.ts'
import { say, shown } from '../language/say.svelte.ts'
import { announcement } from './announce.svelte.ts'

/** What nobody read yet of an archive: by its key, in words. */
const unreadOf = async (desk: ArchiveDesk) => {
  const { messages, rows, unread } = await desk.alerts.list()
  const told = rows.filter(({ isUnread }) => isUnread)
  return {
    count: unread,
    texts: new Map([
      ...messages.map(({ key, content }): [string, string] => [key, shown.messageText(content)]),
      ...told.map(({ keys, text }): [string, string] => [keys.join(), shown.message(text)]),
    ]),
  }
}

/** How many messages of the archive that is shown nobody has read at this desk, kept up to date by main. */
class Unread {
  count = $state(0)
  #known = new Set<string>()

  /** Says what is new since this was asked last. */
  #tell = async (desk: ArchiveDesk, isFollowed: () => boolean) => {
    const { texts } = await unreadOf(desk)
    if (!isFollowed()) return
    const fresh = [...texts].filter(([key]) => !this.#known.has(key)).map(([, text]) => text)
    this.#known = new Set(texts.keys())
    if (fresh[0] !== undefined) announcement.sayAloud(say.archive.newNotices(fresh.length, fresh[0]))
  }

  /** Counts what nobody read yet of an archive, from now on. Gives how to stop. */
  start = (desk: ArchiveDesk) => {
    let isFollowed = true
    let hasNews = false
    this.count = 0
    const begin = async () => {
      const { count, texts } = await unreadOf(desk)
      // Another archive may be shown by now.
      if (!isFollowed) return
      // What was counted before the news is older than what they said.
      if (!hasNews) this.count = count
      this.#known = new Set(texts.keys())
    }
    // One after the other, or the same would be new twice. What cannot be asked now is said with the next.
    let telling = begin().catch(() => undefined)
    const stop = desk.alerts.changed(({ unread }) => {
      hasNews = true
      this.count = unread
      telling = telling.then(() => this.#tell(desk, () => isFollowed)).catch(() => undefined)
    })
    return () => {
      isFollowed = false
      stop()
    }
  }
}

export const unread = new Unread()
