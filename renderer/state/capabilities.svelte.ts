import type { Capabilities } from '../../electron/contract/capabilities.ts'
import type { ArchiveDesk } from '../bridge.svelte.ts'

/** What the archive that is shown can do; null until it has said so. */
class ShownCapabilities {
  now = $state.raw<Capabilities | null>(null)

  /** Reads what is known of an archive, and follows what is learnt from now on. Gives how to stop. */
  follow = (desk: ArchiveDesk) => {
    let isFollowed = true
    this.now = null
    const stop = desk.capabilities.changed((learnt) => (this.now = learnt))
    desk.capabilities.read().then(
      (known) => {
        if (isFollowed) this.now ??= known
      },
      // What it can do stays unknown, and is told as soon as it is learnt.
      () => undefined,
    )
    return () => {
      isFollowed = false
      stop()
    }
  }
}

export const capabilities = new ShownCapabilities()

/**
 * Whether room is kept for what an archive may say that it can do: it stays once the archive was asked about
 * that while a component is shown, so that nothing moves. Call it while the component is made.
 */
export const openKeptRoom = () => {
  let isKept = $state(false)
  $effect.pre(() => {
    if (capabilities.now?.asked === null) isKept = true
  })
  return {
    get isKept() {
      return isKept
    },
  }
}
