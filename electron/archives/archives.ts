import { createHash } from 'node:crypto'
import { background, toProcess } from '../common/background.ts'
import { readAddress } from '../archive-client/address.ts'
import type { Connect, Credentials } from '../archive-client/http.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Dialects } from '../dialects/dialects.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import type { Connection, SessionStatus } from '../contract/session.ts'
import type { DeskStore, KnownArchive } from '../store/desk/desk-store.ts'
import type { Vault } from '../vault/vault.ts'
import { openArchive, type Archive, type LookingUp, type StartLocalArchive } from './archive.ts'
import { accessOf, authenticate, checkEncryption, endToken } from './authenticate.ts'

/** How many colours there are to tell archives apart by. */
const colours = 6
/** The two archives of this computer, which have the first colours. */
const localIds = ['here', 'practice']

const idOf = (url: string, username: string) =>
  createHash('sha256').update(`${url}\n${username}`).digest('hex').slice(0, 16)

interface Parts {
  store: Pick<DeskStore, 'archives' | 'keepArchive' | 'showArchive'>
  vault: Vault
  startLocalArchive: StartLocalArchive
  connect: Connect
  lookingUp: LookingUp
  dialects: Dialects
  now: () => Date
  /** Sees to that what is held of an archive is as a dialect reads it. */
  prepare: (archive: string, dialect: Dialect) => Promise<void>
  held: (archive: string) => Pick<Connection, 'asOf' | 'unreadable' | 'shrunk' | 'incomplete'>
  failureOf: (error: unknown) => Failure
  /** Somebody is signed in to one more archive from now on. */
  entered: (archive: Archive) => void
  /** Nobody is signed in to it any more. */
  left: (archive: string) => void
  changed: (status: SessionStatus) => void
}

type Address = Pick<KnownArchive, 'id' | 'name' | 'url' | 'isHere' | 'isSample' | 'mayBeRead'>

/** Its colour for good, also after somebody signed out: each one that comes takes the first that is free. */
const colourOf = ({ id, colour }: Pick<KnownArchive, 'id' | 'colour'>, archives: KnownArchive[]): number => {
  const kept = colour ?? archives.find((archive) => archive.id === id)?.colour
  if (kept !== undefined) return kept
  if (localIds.includes(id)) return localIds.indexOf(id)
  const taken = new Set([0, 1, ...archives.flatMap((archive) => archive.colour ?? [])])
  const free = Array.from({ length: colours }, (_, index) => index).find((index) => !taken.has(index))
  return free ?? 2 + (parseInt(id.slice(0, 4), 16) % (colours - 2))
}

/** The archives that somebody is signed in to. */
const openSignedIn = (parts: Parts) => {
  const { store, vault, connect, lookingUp, dialects, startLocalArchive, now, failureOf } = parts
  const { prepare, held, entered, changed } = parts
  const open = new Map<string, Archive>()

  /** In the order in which the store has them: that in which they were shown last. */
  const openIn = (known: KnownArchive[]): Archive[] => known.flatMap(({ id }) => open.get(id) ?? [])
  const status = (): SessionStatus => {
    const known = store.archives()
    const [last] = known
    const isRemote = last !== undefined && !last.isHere
    return {
      archives: openIn(known).map((archive) => ({
        account: archive.account(),
        connection: archive.connection(),
      })),
      lastUrl: isRemote ? last.url : '',
      lastUsername: isRemote ? last.username : '',
    }
  }
  const say = () => changed(status())

  return {
    status,
    say,
    all: (): Archive[] => [...open.values()],
    last: (): Archive | undefined => openIn(store.archives())[0],
    find: (id: string): Archive | undefined => open.get(id),
    of: (id: string): Archive => {
      const archive = open.get(id)
      if (!archive) throw new Failed({ kind: 'signed-out' })
      return archive
    },
    add: (known: KnownArchive): Archive => {
      const archive = openArchive(
        { ...known, colour: colourOf(known, store.archives()) },
        {
          vault,
          connect,
          lookingUp,
          dialects,
          startLocalArchive,
          now,
          failureOf,
          prepare: (dialect) => prepare(known.id, dialect),
          keep: (latest) => void store.keepArchive(latest),
          held: () => held(known.id),
          changed: say,
        },
      )
      open.set(known.id, archive)
      entered(archive)
      return archive
    },
    remove: (id: string) => void open.delete(id),
  }
}

