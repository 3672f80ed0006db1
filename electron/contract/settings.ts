import * as v from 'valibot'
import { command, news, query } from './define.ts'
import { isProxyAddress, isScriptAddress } from './proxy.ts'

const proxyText = (isWell: (typed: string) => boolean) =>
  v.pipe(
    v.string(),
    v.maxLength(2000),
    v.check((typed) => typed === '' || isWell(typed)),
  )

/** What a person may choose. Every setting has to be argued for. */
export const Settings = v.object({
  theme: v.picklist(['system', 'light', 'dark']),
  language: v.picklist(['system', 'en', 'sv']),
  notices: v.boolean(),
  /** Notices are held back, and told in one digest afterwards. */
  quiet: v.boolean(),
  /** Closing the window leaves the desk listening, with its icon by the clock. */
  closeToTray: v.boolean(),
  startWithSystem: v.boolean(),
  /** Whether it is asked once a day if there is a newer version. */
  updates: v.boolean(),
  /**
   * By which proxy archives are reached: as the system says, none, the one at an address, or as a PAC script
   * says.
   */
  proxy: v.picklist(['system', 'none', 'address', 'script']),
  proxyAddress: proxyText(isProxyAddress),
  proxyScript: proxyText(isScriptAddress),
})
export type Settings = v.InferOutput<typeof Settings>

/** What became of a file of the desk that was damaged or gone when the program started. */
export interface Recovered {
  /** Where the damaged file lies now; null where there was none. */
  setAside: string | null
  /** When the backup was made that took its place; null where there was none, and the desk begins anew. */
  from: string | null
  /** How many entries that the backup did not have were saved out of the damaged file. */
  saved: number
}

export interface ProgramState {
  settings: Settings
  systemLanguage: string
  version: string
  vault: string
  dataFolder: string
  recovered: Recovered | null
  /** Why the system shows no notices; empty where it shows them, as far as it says. */
  noticesBlocked: string
}

export const settings = {
  read: query(v.undefined()).returns<ProgramState>(),
  change: command(v.partial(Settings)).returns<ProgramState>(),
  /** Shows a notice now. Whether the system took it. */
  testNotice: command(v.undefined()).returns<boolean>(),
  showFolder: command(v.undefined()).returns<void>(),
  /** An error of the page, for the log. */
  report: command(v.object({ message: v.pipe(v.string(), v.maxLength(5000)) })).returns<void>(),
  changed: news<ProgramState>(),
}
