import { EventEmitter } from 'node:events'
import { refusing } from './refuse.ts'

interface Template {
  label?: string
  role?: string
  type?: string
  checked?: boolean
  click?: (item: { checked: boolean }) => void
  submenu?: Template[]
}

interface Item extends Omit<Template, 'submenu'> {
  submenu?: { items: Item[] }
}

/**
 * What Electron says by itself where a role has no label, and unfolds where one has no submenu: in English,
 * always.
 */
const labels: Record<string, string> = {
  about: 'About',
  services: 'Services',
  hide: 'Hide',
  hideOthers: 'Hide Others',
  unhide: 'Show All',
  quit: 'Quit',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  delete: 'Delete',
  pasteAndMatchStyle: 'Paste and Match Style',
  selectAll: 'Select All',
  reload: 'Reload',
  resetZoom: 'Actual Size',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  togglefullscreen: 'Toggle Full Screen',
  minimize: 'Minimize',
  zoom: 'Zoom',
  close: 'Close Window',
  front: 'Bring All to Front',
  help: 'Help',
  appMenu: 'Lectern',
  fileMenu: 'File',
  editMenu: 'Edit',
  viewMenu: 'View',
  windowMenu: 'Window',
}
const unfolded: Record<string, string[]> = {
  appMenu: ['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit'],
  fileMenu: [process.platform === 'darwin' ? 'close' : 'quit'],
  editMenu: ['undo', 'redo', 'cut', 'copy', 'paste', 'delete', 'selectAll'],
  viewMenu: ['reload', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'],
  windowMenu: ['minimize', 'zoom', 'close'],
}
const built = (item: Template): Item => {
  const {
    submenu = item.role === undefined ? undefined : unfolded[item.role]?.map((role) => ({ role })),
    ...rest
  } = item
  if (item.role !== undefined && !(item.role in labels))
    throw new Error(`The stand-in has no role ${item.role}.`)
  return {
    ...rest,
    label: item.label ?? labels[item.role ?? ''] ?? '',
    ...(submenu === undefined ? {} : { submenu: { items: submenu.map(built) } }),
  }
}

let applicationMenu: { items: Item[] } | null = null

/** Menus are kept, not drawn: a test finds an item by its label and calls its click. */
export const Menu = refusing('Menu', {
  buildFromTemplate: (template: Template[]) => ({ items: template.map(built) }),
  setApplicationMenu: (menu: { items: Item[] } | null) => {
    applicationMenu = menu
  },
  getApplicationMenu: () => applicationMenu,
})

export const nativeImage = refusing('nativeImage', {
  createFromPath: (file: string) => ({ file, isEmpty: () => false }),
  createFromBuffer: (bytes: Buffer) => ({ bytes, isEmpty: () => false }),
  createEmpty: () => ({ isEmpty: () => true }),
})

/** Trays are kept, not drawn: a test emits 'click'. */
export class Tray extends EventEmitter {
  static all: Tray[] = []
  menu: { items: Item[] } | null = null
  toolTip = ''
  title = ''
  constructor(_image: unknown) {
    super()
    Tray.all.push(this)
  }
  setToolTip(text: string) {
    this.toolTip = text
  }
  setTitle(text: string) {
    this.title = text
  }
  setContextMenu(menu: { items: Item[] } | null) {
    this.menu = menu
  }
  destroy() {}
}
