import type { Archive } from '../archives/archive.ts'
import type { Fulfils } from '../contract/define.ts'
import { mostPrinted, type PaperSize, type printing as promised } from '../contract/printing.ts'
import { messageLine, type Language } from '../language/messages.ts'
import { asFileName, onDisk } from '../packaging/disk.ts'
import type { Ask } from '../questions/questions.ts'
import { replaceFile } from '../replace-file.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'
import { heldRows } from '../questions/held-rows.ts'

interface Parts {
  store: DeskStore
  ask: Ask
  language: () => Language
  chooseTarget: (what: 'print', name: string) => Promise<string | undefined>
  printPdf: (size: PaperSize) => Promise<Uint8Array>
  /** Whether it was printed: a person may think better of it. */
  printPaper: (size: PaperSize) => Promise<boolean>
}

/** Paper: what is drawn for it, from the rows of a list to the printer, and what the journal says of it. */
export const printing = (parts: Parts): Fulfils<typeof promised, [Archive]> => {
  const { store, ask, language, chooseTarget, printPdf, printPaper } = parts
  const savePdf = async (name: string, size: PaperSize) => {
    // Before anybody is asked where to: until that is answered the window may show another page.
    const pdf = await printPdf(size)
    const file = await chooseTarget('print', asFileName(`${name}.pdf`))
    if (file === undefined) return false
    await onDisk(file, () => replaceFile(file, pdf))
    return true
  }
  return {
    rows: async ({ id: archive }, held) => {
      const drawn: Record<string, unknown>[] = []
      for await (const rows of heldRows({ ask, archive, messageLine: messageLine(language()) }, held, true)) {
        drawn.push(...rows)
        if (drawn.length > mostPrinted) return { rows: drawn.slice(0, mostPrinted), isWhole: false }
      }
      return { rows: drawn, isWhole: true }
    },
    print: async ({ id: archive }, { name, place, size, on }) => {
      const isPrinted = on === 'paper' ? await printPaper(size) : await savePdf(name, size)
      if (isPrinted)
        store.journal.write({ archive, act: 'sheet.printed', name, place, detail: `${size} ${on}` })
      return isPrinted
    },
  }
}
