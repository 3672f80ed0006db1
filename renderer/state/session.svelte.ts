import type { SessionStatus } from '../../electron/contract/session.ts'
import { bridge } from '../bridge.svelte.ts'

/** Who is at the desk, kept up to date by main. Undefined until it is known. */
class SessionState {
  status = $state.raw<SessionStatus>()
  /** Somebody who is signed in looks for one more archive. */
  isAdding = $state(false)

  start = () => {
    void bridge.session.status().then((status) => (this.status ??= status))
    return bridge.session.changed((status) => {
      if (status.account?.archive !== this.status?.account?.archive) this.isAdding = false
      this.status = status
    })
  }
}

export const session = new SessionState()
