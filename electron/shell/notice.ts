import { Notification } from 'electron'

// A notice that nobody refers to is collected, and its click with it.
const shown = new Set<Notification>()

/** Shows a native notice; a click on it leads on. */
export const showNotice = ({ title, body }: { title: string; body: string }, clicked: () => void, missed: (why: string) => void) => {
  if (!Notification.isSupported()) {
    missed('This system shows no notices.')
    return
  }
  const notice = new Notification({ title, body })
  shown.add(notice)
  notice.on('click', () => {
    shown.delete(notice)
    clicked()
  })
  notice.on('close', () => shown.delete(notice))
  notice.on('failed', (_event, why) => missed(why))
  notice.show()
}
