import { askCapabilities, chooseOrganization } from '../archive-client/capabilities.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import { isOlderThan } from '../store/age.ts'
import type { DeskStore } from '../store/desk.ts'
import type { Session } from './session.ts'

interface Parts {
  session: Session
  store: Pick<DeskStore, 'capabilities' | 'keepCapabilities'>
  now: () => Date
  changed: (archive: string, it: Capabilities) => void
}

/** So long what an archive said counts as known; a sign-in asks again at once. */
const knownForMs = 24 * 3_600_000

export type Abilities = ReturnType<typeof openAbilities>

/** What each archive can do, as it said itself, kept for the time without it. */
export const openAbilities = ({ session, store, now, changed }: Parts) => {
  const asking = new Map<string, { shaped: Promise<void>; whole: Promise<Capabilities> }>()

  const begin = (archive: string) => {
    const { scheme, endsAt } = session.account()
    const keep = (it: Capabilities) => {
      store.keepCapabilities(archive, it)
      changed(archive, it)
      return it
    }
    const early = Promise.withResolvers<undefined>()
    const signIn = {
      signIn: scheme,
      tokenEnds: endsAt,
      hasSession: (session.reached()?.access.cookie ?? '') !== '',
    }
    const shaped = (it: Capabilities) => {
      keep(it)
      early.resolve(undefined)
    }
    const whole = askCapabilities(session.archive(), signIn, {
      now: now(),
      known: store.capabilities(archive),
      shaped,
    }).then(keep)
    const under = { whole, shaped: Promise.race([early.promise, whole.then(() => undefined)]) }
    asking.set(archive, under)
    const over = () => void asking.delete(archive)
    whole.then(over, over)
    // Who waits for one of the two hears of a failure there.
    under.shaped.catch(() => undefined)
    return under
  }
  /** Asks the archive that is shown; one that is being asked is not asked twice. */
  const ask = () => {
    const { archive } = session.account()
    return asking.get(archive) ?? begin(archive)
  }

  const settled = async (archive: string): Promise<void> => {
    await asking.get(archive)?.whole.catch(() => undefined)
  }

  return {
    /** What an archive said last; null before it was ever asked. */
    of: (archive: string): Capabilities | null => store.capabilities(archive),
    ask: async (): Promise<Capabilities> => ask().whole,
    /** Asks the archive that is shown, and waits until enough is known to read its lists. */
    askShape: async (): Promise<void> => ask().shaped,
    /** The same, unless that was done lately. */
    askIfOld: async () => {
      const archive = session.shown()
      const known = archive === undefined ? null : store.capabilities(archive)
      if (session.reached() && isOlderThan(knownForMs, known?.asked, now())) await ask().shaped
    },
    /** Waits for an archive that is being asked; whatever comes of it. */
    settled,
    /** Works for another organization: what may be done and what can be seen is asked anew. */
    chooseOrganization: async (id: string): Promise<Capabilities> => {
      const { archive } = session.account()
      await chooseOrganization(session.archive(), id)
      // What is being asked already is asked for the other one.
      await settled(archive)
      return begin(archive).whole
    },
  }
}
