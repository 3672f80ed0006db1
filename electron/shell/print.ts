import type { BrowserWindow } from 'electron'
import type { SlipSize } from '../contract/orders.ts'

/** A label as rolls of address labels have it, in micrometres, and in inches. */
const label = { width: 100_000, height: 62_000 }
const micronsAnInch = 25_400

const shown = (window: BrowserWindow | undefined) => {
  if (!window) throw new Error('There is no window to print.')
  return window.webContents
}

/** What the window shows, as PDF. */
export const printPdf = (window: BrowserWindow | undefined, size: SlipSize = 'A4'): Promise<Uint8Array> =>
  shown(window).printToPDF({
    ...(size === 'label'
      ? {
          pageSize: { width: label.width / micronsAnInch, height: label.height / micronsAnInch },
          margins: { top: 0.1, bottom: 0.1, left: 0.15, right: 0.15 },
        }
      : { pageSize: size }),
    printBackground: true,
  })

/** What the window shows, on paper, by the system's own dialog. Whether it was printed. */
export const printPaper = (window: BrowserWindow | undefined, size: SlipSize): Promise<boolean> =>
  new Promise((done) =>
    shown(window).print(
      { silent: false, printBackground: true, pageSize: size === 'label' ? label : size },
      (isPrinted) => done(isPrinted),
    ),
  )
