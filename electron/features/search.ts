import type { Archive } from '../archives/archive.ts'
import { askIndex } from '../archive-client/search.ts'
import type { Fulfils } from '../contract/define.ts'
import type { search as promised } from '../contract/search.ts'

export const search: Fulfils<typeof promised, [Archive]> = {
  ask: (archive, filters) => askIndex(archive.reach(), filters),
}
