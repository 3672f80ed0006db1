import type { Fulfils } from '../contract/define.ts'
import type { Settings, settings as promised, ProgramState } from '../contract/settings.ts'

interface Parts {
  read: () => Settings
  change: (some: Partial<Settings>) => Promise<Settings>
  programState: () => Omit<ProgramState, 'settings'>
  applied: (all: ProgramState) => void
  testNotice: () => Promise<boolean>
  showFolder: () => void
  report: (message: string) => void
}

export const settings = ({
  read,
  change,
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
    const all = { settings: await change(given), ...programState() }
    applied(all)
    return all
  },
  testNotice,
  showFolder,
  report: ({ message }) => report(message),
})
