import type { Archive } from '../archives/archive.ts'
import { needed } from '../dialects/dialect.ts'
import type { Fulfils } from '../contract/define.ts'
import type { search as promised } from '../contract/search.ts'

export const search: Fulfils<typeof promised, [Archive]> = {
  ask: (archive, filters) => needed(archive.dialect().search)(archive.client(), filters),
}
