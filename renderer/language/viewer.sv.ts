import type { ViewerWords } from './viewer.en.ts'

export const viewerSv: ViewerWords = {
  kinds: {
    picture: 'Bild',
    drawing: 'Teckning',
    pdf: 'PDF',
    text: 'Text',
    other: 'Annat',
  },
  facts: {
    dimensions: 'Storlek i bildpunkter',
    pages: 'Sidor',
  },
  cut: 'Bara början visas.',
  unknownKind: 'Filer av det här slaget kan inte visas här. Så här börjar filen.',
}
