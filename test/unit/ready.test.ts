import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../support/scratch.ts'

const setup = path.resolve(import.meta.dirname, '../setup')

/** A project that has our scripts, and packages that lie beside it: npm needs no network for them. */
const makeProject = (folder: string) => {
  cpSync(setup, path.join(folder, 'test/setup'), { recursive: true })
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const npm = (cwd: string, ...args: string[]) =>
    expect(spawnSync('npm', args, { cwd: path.join(folder, cwd) }).status).toBe(0)
  const pack = (name: string, files: Record<string, string>, version = '1.0.0') => {
    const scripts = 'install.cjs' in files ? { install: 'node install.cjs' } : {}
    write(`packages/${name}/package.json`, JSON.stringify({ name, version, scripts }))
    for (const [file, text] of Object.entries(files)) write(`packages/${name}/${file}`, text)
    npm('packages', 'pack', `./${name}`)
    return `file:packages/${name}-${version}.tgz`
  }
  // Compiles where the file `tools` is there, as keytar does where compilers are.
  const compile = `require('fs').copyFileSync(process.env.INIT_CWD + '/tools', 'compiled.js')`
  // Fetches its binary when it is asked for, as Electron does: from the folder `release`, which counts how
  // often.
  const fetch = `const fs = require('fs')
    fs.appendFileSync(process.cwd() + '/fetched', '.')
    fs.cpSync(process.cwd() + '/release', __dirname, { recursive: true })`
  const dependencies = {
    electron: pack('electron', { 'index.js': fetch }),
    playwright: pack('playwright', { 'index.js': 'exports.chromium = { executablePath: () => "" }' }),
    plain: pack('plain', { 'index.js': '' }),
  }
  const optionalDependencies = {
    keytar: pack('keytar', { 'index.js': `require('./compiled.js')`, 'install.cjs': compile }),
  }
  const lock = () => {
    write('package.json', JSON.stringify({ name: 'x', version: '1.0.0', dependencies, optionalDependencies }))
    npm('.', 'install', '--package-lock-only')
  }
  lock()
  // A machine without compilers, whose apt has no network.
  const logged = path.join(folder, 'apt.log')
  write('bin/apt-get', `#!/bin/sh\necho "$@" >> ${logged}\necho "no network" >&2\nexit 100\n`)
  write('release/path.txt', 'electron')
  write('release/dist/version', '1')
  chmodSync(path.join(folder, 'bin/apt-get'), 0o755)
  for (const [name, file] of [
    ['sh', '/bin/sh'],
    ['env', '/usr/bin/env'],
    ['node', process.execPath],
  ] as const)
    symlinkSync(file, path.join(folder, 'bin', name))
  return {
    has: (name: string) => existsSync(path.join(folder, name)),
    /** How long a file is; 0 where there is none. */
    size: (name: string) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
    write,
    /** Asks for another version of the package `plain`, in files that bear an old date. */
    relock: (version: string) => {
      dependencies.plain = pack('plain', { 'index.js': '' }, version)
      lock()
      utimesSync(path.join(folder, 'package-lock.json'), 0, 0)
    },
    versionOfPlain: () =>
      (
        JSON.parse(readFileSync(path.join(folder, 'node_modules/plain/package.json'), 'utf8')) as {
          version: string
        }
      ).version,
    allow: (name: string) => chmodSync(path.join(folder, name), 0o755),
    remove: (name: string) => rmSync(path.join(folder, name), { recursive: true }),
    ready: (argument?: '--tests', more: Record<string, string> = {}) => {
      const args = ['test/setup/ready.mjs', ...(argument === undefined ? [] : [argument])]
      const { status, stderr } = spawnSync(process.execPath, args, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH: path.join(folder, 'bin'), ...more },
      })
      return { status, said: stderr }
    },
  }
}

const failed = 'The keychain module (keytar) could not be installed'

