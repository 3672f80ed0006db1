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
    {
      label: words.file,
      submenu: [
        { label: words.open, click: open },
        { type: 'separator' },
        { role: 'quit', label: words.quit },
      ],
    },
    { label: words.edit, role: 'editMenu' },
    {
      label: words.view,
      submenu: [
        { label: words.refresh, accelerator: 'F5', click: refresh },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
      ],
    },
    { label: words.help, submenu: [{ label: words.log, click: showLog }] },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** How things stand, as the icon by the clock shows it. */
interface TrayState {
  words: Words['menu']
  unread: number
  isQuiet: boolean
}

/** The icon by the clock: Lectern goes on listening for the archive while its window is closed. */
export const setTray = (
  icon: string,
  state: () => TrayState,
  { open, holdBack }: Pick<Deeds, 'open'> & { holdBack: (isQuiet: boolean) => void },
) => {
  const tray = new Tray(nativeImage.createFromPath(icon))
  const refresh = () => {
    const { words, unread, isQuiet } = state()
    const count = unread > 0 ? words.unread(unread) : ''
    tray.setToolTip(count === '' ? 'Lectern' : `Lectern – ${count}`)
    // Only macOS shows a text beside the icon.
    tray.setTitle(unread > 0 ? String(unread) : '')
    tray.setContextMenu(
      Menu.buildFromTemplate([
        ...(count === '' ? [] : [{ label: count, click: open }]),
        { label: words.open, click: open },
        { label: words.quiet, type: 'checkbox', checked: isQuiet, click: ({ checked }) => holdBack(checked) },
        { label: words.quit, click: () => app.quit() },
      ]),
    )
    app.setBadgeCount(unread)
  }
  tray.on('click', open)
  refresh()
  return refresh
}
