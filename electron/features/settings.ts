import { pathOf } from '../common/errors.ts'
import type { Fulfils } from '../contract/define.ts'
import type { Settings, settings as promised, ProgramState } from '../contract/settings.ts'
import { diskFailure } from '../packaging/disk.ts'

interface Parts {
  read: () => Settings
  change: (some: Partial<Settings>) => Promise<Settings>
  /** Has the system start the desk, or not. */
  startWithSystem: (isOn: boolean) => void
  programState: () => Omit<ProgramState, 'settings'>
  applied: (all: ProgramState) => void
  testNotice: () => Promise<boolean>
  showFolder: () => void
  report: (message: string) => void
}

/** Names what could not be written. */
const onItsDisk = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw diskFailure(error, pathOf(error))
  }
}

export const settings = ({
  read,
  change,
  startWithSystem,
  programState,
  applied,
  testNotice,
  showFolder,
  report,
}: Parts): Fulfils<typeof promised> => ({
  read: () => ({ settings: read(), ...programState() }),
  change: async (some) => {
    // exactOptionalPropertyTypes: valibot's partial allows undefined, which means "not given".
    const given = Object.fromEntries(
      Object.entries(some).filter(([, value]) => value !== undefined),
    ) as Partial<Settings>
    const kept = await onItsDisk(async () => {
      // What the system does not do is not kept as chosen, and holds up no other choice.
      if (given.startWithSystem !== undefined) startWithSystem(given.startWithSystem)
      return change(given)
    })
    const all = { settings: kept, ...programState() }
    applied(all)
    return all
  },
  testNotice,
  showFolder,
  report: ({ message }) => report(message),
})
