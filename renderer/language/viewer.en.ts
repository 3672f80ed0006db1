/** What is said inside the frame that draws files, which knows nothing of the rest of the window. */
export const viewerEn = {
  /** What the kinds of files are called. */
  kinds: {
    picture: 'Picture',
    drawing: 'Drawing',
    pdf: 'PDF',
    text: 'Text',
    other: 'Other',
  },
  /** What a file says of itself; the page shows it beside the drawing. */
  facts: {
    dimensions: 'Size in pixels',
    pages: 'Pages',
  },
  cut: 'Only the beginning is shown.',
  unknownKind: 'Nothing here can draw a file of this kind. This is how it begins.',
}
export type ViewerWords = typeof viewerEn
