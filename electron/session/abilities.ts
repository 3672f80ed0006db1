import { askCapabilities, chooseOrganization } from '../archive-client/capabilities.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import type { DeskStore } from '../store/desk.ts'
import type { Session } from './session.ts'

interface Parts {
  session: Session
  store: Pick<DeskStore, 'capabilities' | 'keepCapabilities'>
  now: () => Date
  changed: (it: Capabilities) => void
}

/** So long what an archive said counts as known; a sign-in asks again at once. */
const knownForMs = 24 * 3_600_000

export type Abilities = ReturnType<typeof openAbilities>

/** What each archive can do, as it said itself, kept for the time without it. */
export const openAbilities = ({ session, store, now, changed }: Parts) => {
  const asking = new Map<string, Promise<Capabilities>>()

  /** Asks the archive that is shown. */
  const ask = (): Promise<Capabilities> => {
    const { archive, scheme, endsAt } = session.account()
    const there = session.archive()
    const under =
      asking.get(archive) ??
      askCapabilities(there, { signIn: scheme, tokenEnds: endsAt, hasSession: (session.reached()?.access.cookie ?? '') !== '' }, now())
        .then((it) => {
          store.keepCapabilities(archive, it)
          if (session.shown() === archive) changed(it)
          return it
        })
        .finally(() => asking.delete(archive))
    asking.set(archive, under)
    return under
  }

  return {
    /** What an archive said last; null before it was ever asked. */
    of: (archive: string): Capabilities | null => store.capabilities(archive),
    ask,
    /** Asks the archive that is shown, unless that was done lately. */
    askIfOld: async () => {
      const archive = session.shown()
      const known = archive === undefined ? null : store.capabilities(archive)
      if (session.reached() && (known === null || now().getTime() - Date.parse(known.asked) > knownForMs)) await ask()
    },
    /** Works for another organization: what may be done and what can be seen is asked anew. */
    chooseOrganization: async (id: string): Promise<Capabilities> => {
      await chooseOrganization(session.archive(), id)
      return ask()
    },
  }
}
