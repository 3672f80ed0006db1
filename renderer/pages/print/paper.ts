import type { PaperSize } from '../../../electron/contract/printing.ts'

/** How wide the paper is, in millimetres (ISO 216; the label as on rolls of address labels). */
export const paperWidths = { A4: 210, A5: 148, label: 100 } as const satisfies Record<PaperSize, number>
/** What is left free on each side, in millimetres: a head, a foot, and room to hold it. */
export const paperMargins = { A4: 18, A5: 14, label: 4 } as const satisfies Record<PaperSize, number>

/** A text as CSS writes it between quotes (CSS Syntax 3, 4.3.5). */
const quoted = (text: string) =>
  `"${text.replace(/[\\"\n\r\f]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`

/** What stands at the edges of every page. */
export interface PaperEdges {
  archive: string
  title: string
  printed: string
  /** What stands before the number of the page, and before that of the last one: "Page", "of". */
  page: readonly [string, string]
}

/**
 * The rule for the pages of a print: size of the margins, and what stands in them (CSS Paged Media 3, 4.2).
 * A label is too small for anything but itself.
 */
export const pageRule = (
  size: PaperSize,
  { archive, title, printed, page: [page, of] }: PaperEdges,
): string => {
  const margin = `margin: ${paperMargins[size]}mm;`
  if (size === 'label') return `@page { ${margin} }`
  const font = 'font: 8pt "Inter Variable", sans-serif; color: #434950;'
  const edge = (where: string, content: string) => `@${where} { content: ${content}; ${font} }`
  return `@page { ${margin}
    ${edge('top-left', quoted(archive))}
    ${edge('top-right', quoted(title))}
    ${edge('bottom-left', quoted(printed))}
    ${edge('bottom-right', `${quoted(`${page} `)} counter(page) ${quoted(` ${of} `)} counter(pages)`)}
  }`
}
