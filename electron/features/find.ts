import type { Archive } from '../archives/archive.ts'
import type { Fulfils } from '../contract/define.ts'
import type { find as promised } from '../contract/find.ts'
import type { Ask } from '../questions/questions.ts'

/** Searching in what is held of an archive, and in what this desk alone has. */
export const find = ({ ask }: { ask: Ask }): Fulfils<typeof promised, [Archive]> => ({
  ask: (archive, which) => ask('found', archive.id, which),
  list: (archive, which) => ask('foundList', archive.id, which),
  facets: (archive, which) => ask('foundFacets', archive.id, which),
  choices: (archive) => ask('filterChoices', archive.id),
})
