import type { Archive } from '../archives/archive.ts'
import type { Fulfils } from '../contract/define.ts'
import type { outbox as promised } from '../contract/outbox.ts'
import type { Creations } from '../jobs/kinds/creation/creations.ts'

/** A person looks at no more at once; what is left moves up as what is before it arrives. */
const mostShown = 200

export const outbox = ({
  creations,
  now,
  follow,
}: {
  creations: Creations
  now: () => Date
  follow: (archive: string) => void
}): Fulfils<typeof promised, [Archive]> => {
  return {
    list: ({ id }) => ({
      items: creations.undelivered(id, mostShown),
      found: creations.found(id, mostShown),
      count: creations.count(id),
      isTroubled: creations.isTroubled(id),
      isPaused: creations.isPaused(id),
    }),
    values: (_archive, { id }) => creations.values(id),
    hold: (_archive, { id }) => void creations.hold(id),
    release: (_archive, { id }) => creations.release(id),
    sendNow: (_archive, { id }) => creations.sendNow(id),
    move: (_archive, { id, by }) => creations.move(id, by),
    remove: (_archive, { id }) => creations.remove(id, now().toISOString()),
    restore: (_archive, { id }) => creations.remove(id, null),
    decide: (_archive, { id, isThere }) => creations.decide(id, isThere),
    pause: (archive, { isPaused }) => {
      creations.setPaused(archive.id, isPaused)
      if (!isPaused) follow(archive.id)
    },
  }
}
