import type { ViewerWords } from './viewer.en.ts'

export const viewerSv: ViewerWords = {
  kinds: {
    picture: 'Bild',
    drawing: 'Teckning',
    pdf: 'PDF',
    text: 'Text',
    other: 'Annat',
  },
  table: {
    row: 'Rad',
    cell: 'Hela texten i cellen',
    none: 'tomt',
    unreadable: 'Raden gick inte att läsa.',
  },
  cut: 'Bara början visas.',
  unknownKind: 'Filer av det här slaget kan inte visas här. Så här börjar filen.',
}
