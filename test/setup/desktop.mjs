import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { has, say } from './machine.mjs'

// Runs a command on a desktop of its own: a session bus, an unlocked keyring, a display and a notification daemon, as far as
// this machine has them. What is missing is said, and the specs that need it are skipped by name.
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

if (has('gnome-keyring-daemon')) {
  // In the foreground, so that it ends with us and no other keyring of this machine is touched.
  const keyring = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env,
  })
  helpers.push(keyring)
  keyring.stdin.end('lectern')
  await pause(700)
  if (keyring.exitCode === null) env.LECTERN_KEYRING = 'yes'
} else say('No gnome-keyring here: the spec of the keychain is skipped.')

if (has('Xvfb')) {
  const display = `:${90 + (process.pid % 900)}`
  helpers.push(
    spawn('Xvfb', [display, '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], { stdio: 'ignore', env }),
  )
  env.DISPLAY = display
  await pause(700)
  if (has('dunst')) {
    // A notice stays until somebody answers it, however slow this machine is.
    const settings = path.join(folder, 'dunstrc')
    writeFileSync(
      settings,
      '[urgency_low]\ntimeout = 0\n[urgency_normal]\ntimeout = 0\n[urgency_critical]\ntimeout = 0\n',
    )
    helpers.push(spawn('dunst', ['-conf', settings], { stdio: 'ignore', env }))
    await pause(500)
    if (spawnSync('dunstctl', ['count'], { env, stdio: 'ignore', timeout: 5_000 }).status === 0)
      env.LECTERN_NOTICES = 'yes'
  }
}
if (!env.LECTERN_NOTICES) say('No notification daemon here: the spec of the native notice is skipped.')

const { status } = spawnSync(command[0], command.slice(1), { stdio: 'inherit', env })
for (const helper of helpers) helper.kill()
rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
process.exit(status ?? 1)
