import { news } from './define.ts'

/** What the window hears of native notifications and links. */
export const notices = {
  /** How many messages nobody opened yet, of all archives. */
  unread: news<{ unread: number }>(),
  /** A person clicked a native notification, or a link: the window goes to that place. */
  opened: news<{ archive: string; place: string }>(),
  /** A link named an archive that nobody is signed in to at this desk. */
  lost: news<{ archive: string }>(),
}
