import { existsSync, statSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { has, hasElectron, inRoot, installDebian, run, say } from './machine.mjs'

// Makes a fresh machine ready: for running the app, or with --tests for everything that the tests use.
const forTests = process.argv.includes('--tests')

// The keychain module compiles while npm installs, so what it needs comes first. It is optional: without it the vault has other doors.
if (process.platform === 'linux' && forTests) {
  const wanted = [
    ['dbus-run-session', 'dbus'],
    ['gnome-keyring-daemon', 'gnome-keyring'],
    ['notify-send', 'libnotify-bin'],
    ['dunst', 'dunst'],
    ['Xvfb', 'xvfb'],
    ['make', 'make'],
    ['g++', 'g++'],
    ['python3', 'python3'],
    ['pkg-config', 'pkg-config'],
  ].flatMap(([command, name]) => (has(command) ? [] : [name]))
  if (!run('pkg-config', ['--exists', 'libsecret-1'], { stdio: 'ignore' })) wanted.push('libsecret-1-dev')
  if (wanted.length > 0) installDebian(wanted, 'What the tests of keyring and notices use')
}

const modifiedMs = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0)
if (modifiedMs(inRoot('node_modules/.package-lock.json')) < modifiedMs(inRoot('package-lock.json'))) {
  say('Installing the packages of npm …')
  if (!run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])) {
    say('npm ci failed; its lines above say why.')
    process.exit(1)
  }
}

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
