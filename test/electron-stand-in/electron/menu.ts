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

let applicationMenu: { items: Template[] } | null = null

/** Menus are kept, not drawn: a test finds an item by its label and calls its click. */
export const Menu = refusing('Menu', {
  buildFromTemplate: (items: Template[]) => ({ items }),
  setApplicationMenu: (menu: { items: Template[] } | null) => {
    applicationMenu = menu
  },
  getApplicationMenu: () => applicationMenu,
})

export const nativeImage = refusing('nativeImage', {
  createFromPath: (file: string) => ({ file, isEmpty: () => false }),
  createEmpty: () => ({ isEmpty: () => true }),
})

/** Trays are kept, not drawn: a test emits 'click'. */
export class Tray extends EventEmitter {
  static all: Tray[] = []
  menu: { items: Template[] } | null = null
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
  setContextMenu(menu: { items: Template[] } | null) {
    this.menu = menu
  }
  destroy() {}
}
