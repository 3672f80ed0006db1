import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hasElectron, inRoot, run, say } from './machine.mjs'
import { contentsOf, placeholdersOf } from './pack-contents.mjs'

// Makes the unpacked build from an Electron distribution and checks what went in:
//   npm run pack [-- --dist FOLDER]        the distribution; without it, the one that npm brought
const at = process.argv.indexOf('--dist')
const dist = at > 0 ? process.argv[at + 1] : hasElectron() ? inRoot('node_modules/electron/dist') : undefined
if (!dist || !existsSync(dist)) {
  say(
    'There is no Electron distribution: give the folder of one with --dist FOLDER ' +
      '(an unpacked electron-vX-platform.zip).',
  )
  process.exit(1)
}
const { version } = JSON.parse(readFileSync(inRoot('node_modules/electron/package.json'), 'utf8'))
const settings = ['-c.electronDist', dist, '-c.electronVersion', version]
// Fuses are flipped inside Electron's own binary; a distribution without one is packed as it is, and said so.
const binary = ['electron', 'electron.exe', 'Electron.app']
  .map((name) => `${dist}/${name}`)
  .find((file) => existsSync(file))
const hasFuses =
  binary !== undefined && spawnSync('grep', ['-rqa', 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX', binary]).status === 0
if (!hasFuses) {
  say('This distribution holds no Electron binary: the fuses are left out.')
  const whole = readFileSync(inRoot('electron-builder.yml'), 'utf8')
  writeFileSync(inRoot('out/electron-builder.yml'), whole.replace(/^electronFuses:\n( .*\n)+/m, ''))
  settings.push('--config', inRoot('out/electron-builder.yml'))
}
if (
  !run(process.execPath, [
    inRoot('node_modules/electron-builder/cli.js'),
    '--dir',
    '--publish',
    'never',
    ...settings,
  ])
)
  process.exit(1)

const folder = readdirSync(inRoot('dist')).find((name) => /unpacked$|^mac/.test(name))
const resources = [`dist/${folder}/resources`, `dist/${folder}/Lectern.app/Contents/Resources`]
  .map((name) => inRoot(name))
  .find((name) => existsSync(name))
const asar = `${resources}/app.asar`
const { wrong, entries } = contentsOf(asar)
if (wrong.length > 0) {
  say(wrong.join('\n'))
  process.exit(1)
}
for (const placeholder of placeholdersOf(JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))))
  say(`Still a placeholder, to be replaced in package.json before anybody gets this: ${placeholder}`)
console.log(`${asar}\n${entries} entries, nothing of development or tests among them`)
