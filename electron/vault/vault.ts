import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import type { KeptIn } from '../contract/session.ts'
import { oneByOne, replaceFile } from '../replace-file.ts'
import { codeOf } from '../common/errors.ts'

/** The part of keytar that is used: the keychain of the operating system. */
export interface Keychain {
  setPassword: (service: string, account: string, password: string) => Promise<void>
  getPassword: (service: string, account: string) => Promise<string | null>
  deletePassword: (service: string, account: string) => Promise<boolean>
}

/** The part of Electron's safeStorage that is used. */
export interface SafeStorage {
  /** The ciphertext; undefined where nothing would really be hidden. */
  encrypt: (text: string) => Promise<Buffer | undefined>
  /** `encryptAgain`: the ciphertext hides too little, or its key is about to be replaced. */
  decrypt: (bytes: Buffer) => Promise<{ text: string; encryptAgain: boolean }>
}

const service = 'Lectern'

/**
 * A native module. Where it could not be compiled npm takes it away, and its types with it: it is imported
 * untyped.
 */
const keytar = 'keytar'

/** The keychain of this computer; undefined where keytar cannot be loaded. */
export const loadKeychain = async (): Promise<Keychain | undefined> => {
  try {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- described here, the part that is used
    const loaded = (await import(keytar)) as { default?: Keychain } & Keychain
    return loaded.default ?? loaded
  } catch {
    return undefined
  }
}

const Entries = v.record(v.string(), v.string())

/** Ciphertexts by account in one JSON file, changed one after the other. An empty one is an entry too. */
const openFile = (file: string) => {
  /** @throws the system's error, but for a file that is not there: in a damaged one nothing can be lost */
  const read = (): Record<string, string> => {
    try {
      const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Entries), readFileSync(file, 'utf8'))
      return read.success ? read.output : {}
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return {}
      throw error
    }
  }
  const inTurn = oneByOne()
  return {
    /** Undefined where there is none, or the file cannot be read now. */
    read: (account: string): string | undefined => {
      try {
        return read()[account]
      } catch {
        return undefined
      }
    },
    /** @throws the system's error; then the file is as it was */
    write: (account: string, text: string | undefined) =>
      inTurn(async () => {
        const { [account]: old, ...others } = read()
        if (old === text) return
        const all = text === undefined ? others : { ...others, [account]: text }
        await mkdir(path.dirname(file), { recursive: true })
        await replaceFile(file, JSON.stringify(all), 0o600)
      }),
  }
}

/** The keychain, or none: what it does not do is told, never thrown. */
const openKeychain = (keychain: Keychain | undefined) => ({
  read: async (account: string): Promise<string | undefined> =>
    (await keychain?.getPassword(service, account).catch(() => null)) ?? undefined,
  /** Whether it has the secret now. */
  keep: async (account: string, secret: string): Promise<boolean> => {
    if (!keychain) return false
    try {
      await keychain.setPassword(service, account, secret)
      return (await keychain.getPassword(service, account)) === secret
    } catch {
      return false
    }
  },
  /**
   * Whether it let go of a secret. Where it did not, it may be locked: libsecret says the same of both.
   */
  remove: async (account: string): Promise<boolean> =>
    (await keychain?.deletePassword(service, account).catch(() => false)) === true,
})

export type Vault = ReturnType<typeof openVault>

/** An entry without a ciphertext: what the keychain holds is void. */
const voided = ''

/**
 * Keeps secrets by account: in the keychain, else encrypted in a file, else until the program ends. A
 * keychain that is there but refuses (locked, no D-Bus) is passed over, and `keep` says which place took the
 * secret. Losing one means "sign in again", no more.
 *
 * What the keychain still holds because it could not be asked to let go of it never counts again: an entry in
 * the file, even an empty one, is newer. It is deleted as soon as the keychain opens.
 */
export const openVault = ({
  keychain,
  safe,
  file,
}: {
  keychain: Keychain | undefined
  safe: SafeStorage | undefined
  file: string
}) => {
  const memory = new Map<string, string>()
  const encrypted = openFile(file)
  const inKeychain = openKeychain(keychain)
  const turns = new Map<string, ReturnType<typeof oneByOne>>()
  const inTurn = <T>(account: string, work: () => Promise<T>) => {
    const turn = turns.get(account) ?? oneByOne()
    turns.set(account, turn)
    return turn(work)
  }

  const inFile = async (account: string, secret: string) => {
    try {
      const ciphertext = await safe?.encrypt(secret)
      if (ciphertext === undefined || ciphertext.length === 0) return false
      await encrypted.write(account, ciphertext.toString('base64'))
      return true
    } catch {
      return false
    }
  }

  const forget = async (account: string) => {
    memory.delete(account)
    await encrypted.write(account, (await inKeychain.remove(account)) ? undefined : voided)
  }

  const keep = async (account: string, secret: string): Promise<KeptIn> => {
    memory.delete(account)
    if (await inKeychain.keep(account, secret)) {
      await encrypted.write(account, undefined)
      return 'keychain'
    }
    if (await inFile(account, secret)) return 'encrypted file'
    // Signed in all the same, where not even a mark can be written.
    await forget(account).catch(() => undefined)
    memory.set(account, secret)
    return 'this session'
  }

  const read = async (account: string): Promise<{ secret: string; keptIn: KeptIn } | undefined> => {
    const remembered = memory.get(account)
    if (remembered !== undefined) return { secret: remembered, keptIn: 'this session' }
    const ciphertext = encrypted.read(account)
    if (ciphertext === undefined) {
      const known = await inKeychain.read(account)
      return known === undefined ? undefined : { secret: known, keptIn: 'keychain' }
    }
    if ((await inKeychain.remove(account)) && ciphertext === voided) await encrypted.write(account, undefined)
    if (ciphertext === voided || !safe) return undefined
    try {
      const { text, encryptAgain } = await safe.decrypt(Buffer.from(ciphertext, 'base64'))
      // What an older version wrote may hide nothing: it leaves the disk where there is no better place.
      return { secret: text, keptIn: encryptAgain ? await keep(account, text) : 'encrypted file' }
    } catch {
      return undefined
    }
  }

  return {
    keep: (account: string, secret: string) => inTurn(account, () => keep(account, secret)),
    /** The secret and where it was found; undefined where it is lost or was never kept. */
    read: (account: string) => inTurn(account, () => read(account)),
    /** @throws the system's error where the keychain did not let go and that could not be written down */
    forget: (account: string) => inTurn(account, () => forget(account)),
  }
}
