import type { ApplicationContract } from '../contract/index.ts'
import type { Destination } from '../contract/notices.ts'
import type { SendNews } from '../ipc/send-news.ts'

/** Keeps what a page is to be told until it says that it is ready to hear. */
export const openPageInbox = (sendNews: SendNews<ApplicationContract>) => {
  let isReady = false
  let waiting: (() => void)[] = []
  const give = (message: () => void) => {
    if (isReady) message()
    else waiting.push(message)
  }
  return {
    opened: (destination: Destination) => give(() => sendNews('notices.opened', destination)),
    lost: (archive: string) => give(() => sendNews('notices.lost', { archive })),
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
