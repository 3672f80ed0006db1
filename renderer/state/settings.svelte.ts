import type { ProgramState } from '../../electron/contract/settings.ts'
import { bridge } from '../bridge.svelte.ts'
import { setLanguage } from '../language/say.svelte.ts'

class SettingsState {
  all = $state.raw<ProgramState>()
  /** A person has read that the desk was recovered. */
  isRecoveryRead = $state(false)

  #take = (all: ProgramState) => {
    this.all = all
    const { language } = all.settings
    setLanguage((language === 'system' ? all.systemLanguage : language) === 'sv' ? 'sv' : 'en')
  }

  /** Follows the settings. @returns once they are known, or could not be asked */
  start = (): Promise<void> => {
    bridge.settings.changed(this.#take)
    return bridge.settings.read().then(this.#take, reportError)
  }
  refresh = async () => this.#take(await bridge.settings.read())
  change = async (some: Partial<ProgramState['settings']>) => this.#take(await bridge.settings.change(some))
}

export const settings = new SettingsState()