/**
 * Signs in at an archive, which may be one that somebody is signed in to already: then the sign-in is
 * renewed.
 */
const openEntering =
  ({ connect, dialects, now, left }: Parts, signedIn: ReturnType<typeof openSignedIn>) =>
  async (address: Address, credentials: Credentials): Promise<Archive> => {
    const { id, name, url, isHere, isSample, mayBeRead } = address
    const wanted = { id, name, url, isHere, isSample, ...(mayBeRead === undefined ? {} : { mayBeRead }) }
    const before = signedIn.find(id)
    const authenticated = await authenticate(wanted, credentials, { connect, dialects, now })
    // Whoever signed out while the sign-in was renewed is signed out.
    if (before && signedIn.find(id) !== before) {
      background(
        endToken(accessOf(authenticated), dialects.named(authenticated.known.dialect), connect),
        toProcess,
      )
      throw new Failed({ kind: 'signed-out' })
    }
    const known = signedIn.find(id)
    const archive = known ?? signedIn.add(authenticated.known)
    try {
      await archive.enter(authenticated)
    } catch (error) {
      // Nobody is signed in to one that was added for this; who was signed in before still is.
      if (!known && signedIn.find(id) === archive) {
        signedIn.remove(id)
        left(id)
        signedIn.say()
      }
      throw error
    }
    return archive
  }

export type Archives = ReturnType<typeof openArchives>

/**
 * The archives that somebody is signed in to at this desk. Secrets stay between the archives and the vault.
 */
export const openArchives = (parts: Parts) => {
  const { store, startLocalArchive, now, left } = parts
  const signedIn = openSignedIn(parts)
  const { of, say } = signedIn

  const enter = openEntering(parts, signedIn)

  for (const known of store.archives()) if (known.isSignedIn) signedIn.add(known)

  return {
    status: signedIn.status,
    all: signedIn.all,
    /** @throws Failed signed-out where nobody is signed in to such an archive */
    of,
    /** The one that was shown last, where somebody is signed in to it. */
    last: signedIn.last,
    /** @throws Failed unencrypted, wrong-password, or how the archive could not be reached */
    signIn: (typed: string, credentials: Credentials, mayBeRead = false): Promise<Archive> => {
      const url = readAddress(typed)
      if (!url) throw new Failed({ kind: 'offline', address: typed, detail: 'ERR_INVALID_URL' })
      const address = url.href.replace(/\/+$/, '')
      checkEncryption({ url: address, mayBeRead })
      const id = idOf(address, credentials.username)
      return enter(
        { id, name: url.host, url: address, isHere: false, isSample: false, mayBeRead },
        credentials,
      )
    },
    /** The same person again, after the archive no longer took what proved it. */
    signInAgain: (id: string, password: string, agreed = false): Promise<Archive> => {
      const known = of(id).known()
      const mayBeRead = agreed || known.mayBeRead === true
      checkEncryption({ url: known.url, mayBeRead })
      return enter({ ...known, mayBeRead }, { username: known.username, password })
    },
    signInHere: async (sample: boolean): Promise<Archive> => {
      const { url, username, password } = await startLocalArchive(sample)
      const id = sample ? 'practice' : 'here'
      return enter({ id, name: '', url, isHere: true, isSample: sample }, { username, password })
    },
    /** @throws the system's error where a secret could not be let go of; nobody is signed in then either */
    signOut: async (id: string): Promise<void> => {
      const archive = of(id)
      signedIn.remove(id)
      try {
        await archive.leave()
      } finally {
        left(id)
        say()
      }
    },
    /** Somebody looks at it from now on; the next start begins with it. */
    show: (id: string): Archive => {
      const archive = of(id)
      store.showArchive(id, now())
      say()
      return archive
    },
  }
}
