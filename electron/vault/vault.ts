import { readFileSync } from 'node:fs'
import type { KeptIn } from '../contract/session.ts'
import { oneByOne, replaceFile } from '../replace-file.ts'

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

/** A native module. Where it could not be compiled npm takes it away, and its types with it: it is imported untyped. */
const keytar = 'keytar'

/** The keychain of this computer; undefined where keytar cannot be loaded. */
export const loadKeychain = async (): Promise<Keychain | undefined> => {
  try {
    // Described by ourselves, as the part of it that is used.
    const loaded = (await import(keytar)) as { default?: Keychain } & Keychain
    return loaded.default ?? loaded
  } catch {
    return undefined
  }
}

/** Ciphertexts by account in one JSON file, changed one after the other. */
const openFile = (file: string) => {
  const read = (): Record<string, string> => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    } catch {
      return {}
    }
  }
  const inTurn = oneByOne()
  return {
    read: (account: string) => read()[account],
    write: (account: string, text: string | undefined) =>
      inTurn(async () => {
        const { [account]: _old, ...others } = read()
        const all = text === undefined ? others : { ...others, [account]: text }
        await replaceFile(file, JSON.stringify(all), 0o600)
      }),
  }
}

export type Vault = ReturnType<typeof openVault>

/**
 * Keeps secrets by account: in the keychain, else encrypted in a file, else until the program ends. A keychain that is there but
 * refuses (locked, no D-Bus) is passed over, and `keep` says which place took the secret. Losing one means "sign in again", no more.
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

  const forget = async (account: string) => {
    memory.delete(account)
    await keychain?.deletePassword(service, account).catch(() => false)
    if (encrypted.read(account) !== undefined) await encrypted.write(account, undefined)
  }

  const inKeychain = async (account: string, secret: string) => {
    if (!keychain) return false
    try {
      await keychain.setPassword(service, account, secret)
      return (await keychain.getPassword(service, account)) === secret
    } catch {
      return false
    }
  }

  const inFile = async (account: string, secret: string) => {
    try {
      const ciphertext = await safe?.encrypt(secret)
      if (ciphertext !== undefined) await encrypted.write(account, ciphertext.toString('base64'))
      return ciphertext !== undefined
    } catch {
      return false
    }
  }

  const keep = async (account: string, secret: string): Promise<KeptIn> => {
    await forget(account)
    if (await inKeychain(account, secret)) return 'keychain'
    if (await inFile(account, secret)) return 'encrypted file'
    memory.set(account, secret)
    return 'this session'
  }

  return {
    keep,
    /** The secret and where it was found; undefined where it is lost or was never kept. */
    read: async (account: string): Promise<{ secret: string; keptIn: KeptIn } | undefined> => {
      const remembered = memory.get(account)
      if (remembered !== undefined) return { secret: remembered, keptIn: 'this session' }
      const known = await keychain?.getPassword(service, account).catch(() => null)
      if (known !== null && known !== undefined) return { secret: known, keptIn: 'keychain' }
      const ciphertext = encrypted.read(account)
      if (ciphertext === undefined || !safe) return undefined
      try {
        const { text, encryptAgain } = await safe.decrypt(Buffer.from(ciphertext, 'base64'))
        // What an older version wrote may hide nothing: it leaves the disk where there is no better place.
        return { secret: text, keptIn: encryptAgain ? await keep(account, text) : 'encrypted file' }
      } catch {
        return undefined
      }
    },
    forget,
  }
}
