import { askIndex } from '../archive-client/search.ts'
import type { Fulfils } from '../contract/define.ts'
import type { search as promised } from '../contract/search.ts'
import type { Session } from '../session/session.ts'

export const search = ({ session }: { session: Session }): Fulfils<typeof promised> => ({
  ask: (filters) => askIndex(session.archive(), filters),
})
