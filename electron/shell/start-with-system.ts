import { app } from 'electron'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Started so, the desk listens without a window. */
export const hidden = '--hidden'

/** Linux has no call for it: a file in the folder that desktops look into (Desktop Application Autostart Specification). */
const inAutostart = (isOn: boolean) => {
  const file = path.join(app.getPath('appData'), 'autostart', 'lectern.desktop')
  if (!isOn) return rmSync(file, { force: true })
  const quoted = [process.execPath, ...(app.isPackaged ? [] : [app.getAppPath()]), hidden].map(
    (part) => `"${part.replace(/(["\\`$])/g, '\\$1')}"`,
  )
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(
    file,
    `[Desktop Entry]\nType=Application\nName=Lectern\nExec=${quoted.join(' ')}\nX-GNOME-Autostart-enabled=true\n`,
  )
}

/** Starts the desk when somebody signs in to this computer, or does not any more. */
export const startWithSystem = (isOn: boolean) => {
  if (process.platform === 'linux') inAutostart(isOn)
  else app.setLoginItemSettings({ openAtLogin: isOn, args: [hidden] })
}
