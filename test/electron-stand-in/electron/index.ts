import { app } from './app.ts'
import { dialog } from './dialog.ts'
import { ipcMain } from './ipc-main.ts'
import { Menu, nativeImage, Tray } from './menu.ts'
import { protocol } from './protocol.ts'
import { session } from './session.ts'
import { clipboard, nativeTheme, Notification, powerMonitor, safeStorage, screen, shell } from './system.ts'
import { utilityProcess } from './utility-process.ts'
import { BrowserWindow, webContents } from './window.ts'

export {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
  webContents,
}
export default {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
  webContents,
}
