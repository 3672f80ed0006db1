import { app, Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron'
import { readFileSync } from 'node:fs'
import type { Words } from '../language/words.ts'

interface MenuActions {
  open: () => void
  refresh: () => void
  showLog: () => void
  /** Opens the guide inside at a page. */
  showGuide: (page: string) => void
}

const separator: MenuItemConstructorOptions = { type: 'separator' }

/** What macOS puts below the name of the program. */
const programMenu = (words: Words['menu']): MenuItemConstructorOptions => ({
  role: 'appMenu',
  label: 'Lectern',
  submenu: [
    { role: 'about', label: words.about },
    separator,
    { role: 'services', label: words.services, submenu: [] },
    separator,
    { role: 'hide', label: words.hide },
    { role: 'hideOthers', label: words.hideOthers },
    { role: 'unhide', label: words.showAll },
    separator,
    { role: 'quit', label: words.quit },
  ],
})

const editMenu = (words: Words['menu']): MenuItemConstructorOptions => ({
  role: 'editMenu',
  label: words.edit,
  submenu: [
    { role: 'undo', label: words.undo },
    { role: 'redo', label: words.redo },
    separator,
    { role: 'cut', label: words.cut },
    { role: 'copy', label: words.copy },
    { role: 'paste', label: words.paste },
    { role: 'delete', label: words.delete },
    separator,
    { role: 'selectAll', label: words.selectAll },
  ],
})

const viewMenu = (words: Words['menu'], refresh: () => void): MenuItemConstructorOptions => ({
  label: words.view,
  submenu: [
    { label: words.refresh, accelerator: 'F5', click: refresh },
    separator,
    { role: 'resetZoom', label: words.actualSize },
    { role: 'zoomIn', label: words.zoomIn },
    { role: 'zoomOut', label: words.zoomOut },
    separator,
    { role: 'togglefullscreen', label: words.fullScreen },
  ],
})

const windowMenu = (words: Words['menu'], isMac: boolean): MenuItemConstructorOptions => ({
  role: 'windowMenu',
  label: words.window,
  submenu: [
    { role: 'minimize', label: words.minimize },
    ...(isMac ? [{ role: 'zoom' as const, label: words.zoom }] : []),
    { role: 'close', label: words.close },
    ...(isMac ? [separator, { role: 'front' as const, label: words.front }] : []),
  ],
})

/**
 * The menu bar. Roles do the work wherever the system has one; each has a label and a submenu of ours, since
 * Electron's own are English whatever the system speaks.
 */
const menuBar = (words: Words['menu'], actions: MenuActions): MenuItemConstructorOptions[] => {
  const isMac = process.platform === 'darwin'
  const open: MenuItemConstructorOptions = { label: words.open, click: actions.open }
  const quit: MenuItemConstructorOptions[] = isMac ? [] : [separator, { role: 'quit', label: words.quit }]
  return [
    ...(isMac ? [programMenu(words)] : []),
    { label: words.file, submenu: [open, ...quit] },
    editMenu(words),
    viewMenu(words, actions.refresh),
    windowMenu(words, isMac),
    {
      role: 'help',
      label: words.help,
      submenu: [
        { label: words.guide, click: () => actions.showGuide('first-steps') },
        { label: words.log, click: actions.showLog },
        separator,
        { label: words.about, click: () => actions.showGuide('about') },
      ],
    },
  ]
}

export const setMenu = (words: Words['menu'], actions: MenuActions) => {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuBar(words, actions)))
}

/** How things stand, as the icon by the clock shows it. */
interface TrayState {
  words: Words['menu']
  unread: number
  isQuiet: boolean
}

/** macOS draws it as large as it says it is: 32 pixels are 16 points there, as high as its bar has them. */
const iconOf = (file: string) =>
  process.platform === 'darwin'
    ? nativeImage.createFromBuffer(readFileSync(file), { scaleFactor: 2 })
    : nativeImage.createFromPath(file)

/** The icon by the clock: Lectern goes on listening for the archive while its window is closed. */
export const openTray = (icon: string, state: () => TrayState, open: () => void) => {
  const tray = new Tray(iconOf(icon))
  let holdBack: (isQuiet: boolean) => void = () => undefined
  const show = () => {
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
  // On macOS a click opens the menu, and is told of besides.
  if (process.platform !== 'darwin') tray.on('click', open)
  return {
    /** Shows how things stand now. */
    show,
    /** @param handle hears whether notices are to be held back, when a person says so in the menu */
    onHoldBack: (handle: (isQuiet: boolean) => void) => {
      holdBack = handle
    },
  }
}
