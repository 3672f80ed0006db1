import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { loadKeychain, openVault } from '../../electron/vault/vault.ts'
import { until } from './until.ts'

// Signs out, and in again, while a real keyring is locked, and opens it afterwards. Runs on a session bus of
// its own:
//   dbus-run-session -- node test/support/locked-keyring.ts FOLDER
const [, , folder = '', step] = process.argv
process.env['XDG_DATA_HOME'] = path.join(folder, 'data')
process.env['XDG_RUNTIME_DIR'] = folder
const login = '/org/freedesktop/secrets/collection/login'

const ask = (target: string, ...question: string[]) =>
  spawnSync(
    'dbus-send',
    ['--session', '--print-reply', '--dest=org.freedesktop.secrets', target, ...question],
    { encoding: 'utf8', timeout: 5_000 },
  ).stdout
const locked = ['string:org.freedesktop.Secret.Collection', 'string:Locked']
const isLocked = () =>
  /boolean (true|false)/.exec(ask(login, 'org.freedesktop.DBus.Properties.Get', ...locked))?.[1]

const openKeyring = async () => {
  const keyring = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  keyring.stdin.end('lectern')
  await until(() => (isLocked() === 'false' ? true : undefined))
  const gone = new Promise((done) => keyring.once('exit', done))
  return async () => {
    keyring.kill()
    await gone
  }
}

const keychain = await loadKeychain()
const vault = openVault({ keychain, safe: undefined, file: path.join(folder, 'vault.json') })
const steps: Record<string, () => Promise<unknown>> = {
  signIn: () => Promise.all(['left', 'renewed'].map((account) => vault.keep(account, 'old'))),
  signOut: () => Promise.all([vault.forget('left'), vault.keep('renewed', 'new')]),
  signInAgain: () => vault.keep('left', 'newer'),
  find: async () => [
    (await vault.read('left'))?.secret ?? null,
    (await vault.read('renewed'))?.secret ?? null,
  ],
  look: () =>
    Promise.all(['left', 'renewed'].map(async (account) => keychain?.getPassword('Lectern', account))),
}

if (step === undefined) {
  /** In a program that was just started: libsecret looks for the keyring once. */
  const take = (name: string): unknown => {
    const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, folder, name], {
      encoding: 'utf8',
    })
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout)
  }
  const close = await openKeyring()
  const signedIn = take('signIn')
  ask('/org/freedesktop/secrets', 'org.freedesktop.Secret.Service.Lock', `array:objpath:${login}`)
  await until(() => (isLocked() === 'true' ? true : undefined))
  take('signOut')
  const whileLocked = take('find')
  await close()
  const closeAgain = await openKeyring()
  const opened = take('find')
  const inKeychain = take('look')
  const signedInAgain = take('signInAgain')
  const again = take('find')
  await closeAgain()
  process.stdout.write(JSON.stringify({ signedIn, whileLocked, opened, inKeychain, signedInAgain, again }))
} else {
  const answer = (await (steps[step] ?? (() => Promise.reject(new Error(step))))()) ?? null
  process.stdout.write(JSON.stringify(answer))
}
