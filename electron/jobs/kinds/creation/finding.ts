import { unsure } from '../../../archive-client/answers.ts'
import type { CreatingPart, ArchiveClient } from '../../../dialects/dialect.ts'
import type { DeskStore, KeptCreation } from '../../../store/desk/desk-store.ts'

/**
 * Records of the archive that may be a creation whose answer was lost: those that are new since it was sent
 * and that no other creation of this desk is known to have made.
 * @returns those that say the same, and those of which that cannot be told
 * @throws Failed where the list cannot be read to its end
 */
export const findMade = async (
  archive: ArchiveClient,
  creation: KeptCreation,
  { pathOf, idOf }: CreatingPart,
  store: Pick<DeskStore, 'isClaimed'>,
): Promise<{ same: unknown[]; similar: unknown[] }> => {
  const { list, body, path } = creation
  const { found, isSure } = await archive.lookUp('saying', list, body ?? {}, path)
  if (!isSure) throw unsure(`${archive.url}/${archive.dialect.conventions.base}${pathOf(creation.list)}`)
  // A record that another creation of this desk is known to have made is not this one's, though it says the
  // same.
  const isClaimed = (record: unknown) =>
    store.isClaimed(creation.archive, creation.list, idOf(record), creation.id)
  const fresh = [...found]
    .filter(([key, { record }]) => !creation.before?.includes(key) && !isClaimed(record))
    .map(([, likely]) => likely)
  const like = (...wanted: (typeof fresh)[number]['likeness'][]) =>
    fresh.filter(({ likeness }) => wanted.includes(likeness)).map(({ record }) => record)
  // One of that name that was not there before may be this one, as the archive keeps it or somebody changed
  // it since; where nobody knows what was there before, it is one of many.
  return {
    same: like('same'),
    similar: creation.before === null ? like('similar') : like('similar', 'namesake'),
  }
}
