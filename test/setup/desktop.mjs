import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { has, hasKeychain, run, say } from './machine.mjs'

// Runs a command on a desktop of its own: a session bus, an unlocked keyring, a display and a notification
// daemon, as far as this machine has them. What is missing is said, and the specs that need it are skipped by
// name.
const command = process.argv.slice(2)
const isInside = process.env.LECTERN_DESKTOP === 'yes'

if (process.platform !== 'linux' || !has('dbus-run-session')) {
  const { status } = spawnSync(command[0], command.slice(1), {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exit(status ?? 1)
}
if (!isInside) {
  const { status } = spawnSync(
    'dbus-run-session',
    ['--', process.execPath, import.meta.filename ?? process.argv[1], ...command],
    {
      stdio: 'inherit',
      env: { ...process.env, LECTERN_DESKTOP: 'yes' },
    },
  )
  process.exit(status ?? 1)
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-desktop-'))
const env = {
  ...process.env,
  XDG_DATA_HOME: path.join(folder, 'data'),
  XDG_RUNTIME_DIR: path.join(folder, 'run'),
  XDG_CONFIG_HOME: path.join(folder, 'config'),
}
for (const name of ['XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME'])
  mkdirSync(env[name], { recursive: true, mode: 0o700 })
const helpers = []
const start = (name, args, stdio = 'ignore') => {
  const helper = spawn(name, args, { stdio, env })
  helpers.push(helper)
  return helper
}
/** Asks on the session bus, without starting whom it asks. */
const ask = (destination, question) =>
  spawnSync('dbus-send', ['--session', '--print-reply', `--dest=${destination}`, ...question.split(' ')], {
    env,
    encoding: 'utf8',
    timeout: 5_000,
  }).stdout ?? ''
const isOnBus = (name) =>
  ask('org.freedesktop.DBus', `/ org.freedesktop.DBus.NameHasOwner string:${name}`).includes('true')

/** Looks until it is so; false where the helper ended, or nothing came of it in a minute. */
const comes = async (helper, isSo) => {
  for (const began = Date.now(); Date.now() - began < 60_000 && helper.exitCode === null; await pause(50))
    if (isSo()) return true
  return false
}

const startKeyring = async () => {
  // In the foreground, so that it ends with us and no other keyring of this machine is touched.
  const keyring = start(
    'gnome-keyring-daemon',
    ['--foreground', '--unlock', '--components=secrets'],
    ['pipe', 'ignore', 'ignore'],
  )
  keyring.stdin.end('lectern')
  const isLocked = [
    '/org/freedesktop/secrets/collection/login',
    'org.freedesktop.DBus.Properties.Get',
    'string:org.freedesktop.Secret.Collection',
    'string:Locked',
  ].join(' ')
  return comes(
    keyring,
    () =>
      isOnBus('org.freedesktop.secrets') &&
      ask('org.freedesktop.secrets', isLocked).includes('boolean false'),
  )
}

/**
 * Starts a display, which chooses a number that is free and says it once it is ready; undefined where it does
 * not start.
 */
const startDisplay = () =>
  new Promise((ready) => {
    const args = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp']
    const display = start('Xvfb', args, ['ignore', 'ignore', 'ignore', 'pipe'])
    let said = ''
    display.stdio[3].on('data', (part) => {
      said += part
      if (said.endsWith('\n')) ready(`:${said.trim()}`)
    })
    display.once('exit', () => ready(undefined))
  })

const startNotices = async () => {
  // A notice stays until somebody answers it, however slow this machine is.
  const settings = path.join(folder, 'dunstrc')
  writeFileSync(
    settings,
    '[urgency_low]\ntimeout = 0\n[urgency_normal]\ntimeout = 0\n[urgency_critical]\ntimeout = 0\n',
  )
  return comes(start('dunst', ['-conf', settings]), () => isOnBus('org.freedesktop.Notifications'))
}

if (!has('gnome-keyring-daemon')) say('No gnome-keyring here: the spec of the keychain is skipped.')
else if (!hasKeychain()) say('No keychain module (keytar) here: the spec of the keychain is skipped.')
else if (await startKeyring()) env.LECTERN_KEYRING = 'yes'
else say('gnome-keyring did not open here: the spec of the keychain is skipped.')

if (has('Xvfb')) {
  const display = await startDisplay()
  if (display === undefined) say('Xvfb did not start here.')
  else env.DISPLAY = display
  if (display !== undefined && has('dunst') && (await startNotices())) env.LECTERN_NOTICES = 'yes'
}
// Orca runs once for a user: where a person hears with it, it is left alone.
const launcher = '/usr/libexec/at-spi-bus-launcher'
const hasScreenReader =
  ['orca', 'xdotool'].every(has) && existsSync(launcher) && !run('pgrep', ['-x', 'orca'])
// Where the window and Orca start the bus of AT-SPI themselves, both at once, it may answer neither.
const startAccessibility = () =>
  comes(start(launcher, ['--launch-immediately']), () => isOnBus('org.a11y.Bus'))
if (env.DISPLAY && hasScreenReader && (await startAccessibility())) env.LECTERN_SCREEN_READER = 'yes'
else say('No screen reader (Orca, xdotool) to be used here: the spec of what it says is skipped.')
if (!env.LECTERN_NOTICES) say('No notification daemon here: the spec of the native notice is skipped.')

const { status } = spawnSync(command[0], command.slice(1), { stdio: 'inherit', env })
for (const helper of helpers) helper.kill()
rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
process.exit(status ?? 1)
