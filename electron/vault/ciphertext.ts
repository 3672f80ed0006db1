/**
 * Whether a ciphertext of Chromium's is one that only this person's session can read. On Linux it begins with
 * the provider of its key: `v11` is the keyring, `v12` the secret portal, and `v10` a key that is the same on
 * every computer (components/os_crypt/async); which of them is taken is known for certain only by what was
 * written. Elsewhere the key is the system's.
 */
export const isHidden = (bytes: Buffer, platform: NodeJS.Platform): boolean =>
  platform !== 'linux' || ['v11', 'v12'].includes(bytes.toString('latin1', 0, 3))
