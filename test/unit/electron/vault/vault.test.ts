import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isHidden } from '../../../../electron/vault/ciphertext.ts'
import { loadKeychain, openVault, type Keychain, type SafeStorage } from '../../../../electron/vault/vault.ts'
import { scratch } from '../../../support/scratch.ts'

const secret = 'Token 9f-äö-hemlig'
/** Turns every byte around: enough to show that the text itself is not on disk. */
const flipping = (isTrustworthy: boolean): SafeStorage => ({
  encrypt: (text) =>
    Promise.resolve(isTrustworthy ? Buffer.from(Buffer.from(text).map((byte) => byte ^ 0xff)) : undefined),
  decrypt: (bytes) =>
    Promise.resolve({
      text: Buffer.from(bytes.map((byte) => byte ^ 0xff)).toString('utf8'),
      encryptAgain: !isTrustworthy,
    }),
})

test.skipIf(process.env['LECTERN_KEYRING'] !== 'yes')(
  'the keychain keeps a secret in a real Secret Service',
  async () => {
    using place = scratch()
    const keychain = await loadKeychain()
    expect(keychain).toBeDefined()
    const vault = openVault({ keychain, safe: flipping(true), file: path.join(place.folder, 'vault.json') })
    expect(await vault.keep('archive-1', secret)).toBe('keychain')
    expect(
      await openVault({ keychain, safe: undefined, file: path.join(place.folder, 'vault.json') }).read(
        'archive-1',
      ),
    ).toEqual({ secret, keptIn: 'keychain' })
    expect(existsSync(path.join(place.folder, 'vault.json'))).toBe(false)
    await vault.forget('archive-1')
    expect(await vault.read('archive-1')).toBeUndefined()
  },
)

const lockedKeychain = {
  setPassword: () => Promise.reject(new Error('Cannot create an item in a locked collection')),
  getPassword: () => Promise.reject(new Error('locked')),
  deletePassword: () => Promise.reject(new Error('locked')),
}

test('a keychain that refuses gives way to the encrypted file, which holds no clear text', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'vault.json')
  const vault = openVault({ keychain: lockedKeychain, safe: flipping(true), file })
  expect(await vault.keep('a', secret)).toBe('encrypted file')
  expect(readFileSync(file, 'utf8')).not.toContain('hemlig')
  expect(execFileSync('stat', ['-c', '%a', file], { encoding: 'utf8' }).trim()).toBe('600')
  expect(await openVault({ keychain: undefined, safe: flipping(true), file }).read('a')).toEqual({
    secret,
    keptIn: 'encrypted file',
  })
  await vault.forget('a')
  expect(await vault.read('a')).toBeUndefined()
})

test.skipIf(process.env['LECTERN_KEYRING'] !== 'yes')(
  'who signs out at a locked keyring is signed out, also when it opens',
  () => {
    using place = scratch()
    const script = path.resolve(import.meta.dirname, '../../../support/locked-keyring.ts')
    const args = ['--', process.execPath, script, place.folder]
    // Without a display nobody is asked to open it.
    const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...env } = process.env
    const { stdout, stderr } = spawnSync('dbus-run-session', args, { encoding: 'utf8', env, timeout: 60_000 })
    expect(JSON.parse(stdout || JSON.stringify(stderr))).toEqual({
      signedIn: ['keychain', 'keychain'],
      whileLocked: [null, null],
      opened: [null, null],
      inKeychain: [null, null],
      signedInAgain: 'keychain',
      again: ['newer', null],
    })
  },
)

/** A keychain that can be locked; libsecret then deletes nothing, and finds nothing. */
const openKeychain = () => {
  const held = new Map<string, string>()
  const state = { isLocked: false, held }
  const keychain: Keychain = {
    setPassword: (_service, account, password) =>
      state.isLocked
        ? Promise.reject(new Error('locked'))
        : Promise.resolve(void held.set(account, password)),
    getPassword: (_service, account) => Promise.resolve(state.isLocked ? null : (held.get(account) ?? null)),
    deletePassword: (_service, account) => Promise.resolve(!state.isLocked && held.delete(account)),
  }
  return { state, keychain }
}

