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
  /** Tables of any kind. */
  table: {
    row: 'Row',
    cell: 'The whole text of the cell',
    none: 'empty',
    unreadable: 'This row could not be read.',
  },
  cut: 'Only the beginning is shown.',
  unknownKind: 'Nothing here can draw a file of this kind. This is how it begins.',
}
export type ViewerWords = typeof viewerEn
