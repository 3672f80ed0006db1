import { spawn } from 'node:child_process'
import { hasElectron, inRoot, say, standIn } from './machine.mjs'

// Starts the built app: in Electron, or where that is missing in the stand-in. Arguments are passed on.
const env = { ...process.env, ...(hasElectron() ? {} : { ELECTRON_OVERRIDE_DIST_PATH: standIn }) }
const args = process.argv.slice(2).filter((arg) => !(hasElectron() && arg === '--headless'))
const needsNoSandbox = hasElectron() && process.platform === 'linux' && process.getuid?.() === 0
const hint = args.some((arg) => arg.startsWith('--remote-debugging-port='))
  ? ''
  : ' (--remote-debugging-port=9222 lets a program look)'
if (!hasElectron() && !env.DISPLAY && !env.WAYLAND_DISPLAY)
  say(`There is no display: the window is there, but nobody sees it${hint}.`)
const app = spawn(
  process.execPath,
  [inRoot('node_modules/electron/cli.js'), ...(needsNoSandbox ? ['--no-sandbox'] : []), inRoot(), ...args],
  { cwd: inRoot(), env, stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => app.kill(signal))
app.on('exit', (code) => process.exit(code ?? 1))
