import { listNames } from '../electron/contract/lists.ts'
import type { Creation } from '../electron/contract/outbox.ts'
import type { Creations } from '../electron/jobs/kinds/creation/creations.ts'
import type { DeskStore, KeptCreation } from '../electron/store/desk.ts'
import { openJobWalks } from '../electron/store/job-walks.ts'

/** A creation that waits to be sent, as a desk keeps it. */
export const waitingCreation = (id: string, change: Partial<KeptCreation> = {}): KeptCreation => ({
  id,
  archive: 'a',
  list: 'metric-types',
  title: id,
  made: '1',
  fields: [],
  values: { name: id },
  state: 'waiting',
  before: null,
  body: null,
  attempts: 0,
  nextAt: null,
  failure: null,
  remote: null,
  ...change,
})

/** Every job of a kind that a desk keeps for an archive, in the order of the list. */
export const keptJobs = ({ database }: Pick<DeskStore, 'database'>) => openJobWalks(database)

/** Every creation of an archive as the outbox shows it, in the order of sending. */
export const shownCreations = (
  store: Pick<DeskStore, 'database'>,
  creations: Pick<Creations, 'of'>,
  archive = 'a',
): Creation[] => {
  const shown = new Map(
    listNames
      .flatMap((list) => creations.of(archive, list, 1_000))
      .map((creation) => [creation.id, creation]),
  )
  return keptJobs(store)
    .creations(archive)
    .flatMap(({ id }) => shown.get(id) ?? [])
}
