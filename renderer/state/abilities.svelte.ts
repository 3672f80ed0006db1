import type { Capabilities } from '../../electron/contract/capabilities.ts'
import { bridge } from '../bridge.svelte.ts'

/** What the archive that is shown can do; null until it has said so. */
class Abilities {
  now = $state.raw<Capabilities | null>(null)

  refresh = async () => {
    this.now = await bridge.capabilities.read().catch(() => null)
  }

  /** Follows what is learnt from now on. */
  listen = () => bridge.capabilities.changed((it) => (this.now = it))
}

export const abilities = new Abilities()
