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
    this.count = 0
    unreadOf(desk).then(
      ({ count, texts }) => {
        // Another archive may be shown by now.
        if (!isFollowed) return
        this.count = count
        this.#known = new Set(texts.keys())
      },
      // The next message says how many there are.
      () => undefined,
    )
    const stop = desk.alerts.changed(({ unread }) => {
      this.count = unread
      // What could not be asked now is said with the next.
      this.#tell(desk, () => isFollowed).catch(() => undefined)
    })
    return () => {
      isFollowed = false
      stop()
    }
  }
}

export const unread = new Unread()
