import type { BrowserWindow } from 'electron'
import { Failed } from '../contract/failure.ts'
import type { PaperSize } from '../contract/printing.ts'

/** A label as rolls of address labels have it, in micrometres, and in inches. */
const label = { width: 100_000, height: 62_000 }
const micronsAnInch = 25_400

const shown = (window: BrowserWindow | undefined) => {
  if (!window) throw new Error('There is no window to print.')
  return window.webContents
}

const failed = (detail: string) => new Failed({ kind: 'print', detail })

/** What the window draws for paper, as PDF: its style says what the margins hold. @throws Failed 'print' */
export const printPdf = (window: BrowserWindow | undefined, size: PaperSize): Promise<Uint8Array> =>
  shown(window)
    .printToPDF({
      pageSize:
        size === 'label'
          ? { width: label.width / micronsAnInch, height: label.height / micronsAnInch }
          : size,
      printBackground: true,
    })
    .catch((error: unknown) => {
      throw failed(String(error))
    })

/** Chromium says so of a dialog that was closed without printing. */
const isCancelled = (reason: string) => /cancel/i.test(reason)

/**
 * The same on paper, by the system's own dialog. False where that was cancelled.
 * @throws Failed 'print'
 */
export const printPaper = (window: BrowserWindow | undefined, size: PaperSize): Promise<boolean> =>
  new Promise((done, refuse) => {
    const contents = shown(window)
    const options = { silent: false, printBackground: true, pageSize: size === 'label' ? label : size }
    try {
      contents.print(options, (isPrinted, reason) => {
        if (isPrinted || isCancelled(reason)) done(isPrinted)
        else refuse(failed(reason))
      })
    } catch (error) {
      refuse(failed(String(error)))
    }
  })
