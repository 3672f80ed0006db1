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

/** Runs npm: the one that runs us, else the one of this machine. */
export const npm = (args, options = {}) => {
  const all = [...args, '--no-audit', '--no-fund', '--loglevel=error']
  const cli = process.env.npm_execpath
  return cli === undefined
    ? run('npm', all, { shell: process.platform === 'win32', ...options })
    : run(process.execPath, [cli, ...all], options)
}

/**
 * Installs Debian packages where that is possible without asking anybody; says in one line what to do where
 * it is not. A package that this system does not have keeps none of the others out.
 */
export const installDebian = (packages, what) => {
  const install = ['install', '-y', '-qq', '--no-install-recommends']
  if (!isDebian() || !isRoot()) {
    say(`${what} is missing. On Debian: sudo apt-get ${install.join(' ')} ${packages.join(' ')}`)
    return
  }
  say(`Installing ${packages.join(' ')}: ${what.charAt(0).toLowerCase()}${what.slice(1)} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // Another apt may be at work: its lock is waited for, in seconds. Where lists cannot be fetched the old
  // ones serve.
  const apt = (args, stdio = ['ignore', 2, 2]) =>
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], { env, stdio })
  apt(['update', '-qq'])
  const known = packages.filter((name) => apt([...install, '--simulate', name], 'ignore'))
  const isDone = known.length > 0 && apt([...install, ...known])
  const failed = packages.filter((name) => !isDone || !known.includes(name))
  if (failed.length > 0) say(`apt-get could not install: ${failed.join(', ')}.`)
}

export const standIn = inRoot('test/electron-stand-in/dist')

/** Whether Electron's own binary is here. */
export const hasElectron = () =>
  existsSync(inRoot('node_modules/electron/dist')) && existsSync(inRoot('node_modules/electron/path.txt'))

/** Whether keytar, the keychain module, is here and loads. */
export const hasKeychain = () =>
  spawnSync(process.execPath, ['-e', "require('keytar')"], { cwd: root, stdio: 'ignore' }).status === 0
