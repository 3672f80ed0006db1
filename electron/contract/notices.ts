import * as v from 'valibot'
import { command, news } from './define.ts'

/** A place in an archive, "packages/ID"; an empty archive is the one that is shown. */
export interface Destination {
  archive: string
  place: string
}

/** What the window hears of native notifications and links. */
export const notices = {
  /** A person clicked a native notification, or a link: the window goes to that place. */
  opened: news<Destination>(),
  /** A link named an archive that nobody is signed in to at this desk. */
  lost: news<{ archive: string }>(),
  /** The page is ready to hear both from now on; what was wanted before is told at once. */
  ready: command(v.undefined()).returns<void>(),
}
