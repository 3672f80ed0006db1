import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

// Plain JavaScript for Node 20 and no packages: this runs before anything is installed.

export const root = path.resolve(
  import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
  '../..',
)
export const inRoot = (...parts) => path.join(root, ...parts)

/** Progress goes to stderr: the standard output belongs to what is started. */
export const say = (text) => process.stderr.write(`${text}\n`)

export const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options }).status === 0

export const has = (command) =>
  spawnSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' }).status === 0

const isDebian = () => existsSync('/etc/debian_version') && has('apt-get')
const isRoot = () => process.getuid?.() === 0

/** Installs Debian packages where that is possible without asking anybody; says in one line what to do where it is not. */
export const installDebian = (packages, what) => {
  const line = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  if (!isDebian() || !isRoot()) {
    say(`${what} is missing. On Debian: sudo ${line}`)
    return false
  }
  say(`Installing ${what}: ${packages.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return run('apt-get', ['update', '-qq'], { env }) && run('sh', ['-c', `${line} -qq`], { env })
}

export const standIn = inRoot('test/electron-stand-in/dist')

/** Whether Electron's own binary is here. */
export const hasElectron = () =>
  existsSync(inRoot('node_modules/electron/dist')) && existsSync(inRoot('node_modules/electron/path.txt'))
