import type { Archive } from '../archives/archive.ts'
import type { Fulfils } from '../contract/define.ts'
import type { views as promised } from '../contract/views.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'

export const views = ({ store }: { store: DeskStore }): Fulfils<typeof promised, [Archive]> => ({
  all: (archive) => store.lists.views(archive.id),
  keep: (archive, { list, body }) => store.lists.keepView(archive.id, list, body),
})
