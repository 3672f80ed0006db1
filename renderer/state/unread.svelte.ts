import type { ArchiveDesk } from '../bridge.svelte.ts'

/** How many messages of the archive that is shown nobody has read at this desk, kept up to date by main. */
class Unread {
  count = $state(0)

  start = (desk: ArchiveDesk) => {
    this.count = 0
    desk.alerts.list().then(
      ({ unread }) => (this.count = unread),
      // The next message says how many there are.
      () => undefined,
    )
    return desk.alerts.changed(({ unread }) => (this.count = unread))
  }
}

export const unread = new Unread()
