/** What is said inside the frame that draws files, which knows nothing of the rest of the window. */
export const viewerEn = {
  /** What the kinds of files are called. */
  kinds: {
    picture: 'Picture',
    drawing: 'Drawing',
    pdf: 'PDF',
    text: 'Text',
    workbook: 'Workbook',
    docx: 'Word document',
    odt: 'Text document',
    rtf: 'Rich text',
    markdown: 'Markdown',
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
  /** Documents page by page. */
  pageOf: (page: number, of: number) => `Page ${page} of ${of}`,
  pageUnreadable: 'This page could not be drawn.',
  linkInside: 'Go to the place in this document',
  attachments: 'Files in this file',
  searching: (percent: number) => `Searching: ${percent} % of the file.`,
  /** Documents of office programs. */
  sheetCut: 'The sheet is larger than what is shown: its last rows or columns are left out.',
  wordPages: 'Laid out by Lectern: pages may break elsewhere than in Word, and fonts may differ.',
  flowPages: 'The text is shown without its pages: headers, footers and positions are left out.',
  flowPartial: 'The text is shown without its pages, and without its drawings, charts or formulas.',
  /** What a document says of itself, by the names of facts. */
  facts: {
    dimensions: 'Size',
    title: 'Title',
    author: 'Author',
    producer: 'Made with',
    version: 'Version',
    conformance: 'Conformance',
    pages: 'Pages',
    pageSize: 'Page size',
    rows: 'Rows',
    columns: 'Columns',
    delimiter: 'Separated by',
    sheets: 'Sheets',
  },
  cut: 'Only the beginning is shown.',
  unknownKind: 'Nothing here can draw a file of this kind. This is how it begins.',
}
export type ViewerWords = typeof viewerEn
