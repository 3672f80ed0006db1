import { stat } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '../../../common/errors.ts'
import type { PackingObstacles } from '../../../contract/survey.ts'
import { makeFolders, spaceIn } from '../../../packaging/disk.ts'
import { sourcesHolding } from '../../../packaging/pack/pack.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'

/** What the names and digests of a file take in a package, beside its content. */
const bytesBesideFile = 1_024

const isAway = (file: string): Promise<boolean> =>
  stat(file).then(
    () => false,
    (error: unknown) => ['ENOENT', 'ENOTDIR', 'ENODEV', 'EIO'].includes(codeOf(error)),
  )

/**
 * What would stop a draft from being packed and was not so, or need not have been so, when its sources were
 * counted: drives come and go, and disks fill up.
 * @param target where its package will lie
 */
export const obstaclesOf = async (
  { sources, counts }: Pick<KeptTransfer, 'sources' | 'counts'>,
  target: string,
): Promise<PackingObstacles> => {
  const paths = sources.map((source) => source.path)
  const areAway = await Promise.all(paths.map(isAway))
  const folder = path.dirname(target)
  const needed = counts.bytes + counts.files * bytesBesideFile
  await makeFolders(folder)
  const free = await spaceIn(folder)
  return {
    away: paths.filter((_, index) => areAway[index]),
    holding: await sourcesHolding(target, paths),
    shortage: free < needed ? { folder, needed, free } : null,
  }
}
