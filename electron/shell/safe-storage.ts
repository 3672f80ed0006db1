import { safeStorage } from 'electron'
import type { SafeStorage } from '../vault/vault.ts'

/** Electron's safeStorage as the vault asks for it. On Linux two of its backends hide nothing, and count as none. */
export const electronSafeStorage: SafeStorage = {
  isTrustworthy: async () => {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return false
    return (
      process.platform !== 'linux' ||
      !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
    )
  },
  encrypt: (text) => safeStorage.encryptStringAsync(text),
  decrypt: async (bytes) => {
    const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(bytes)
    return { text: result, encryptAgain: shouldReEncrypt }
  },
}
