import { needed } from '../dialects/dialect.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import { isOlderThan } from '../common/age.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'
import type { Archive } from './archive.ts'

interface Parts {
  archive: Archive
  store: Pick<DeskStore, 'capabilities' | 'keepCapabilities'>
  now: () => Date
  changed: (learnt: Capabilities) => void
}

/** So long what an archive said counts as known; a sign-in asks again at once. */
const knownForMs = 24 * 3_600_000
/** The same where it did not say how it takes packages: it broke, and is not to be pressed. */
const unsaidForMs = 300_000

/** What is being asked of an archive. */
interface Asking {
  /** Enough is known to read its lists. */
  shaped: Promise<void>
  whole: Promise<Capabilities>
  /** Asks the rest. */
  goOn: () => void
}

/** What an archive can do, as it said itself, kept for the time without it. */
export const openCapabilities = ({ archive, store, now, changed }: Parts) => {
  let asking: Asking | undefined

  const known = (): Capabilities | null => store.capabilities(archive.id)
  const begin = () => {
    const { scheme, endsAt } = archive.account()
    const keep = (learnt: Capabilities) => {
      store.keepCapabilities(archive.id, learnt)
      changed(learnt)
      return learnt
    }
    const early = Promise.withResolvers<undefined>()
    const rest = Promise.withResolvers<undefined>()
    const signIn = {
      signIn: scheme,
      tokenEnds: endsAt,
      hasSession: (archive.access()?.cookie ?? '') !== '',
    }
    const shaped = (learnt: Capabilities) => {
      keep(learnt)
      early.resolve(undefined)
    }
    const whole = archive
      .dialect()
      .capabilities(archive.client(), { signIn, now: now(), known: known(), shaped, rowsShown: rest.promise })
      .then(keep)
    const under: Asking = {
      whole,
      shaped: Promise.race([early.promise, whole.then(() => undefined)]),
      goOn: () => rest.resolve(undefined),
    }
    asking = under
    const over = () => {
      if (asking === under) asking = undefined
    }
    whole.then(over, over)
    // Who waits for one of the two hears of a failure there.
    under.shaped.catch(() => undefined)
    return under
  }
  /** While it is being asked it is not asked again. */
  const ask = () => asking ?? begin()
  const wholeOf = ({ whole, goOn }: Asking): Promise<Capabilities> => {
    goOn()
    return whole
  }
  const whenAsked = async (): Promise<void> => {
    if (asking) await wholeOf(asking).catch(() => undefined)
  }

  return {
    /** What it said last; null before it was ever asked. */
    known,
    ask: async (): Promise<Capabilities> => wholeOf(ask()),
    /** Asks, and waits until enough is known to read its lists; the rest is asked once rows are shown. */
    askShape: async (): Promise<void> => ask().shaped,
    /** The same, unless that was done lately and said which way packages go there. */
    askIfOld: async (): Promise<void> => {
      const { asked, submission } = known() ?? {}
      const isOld = isOlderThan(submission === 'unknown' ? unsaidForMs : knownForMs, asked, now())
      if (archive.findClient() && isOld) await ask().shaped
    },
    /** Rows are shown, or none will come. */
    rowsShown: () => asking?.goOn(),
    /** Waits while it is being asked; whatever comes of it. */
    whenAsked,
    /** Works for another organization: what may be done and what can be seen is asked anew. */
    chooseOrganization: async (id: string): Promise<Capabilities> => {
      await needed(archive.dialect().chooseOrganization)(archive.client(), id)
      // What is being asked already is asked for the other one.
      await whenAsked()
      return wholeOf(begin())
    },
  }
}
