import type { Fulfils } from '../contract/define.ts'
import type { outbox as promised } from '../contract/outbox.ts'
import type { Creations } from '../outbox/creations.ts'
import type { Session } from '../session/session.ts'

export const outbox = ({
  session,
  creations,
  now,
  follow,
}: {
  session: Session
  creations: Creations
  now: () => Date
  follow: (archive: string) => void
}): Fulfils<typeof promised> => {
  const here = () => session.account().archive
  return {
    list: () => ({ items: creations.list(here()), isPaused: creations.isPaused(here()) }),
    values: ({ id }) => creations.values(id),
    hold: ({ id }) => void creations.hold(id),
    release: ({ id }) => creations.release(id),
    sendNow: ({ id }) => creations.sendNow(id),
    move: ({ id, by }) => creations.move(id, by),
    remove: ({ id }) => creations.remove(id, now().toISOString()),
    restore: ({ id }) => creations.remove(id, null),
    decide: ({ id, isThere }) => creations.decide(id, isThere),
    pause: ({ isPaused }) => {
      creations.pause(here(), isPaused)
      if (!isPaused) follow(here())
    },
  }
}