test.skipIf(process.platform === 'win32')(
  'a keychain module that could not be compiled ends nothing, and is tried again when that may help',
  () => {
    using place = scratch()
    const project = makeProject(place.folder)
    const first = project.ready()
    expect([first.status, project.has('node_modules/plain/index.js')]).toEqual([0, true])
    expect(first.said).toContain(failed)
    expect(project.has('node_modules/keytar')).toBe(false)
    // A start does not try again what failed on the same machine; tests do, and find the compiler.
    project.write('tools', '')
    const asked = project.size('apt.log')
    const again = project.ready().said
    expect(again.trim().split('\n')).toEqual([expect.stringContaining(failed)])
    expect(again).toContain('make, g++, python3, pkg-config, libsecret-1-dev missing')
    expect(project.size('apt.log')).toBe(asked)
    expect(project.ready('--tests').said).not.toContain(failed)
    expect(project.has('node_modules/keytar/compiled.js')).toBe(true)
    expect(project.ready().said).toBe('')
    // Brought, but never compiled: by `npm ci --ignore-scripts`, say.
    project.remove('node_modules/keytar/compiled.js')
    expect(project.ready('--tests').said).not.toContain(failed)
    expect(project.has('node_modules/keytar/compiled.js')).toBe(true)
  },
)

test.skipIf(process.platform === 'win32')(
  'what failed once is tried again where something changed, or somebody says so',
  () => {
    using place = scratch()
    const project = makeProject(place.folder)
    const isTried = (more: Record<string, string> = {}) =>
      project.ready(undefined, more).said.includes('Installing the keychain module')
    expect([isTried(), isTried()]).toEqual([true, false])
    expect([isTried({ LECTERN_TRY_AGAIN: '1' }), isTried()]).toEqual([true, false])
    // A compiler came.
    project.write('bin/make', '#!/bin/sh\n')
    project.allow('bin/make')
    expect([isTried(), isTried()]).toEqual([true, false])
  },
)

test.skipIf(process.platform === 'win32')(
  'Electron’s binary that could not be fetched is fetched again where that may help',
  () => {
    using place = scratch()
    const project = makeProject(place.folder)
    project.write('tools', '')
    project.remove('release')
    const chromium = path.join(place.folder, 'bin/chromium')
    const ready = (argument?: '--tests', more: Record<string, string> = {}) => {
      const before = project.size('fetched')
      const { status, said } = project.ready(argument, { STAND_IN_CHROMIUM: chromium, ...more })
      expect(status, said).toBe(0)
      return { said, fetches: project.size('fetched') - before }
    }
    project.write('bin/chromium', '')
    project.allow('bin/chromium')
    expect(ready().fetches).toBe(1)
    const second = ready()
    expect(second.fetches).toBe(0)
    expect(second.said.trim().split('\n')).toEqual([
      expect.stringMatching(/^Electron’s binary could not be downloaded; a Chromium .* LECTERN_TRY_AGAIN=1/),
    ])
    expect(ready('--tests').fetches).toBe(1)
    const mirror = { ELECTRON_MIRROR: 'https://mirror.example/' }
    expect([ready(undefined, mirror).fetches, ready(undefined, mirror).fetches]).toEqual([1, 0])
    project.write('release/path.txt', 'electron')
    project.write('release/dist/version', '1')
    expect(ready(undefined, { LECTERN_TRY_AGAIN: '1' }).fetches).toBe(1)
    expect(ready()).toEqual({ said: '', fetches: 0 })
  },
)

test.skipIf(process.platform === 'win32')(
  'packages that are half installed, or not those of the lock file, are installed',
  () => {
    using place = scratch()
    const project = makeProject(place.folder)
    project.write('tools', '')
    const installs = () => project.ready().said.includes('Installing the packages of npm')
    expect(installs()).toBe(true)
    expect(installs()).toBe(false)
    // npm was ended in the middle.
    project.remove('node_modules/.package-lock.json')
    expect(installs()).toBe(true)
    project.remove('node_modules/plain')
    expect([installs(), project.has('node_modules/plain/index.js')]).toEqual([true, true])
    // Older by its date, and still another version: the lock file came out of a copy or a backup.
    project.relock('1.1.0')
    expect(installs()).toBe(true)
    expect(project.versionOfPlain()).toBe('1.1.0')
    expect(installs()).toBe(false)
  },
)
