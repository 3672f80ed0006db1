import type { ApplicationContract } from '../contract/index.ts'
import type { Destination } from '../contract/notices.ts'
import type { Tell } from '../ipc/tell.ts'

/** Keeps what a page is to be told until it says that it is ready to hear. */
export const openPageInbox = (tell: Tell<ApplicationContract>) => {
  let isReady = false
  let waiting: (() => void)[] = []
  const give = (message: () => void) => {
    if (isReady) message()
    else waiting.push(message)
  }
  return {
    opened: (destination: Destination) => give(() => tell('notices.opened', destination)),
    lost: (archive: string) => give(() => tell('notices.lost', { archive })),
    /** A page is being loaded: it hears nothing yet. */
    loading: () => {
      isReady = false
    },
    ready: () => {
      isReady = true
      const messages = waiting
      waiting = []
      for (const message of messages) message()
    },
  }
}
