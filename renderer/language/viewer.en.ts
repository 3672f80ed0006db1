/** What is said inside the frame that draws files, which knows nothing of the rest of the window. */
export const viewerEn = {
  /** What the kinds of files are called. */
  kinds: {
    picture: 'Picture',
    drawing: 'Drawing',
    pdf: 'PDF',
    text: 'Text',
    delimited: 'Table',
    other: 'Other',
  },
  /** Tables of any kind. */
  table: {
    row: 'Row',
    cell: 'The whole text of the cell',
    none: 'empty',
    unreadable: 'This row could not be read.',
  },
  delimiters: {
    comma: 'comma',
    semicolon: 'semicolon',
    tab: 'tab',
    bar: 'vertical bar',
  },
  countingRows: (rows: string, percent: number) => `Counting rows: ${rows} so far, ${percent} % of the file.`,
  columnsCut: (most: number) => `The first ${most} columns are shown.`,
  cut: 'Only the beginning is shown.',
  unknownKind: 'Nothing here can draw a file of this kind. This is how it begins.',
}
export type ViewerWords = typeof viewerEn
