import type { Fulfils } from '../contract/define.ts'
import type { views as promised } from '../contract/views.ts'
import type { Session } from '../session/session.ts'
import type { DeskStore } from '../store/desk.ts'

export const views = ({
  session,
  store,
}: {
  session: Session
  store: DeskStore
}): Fulfils<typeof promised> => ({
  all: () => store.lists.views(session.account().archive),
  keep: ({ list, body }) => store.lists.keepView(session.account().archive, list, body),
})
