import { safeStorage } from 'electron'
import { isHidden } from '../vault/ciphertext.ts'
import type { SafeStorage } from '../vault/vault.ts'

/** Electron's safeStorage as the vault asks for it. */
export const electronSafeStorage: SafeStorage = {
  encrypt: async (text) => {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return undefined
    const bytes = await safeStorage.encryptStringAsync(text)
    return isHidden(bytes, process.platform) ? bytes : undefined
  },
  decrypt: async (bytes) => {
    const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(bytes)
    return { text: result, encryptAgain: shouldReEncrypt || !isHidden(bytes, process.platform) }
  },
}
