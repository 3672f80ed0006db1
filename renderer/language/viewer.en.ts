/** What is said inside the frame that draws files, which knows nothing of the rest of the window. */
export const viewerEn = {
  /** What the kinds of files are called. */
  kinds: {
    picture: 'Picture',
    tiff: 'TIFF picture',
    jpeg2000: 'JPEG 2000 picture',
    heic: 'HEIC picture',
    dxf: 'DXF drawing',
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
  /** Names of what a file says of itself. */
  facts: {
    dimensions: 'Pixels',
    pages: 'Pages',
    bitDepth: 'Bits per channel',
    colour: 'Colour',
    profile: 'Colour profile',
    compression: 'Compression',
    resolution: 'Resolution',
    turned: 'Orientation',
    taken: 'Taken',
    camera: 'Camera',
    program: 'Made with',
    title: 'Title',
    maker: 'Made by',
    rights: 'Rights',
    extent: 'Size',
    version: 'Version',
    layers: 'Layers',
    author: 'Author',
    producer: 'Made with',
    conformance: 'Conformance',
    pageSize: 'Page size',
    rows: 'Rows',
    columns: 'Columns',
    delimiter: 'Separated by',
    sheets: 'Sheets',
  },
  pictures: {
    cut: 'The file ends too early: the rest of the picture is missing.',
    partUnreadable: 'Part of the picture cannot be read, and is left white.',
    isTurned: 'turned upright, as the file asks',
    isReadThrough:
      'This file holds no smaller picture of itself, so it is read from beginning to end to be shown whole.',
    stretched: (from: string, to: string) => `Values from ${from} to ${to} are shown from black to white.`,
    smaller: (times: number) =>
      `It is shown ${times} times smaller on each side: more of it would take too long to draw.`,
    colours: {
      bilevel: 'black and white',
      grey: 'shades of grey',
      rgb: 'RGB',
      palette: 'palette',
      cmyk: 'CMYK',
      ycbcr: 'YCbCr',
      lab: 'CIE L*a*b*',
    },
    compressions: {
      none: 'none',
      reversible: 'JPEG 2000, reversible (5-3)',
      irreversible: 'JPEG 2000, irreversible (9-7)',
    },
    notDrawn: (names: string) => `Not drawn: ${names}.`,
    layersOff: (count: number) =>
      count === 1
        ? 'One layer is switched off in the file, and not drawn.'
        : `${count} layers are switched off in the file, and not drawn.`,
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
  cut: 'Only the beginning is shown.',
  unknownKind: 'Nothing here can draw a file of this kind. This is how it begins.',
}
export type ViewerWords = typeof viewerEn
