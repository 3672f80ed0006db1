import { app } from 'electron'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { replaceFileSync } from '../replace-file.ts'
import { autostartEntry } from './desktop-entry.ts'

/** Started so, the desk listens without a window. */
const hidden = '--hidden'

/**
 * Whether the desk was started to listen without a window. macOS gives what it starts no arguments, but says
 * that it did.
 */
export const startsHidden = (argv: string[]): boolean =>
  argv.includes(hidden) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)

/** An AppImage runs from a mount that is gone when it ends: what can be started again is the file itself. */
const program = () => process.env['APPIMAGE'] ?? process.execPath
const programArguments = () => [...(app.isPackaged ? [] : [app.getAppPath()]), hidden]

/** Linux has no call for it: a file in the folder that desktops look into. */
const inAutostart = (isOn: boolean) => {
  const file = path.join(app.getPath('appData'), 'autostart', 'lectern.desktop')
  if (!isOn) return rmSync(file, { force: true })
  mkdirSync(path.dirname(file), { recursive: true })
  // A session that begins meanwhile must not read half of it.
  replaceFileSync(file, autostartEntry([program(), ...programArguments()]))
}

/** Starts the desk when somebody signs in to this computer, or does not any more. */
export const startWithSystem = (isOn: boolean) => {
  if (process.platform === 'linux') inAutostart(isOn)
  else if (process.platform === 'darwin') app.setLoginItemSettings({ openAtLogin: isOn })
  else app.setLoginItemSettings({ openAtLogin: isOn, path: program(), args: programArguments() })
}