test('an old secret in the keychain never counts again once there is a newer one, or none', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'vault.json')
  const { state, keychain } = openKeychain()
  const open = (now: Keychain | undefined = keychain) =>
    openVault({ keychain: now, safe: flipping(true), file })
  for (const account of ['a', 'b', 'c']) expect(await open().keep(account, 'old')).toBe('keychain')
  state.isLocked = true
  await open().forget('a')
  expect(await open().keep('b', secret)).toBe('encrypted file')
  // In this run the module could not even be loaded.
  await openVault({ keychain: undefined, safe: undefined, file }).forget('c')
  state.isLocked = false
  expect(await open().read('b')).toEqual({ secret, keptIn: 'encrypted file' })
  expect(await open().read('a')).toBeUndefined()
  expect(await open().read('c')).toBeUndefined()
  expect([...state.held]).toEqual([])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ b: expect.stringMatching(/./) as unknown })
  expect(await open().keep('a', 'new')).toBe('keychain')
  expect(await open().read('a')).toEqual({ secret: 'new', keptIn: 'keychain' })
})

test('a sign-out that could not be written down is told', async () => {
  using place = scratch()
  const { state, keychain } = openKeychain()
  const file = path.join(place.folder, 'vault.json')
  const vault = openVault({ keychain, safe: undefined, file })
  await vault.keep('a', 'old')
  state.isLocked = true
  mkdirSync(file)
  await expect(vault.forget('a')).rejects.toThrow('EISDIR')
})

test('a file that cannot be read now is not written anew without what it holds', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'vault.json')
  const vault = openVault({ keychain: undefined, safe: flipping(true), file })
  await vault.keep('a', secret)
  const elsewhere = path.join(place.folder, 'elsewhere')
  renameSync(file, elsewhere)
  // A link in a circle fails to be read, whoever asks, and a new file would take its place.
  symlinkSync(file, file)
  expect(await vault.keep('b', secret)).toBe('this session')
  expect(await vault.read('a')).toBeUndefined()
  rmSync(file)
  renameSync(elsewhere, file)
  expect(await vault.read('a')).toEqual({ secret, keptIn: 'encrypted file' })
})

test('where nothing is trustworthy the secret lasts for this session only', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'vault.json')
  const vault = openVault({ keychain: undefined, safe: flipping(false), file })
  expect(await vault.keep('a', secret)).toBe('this session')
  expect(await vault.read('a')).toEqual({ secret, keptIn: 'this session' })
  expect(await openVault({ keychain: undefined, safe: flipping(false), file }).read('a')).toBeUndefined()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ a: '' })
})

test('what is kept and forgotten at the same time leaves a whole file with what was kept', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'vault.json')
  const vault = openVault({ keychain: undefined, safe: flipping(true), file })
  const accounts = Array.from({ length: 20 }, (_, index) => `archive ${index}`)
  await Promise.all(accounts.map((account) => vault.keep(account, `${secret} of ${account}`)))
  const [gone, kept] = [accounts.slice(0, 10), accounts.slice(10)]
  // As a sign-out does with the secret and its cookie.
  await Promise.all([
    ...gone.map((account) => vault.forget(account)),
    ...kept.map((account) => vault.keep(account, `new ${account}`)),
  ])
  const again = openVault({ keychain: undefined, safe: flipping(true), file })
  expect(await Promise.all(gone.map((account) => again.read(account)))).toEqual(gone.map(() => undefined))
  expect(await Promise.all(kept.map(async (account) => (await again.read(account))?.secret))).toEqual(
    kept.map((account) => `new ${account}`),
  )
  expect(readdirSync(place.folder)).toEqual(['vault.json'])
})

test('what was written says whether it is hidden: on Linux a fixed key is none', () => {
  const written = (provider: string) => Buffer.concat([Buffer.from(provider), Buffer.from([0, 255, 1])])
  for (const keyring of ['v11', 'v12']) expect(isHidden(written(keyring), 'linux')).toBe(true)
  for (const open of ['v10', 'Tok', '']) expect(isHidden(written(open), 'linux')).toBe(false)
  expect(isHidden(written('v10'), 'darwin')).toBe(true)
  expect(isHidden(written('v10'), 'win32')).toBe(true)
})

test('what lies on disk and hides nothing leaves it as soon as it is read', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'vault.json')
  await openVault({ keychain: undefined, safe: flipping(true), file }).keep('a', secret)
  const vault = openVault({ keychain: undefined, safe: flipping(false), file })
  expect(await vault.read('a')).toEqual({ secret, keptIn: 'this session' })
  expect(await vault.read('a')).toEqual({ secret, keptIn: 'this session' })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ a: '' })
})
