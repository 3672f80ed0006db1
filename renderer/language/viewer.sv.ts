import type { ViewerWords } from './viewer.en.ts'

export const viewerSv: ViewerWords = {
  kinds: {
    picture: 'Bild',
    drawing: 'Teckning',
    pdf: 'PDF',
    text: 'Text',
    delimited: 'Tabell',
    other: 'Annat',
  },
  table: {
    row: 'Rad',
    cell: 'Hela texten i cellen',
    none: 'tomt',
    unreadable: 'Raden gick inte att läsa.',
  },
  delimiters: {
    comma: 'komma',
    semicolon: 'semikolon',
    tab: 'tabb',
    bar: 'lodstreck',
  },
  countingRows: (rows, percent) => `Räknar rader: ${rows} hittills, ${percent} % av filen.`,
  columnsCut: (most) => `De första ${most} kolumnerna visas.`,
  cut: 'Bara början visas.',
  unknownKind: 'Filer av det här slaget kan inte visas här. Så här börjar filen.',
}
