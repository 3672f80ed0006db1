import { bridge, type ArchiveDesk } from '../bridge.svelte.ts'

/** How many messages nobody opened at this desk yet, kept up to date by main. */
class Unread {
  count = $state(0)

  start = (desk: ArchiveDesk) => {
    desk.alerts.list().then(
      ({ unread }) => (this.count = unread),
      // The next message says how many there are.
      () => undefined,
    )
    return bridge.notices.unread(({ unread }) => (this.count = unread))
  }
}

export const unread = new Unread()
