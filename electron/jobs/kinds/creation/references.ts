import { queuedIn } from '../../../contract/queued.ts'
import type { DeskStore, KeptCreation } from '../../../store/desk/desk-store.ts'

export type References = ReturnType<typeof openReferences>

/** What creations refer to of this desk's own: they go once the archive's ids of that are known. */
export const openReferences = ({ creationOrRemoved }: Pick<DeskStore, 'creationOrRemoved'>) => {
  const isInArchive = (id: string) => {
    const { state, remote } = creationOrRemoved(id) ?? {}
    return state === 'delivered' && remote !== null
  }
  return {
    /** Those it refers to that are not in the archive yet. */
    waitsFor: ({ fields, values }: KeptCreation): string[] =>
      queuedIn(fields, values).filter((id) => !isInArchive(id)),
    /** The archive's id of one; empty where it is not known. */
    remoteOf: (queued: string): string => creationOrRemoved(queued)?.remote ?? '',
    titleOf: (queued: string): string => creationOrRemoved(queued)?.title ?? queued,
  }
}
