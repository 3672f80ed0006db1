import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { has, hasElectron, hasKeychain, inRoot, installDebian, npm, run, say } from './machine.mjs'

// Makes a fresh machine ready: for running the app, with --tests for everything that the tests use, or with
// --screenshots for pictures of pages and of paper.
const forTests = process.argv.includes('--tests')
const forScreenshots = process.argv.includes('--screenshots')

/** The Debian packages of those commands that are not here. */
const missing = (commands) => Object.keys(commands).filter((command) => !has(commands[command]))

if (process.platform === 'linux' && forTests) {
  const wanted = missing({
    dbus: 'dbus-run-session',
    'gnome-keyring': 'gnome-keyring-daemon',
    'libnotify-bin': 'notify-send',
    dunst: 'dunst',
    xvfb: 'Xvfb',
    orca: 'orca',
    xdotool: 'xdotool',
    'tinyproxy-bin': 'tinyproxy',
    zip: 'zip',
    unzip: 'unzip',
    'p7zip-full': '7z',
    'libarchive-tools': 'bsdtar',
    python3: 'python3',
  })
  if (wanted.length > 0)
    installDebian(wanted, 'What the tests of keyring, notices, screen reader, proxies and archive files use')
}

if (process.platform === 'linux' && forScreenshots) {
  const wanted = missing({ 'poppler-utils': 'pdftoppm' })
  if (wanted.length > 0) installDebian(wanted, 'What makes pictures of printed sheets')
}

const read = (...file) => {
  try {
    return JSON.parse(readFileSync(inRoot(...file), 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Whether everything in the lock file that is not optional lies in node_modules, in its version. npm writes a
 * list of its own at the end: where that is missing it was interrupted.
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
 * Something optional that could not be had is not tried again at every start: only where what it depends on
 * is not as it was, for tests, and where LECTERN_TRY_AGAIN is set.
 * @param circumstances what decides whether it can be had
 * @param attempt whether it is here now
 */
const tryOnce = (name, circumstances, attempt) => {
  const note = inRoot(`node_modules/.${name}-failed`)
  // As a digest: the address of a proxy may hold a password.
  const digest = () => createHash('sha256').update(JSON.stringify(circumstances())).digest('hex')
  const failedBefore = existsSync(note) && readFileSync(note, 'utf8') === digest()
  if (failedBefore && !forTests && !process.env.LECTERN_TRY_AGAIN) return false
  const isDone = attempt()
  if (isDone) rmSync(note, { force: true })
  else writeFileSync(note, digest())
  return isDone
}
const again = 'It is tried again when this changes, or with LECTERN_TRY_AGAIN=1.'
const versionOf = (name) => read('package-lock.json').packages[`node_modules/${name}`]?.version ?? null

// Headers that came with Node need no download; keytar's interface to it (Node-API) is the same in every
// version.
const prefix = path.dirname(path.dirname(process.env.npm_node_execpath ?? process.execPath))
const headers = existsSync(path.join(prefix, 'include/node/node_api.h')) ? prefix : null

/**
 * Makes good that keytar, the keychain module, is not here: npm brings it compiled or compiles it, and takes
 * it away where neither succeeds.
 */
const installKeychain = () => {
  const lacking = missingForKeychain()
  if (lacking.length > 0) installDebian(lacking, 'What the keychain module (keytar) is compiled with')
  if (hasKeychain()) return true
  say('Installing the keychain module (keytar) …')
  const command = existsSync(inRoot('node_modules/keytar')) ? ['rebuild', 'keytar'] : ['install', '--no-save']
  const env = { ...process.env, ...(headers === null ? {} : { npm_config_nodedir: headers }) }
  npm(command, { env, stdio: 'ignore', timeout: 300_000 })
  return hasKeychain()
}
const keychainNeeds = () => [versionOf('keytar'), process.version, headers, missingForKeychain()]
if (!hasKeychain() && !tryOnce('keychain', keychainNeeds, installKeychain)) {
  const lacking = missingForKeychain()
  const why = lacking.length > 0 ? ` (${lacking.join(', ')} missing)` : ''
  say(
    `The keychain module (keytar) could not be installed${why}: ` +
      `sign-ins are not kept in the keychain. ${again}`,
  )
}

/** Asking for the module fetches the binary; where it cannot be fetched this ends with an error. */
const fetchElectron = () => {
  say('Fetching Electron’s binary …')
  const args = ['-e', "require('electron')"]
  const { status } = spawnSync(process.execPath, args, { cwd: inRoot(), stdio: 'ignore', timeout: 300_000 })
  return status === 0 && hasElectron()
}
/** Where it is fetched from, in the variables that @electron/get reads. */
const electronNeeds = () => [
  versionOf('electron'),
  process.platform,
  process.arch,
  ...Object.entries(process.env)
    .filter(([name]) => /^(npm_config_)?electron_|^(https?|all|no)_proxy$/i.test(name))
    .map(([name, value]) => `${name}=${value}`)
    .sort(),
]

if (!hasElectron() && !tryOnce('electron', electronNeeds, fetchElectron)) {
  say(`Electron’s binary could not be downloaded; a Chromium of this machine stands in for it. ${again}`)
  const { findChromium } = await import('./find-chromium.mjs')
  const has = () => findChromium() !== undefined
  if (!has() && process.platform === 'linux') installDebian(['chromium'], 'A Chromium')
  if (!has()) {
    say(
      'No Chromium was found. Install one (Debian: sudo apt-get install chromium), ' +
        'or name it in STAND_IN_CHROMIUM.',
    )
    process.exit(1)
  }
}
