import { bridge } from '../bridge.svelte.ts'

/** How many messages nobody opened at this desk yet, kept up to date by main. */
class Unread {
  count = $state(0)

  start = () => {
    void bridge.alerts.list().then(
      ({ unread }) => (this.count = unread),
      () => undefined,
    )
    return bridge.alerts.changed(({ unread }) => (this.count = unread))
  }
}

export const unread = new Unread()
