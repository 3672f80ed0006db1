import { app, Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron'
import type { Words } from '../language/words.ts'

interface Deeds {
  open: () => void
  refresh: () => void
  showLog: () => void
}

/** The menu bar: roles do the work wherever the system has one. */
export const setMenu = (words: Words['menu'], { open, refresh, showLog }: Deeds) => {
  const template: MenuItemConstructorOptions[] = [
    { label: words.file, submenu: [{ label: words.open, click: open }, { type: 'separator' }, { role: 'quit', label: words.quit }] },
    { label: words.edit, role: 'editMenu' },
    {
      label: words.view,
      submenu: [{ label: words.refresh, accelerator: 'F5', click: refresh }, { type: 'separator' }, { role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'togglefullscreen' }],
    },
    { label: words.help, submenu: [{ label: words.log, click: showLog }] },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** The icon by the clock: Lectern goes on listening for the archive while its window is closed. */
export const setTray = (icon: string, words: () => Words['menu'], { open }: Pick<Deeds, 'open'>) => {
  const tray = new Tray(nativeImage.createFromPath(icon))
  const refresh = () => {
    tray.setToolTip('Lectern')
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: words().open, click: open },
        { label: words().quit, click: () => app.quit() },
      ]),
    )
  }
  tray.on('click', open)
  refresh()
  return refresh
}
