import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { has, hasElectron, hasKeychain, inRoot, installDebian, npm, run, say } from './machine.mjs'

// Makes a fresh machine ready: for running the app, or with --tests for everything that the tests use.
const forTests = process.argv.includes('--tests')

/** The Debian packages of those commands that are not here. */
const missing = (commands) => Object.keys(commands).filter((command) => !has(commands[command]))

if (process.platform === 'linux' && forTests) {
  const wanted = missing({
    dbus: 'dbus-run-session',
    'gnome-keyring': 'gnome-keyring-daemon',
    'libnotify-bin': 'notify-send',
    dunst: 'dunst',
    xvfb: 'Xvfb',
    'tinyproxy-bin': 'tinyproxy',
    zip: 'zip',
    unzip: 'unzip',
    'p7zip-full': '7z',
    'libarchive-tools': 'bsdtar',
    python3: 'python3',
  })
  if (wanted.length > 0)
    installDebian(wanted, 'What the tests of keyring, notices, proxies and archive files use')
}

const read = (...file) => {
  try {
    return JSON.parse(readFileSync(inRoot(...file), 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Whether everything in the lock file that is not optional lies in node_modules, in its version. npm writes a list of
 * its own at the end: where that is missing it was interrupted.
 */
const isInstalled = () =>
  read('node_modules/.package-lock.json') !== undefined &&
  Object.entries(read('package-lock.json').packages).every(
    ([folder, { version, optional }]) =>
      folder === '' || optional || read(folder, 'package.json')?.version === version,
  )
if (!isInstalled()) {
  say('Installing the packages of npm …')
  if (!npm(['ci'])) {
    say('npm ci failed; its lines above say why.')
    process.exit(1)
  }
}

/** The Debian packages that keytar is compiled with and that are not here. */
const missingForKeychain = () => {
  if (process.platform !== 'linux') return []
  const hasLibrary = run('pkg-config', ['--exists', 'libsecret-1'], { stdio: 'ignore' })
  const tools = missing({ make: 'make', 'g++': 'g++', python3: 'python3', 'pkg-config': 'pkg-config' })
  return hasLibrary ? tools : [...tools, 'libsecret-1-dev']
}

/**
 * Makes good that keytar, the keychain module, is not here: npm brings it compiled or compiles it, and takes it away
 * where neither succeeds. It is optional, so a failure is said and nothing ends. For running the app it is not tried
 * again on a machine that is as it was when it failed.
 */
const installKeychain = () => {
  const lacking = missingForKeychain()
  if (lacking.length > 0) installDebian(lacking, 'What the keychain module (keytar) is compiled with')
  if (hasKeychain()) return

  // Headers that came with Node need no download; keytar's interface to it (Node-API) is the same in every version.
  const prefix = path.dirname(path.dirname(process.env.npm_node_execpath ?? process.execPath))
  const env = { ...process.env }
  if (existsSync(path.join(prefix, 'include/node/node_api.h'))) env.npm_config_nodedir = prefix
  const machine = JSON.stringify([missingForKeychain(), env.npm_config_nodedir ?? null])
  const note = inRoot('node_modules/.keychain-failed')
  const failedBefore = existsSync(note) && readFileSync(note, 'utf8') === machine
  if (forTests || !failedBefore) {
    say('Installing the keychain module (keytar) …')
    const command = existsSync(inRoot('node_modules/keytar'))
      ? ['rebuild', 'keytar']
      : ['install', '--no-save']
    npm(command, { env, stdio: 'ignore', timeout: 300_000 })
    if (hasKeychain()) return
    writeFileSync(note, machine)
  }
  say('The keychain module (keytar) could not be installed; the app works without the keychain.')
}
if (!hasKeychain()) installKeychain()

const fetchElectron = () => {
  if (hasElectron()) return true
  // Asking for the module fetches the binary; where it cannot be fetched this ends with an error.
  return (
    spawnSync(process.execPath, ['-e', "require('electron')"], {
      cwd: inRoot(),
      stdio: 'ignore',
      timeout: 300_000,
    }).status === 0 && hasElectron()
  )
}

if (!fetchElectron()) {
  say('Electron’s binary is not here and cannot be downloaded; a Chromium of this machine stands in for it.')
  const { findChromium } = await import('./find-chromium.mjs')
  const has = () => findChromium() !== undefined
  if (!has() && process.platform === 'linux') installDebian(['chromium'], 'A Chromium')
  if (!has()) {
    say(
      'No Chromium was found. Install one (Debian: sudo apt-get install chromium), or name it in STAND_IN_CHROMIUM.',
    )
    process.exit(1)
  }
}
