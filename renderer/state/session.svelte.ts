import type { Account, ArchiveStatus, Connection, SessionStatus } from '../../electron/contract/session.ts'
import { bridge } from '../bridge.svelte.ts'
import { closeOpen, go } from './place.svelte.ts'

/** Another archive that somebody is signed in to. */
export interface OtherArchive extends Account {
  state: Connection['state']
}

/** Who is at the desk, as the window shows it: one archive, and the others that somebody is signed in to. */
export interface ShownSession {
  account: Account | null
  others: OtherArchive[]
  connection: Connection
  lastUrl: string
  lastUsername: string
}

const noConnection: Connection = {
  state: 'signed-out',
  asOf: null,
  lookedAt: null,
  refreshing: false,
  failure: null,
  unreadable: [],
  shrunk: [],
  incomplete: [],
}

/**
 * Who is at the desk, kept up to date by main; which archive is shown is the window's own. Undefined until it
 * is known.
 */
class SessionState {
  #all = $state.raw<SessionStatus>()
  #shown = $state<string>()
  /** Somebody who is signed in looks for one more archive. */
  isAdding = $state(false)

  #archive = $derived<ArchiveStatus | undefined>(
    this.#all?.archives.find(({ account }) => account.archive === this.#shown),
  )
  status = $derived<ShownSession | undefined>(
    this.#all && {
      account: this.#archive?.account ?? null,
      others: this.#all.archives
        .map(({ account, connection: { state } }) => ({ ...account, state }))
        .filter(({ archive }) => archive !== this.#archive?.account.archive),
      connection: this.#archive?.connection ?? noConnection,
      lastUrl: this.#all.lastUrl,
      lastUsername: this.#all.lastUsername,
    },
  )

  /** Follows who is at the desk. @returns once that is known, or could not be asked */
  start = (): Promise<void> => {
    const take = (status: SessionStatus) => {
      if (this.#all) return
      this.#all = status
      // The first is the one that was shown last.
      this.#shown = status.archives[0]?.account.archive
    }
    bridge.session.changed((status) => {
      if (!this.#all) this.#shown = status.archives[0]?.account.archive
      const wasShown = this.#archive !== undefined
      this.#all = status
      // Where one was belongs to nobody who signs in after that, nor to the next start.
      if (wasShown && this.#archive === undefined) go('desk')
    })
    return bridge.session.status().then(take, reportError)
  }
  /** Shows an archive that somebody has signed in to: another than was shown last begins at its desk. */
  enter = async (archive: string) => {
    if (this.#shown !== undefined && this.#shown !== archive) go('desk')
    await this.show(archive)
  }
  /** Shows an archive that somebody is signed in to. */
  show = async (archive: string) => {
    this.#shown = archive
    this.isAdding = false
    await bridge.session.show({ archive })
  }
  /** Turns to another archive that somebody is signed in to: where one is, but for what is open there. */
  turnTo = (archive: string): Promise<void> => {
    closeOpen()
    return this.show(archive)
  }
  signOut = async () => {
    const archive = this.#archive?.account.archive
    if (archive !== undefined) await bridge.session.signOut({ archive })
  }
}

export const session = new SessionState()
