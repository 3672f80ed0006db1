import type { ViewerWords } from './viewer.en.ts'

export const viewerSv: ViewerWords = {
  kinds: {
    picture: 'Bild',
    tiff: 'TIFF-bild',
    jpeg2000: 'JPEG 2000-bild',
    heic: 'HEIC-bild',
    dxf: 'DXF-ritning',
    drawing: 'Teckning',
    pdf: 'PDF',
    text: 'Text',
    other: 'Annat',
  },
  facts: {
    dimensions: 'Bildpunkter',
    pages: 'Sidor',
    bitDepth: 'Bitar per kanal',
    colour: 'Färg',
    profile: 'Färgprofil',
    compression: 'Komprimering',
    resolution: 'Upplösning',
    turned: 'Orientering',
    taken: 'Tagen',
    camera: 'Kamera',
    program: 'Gjord med',
    title: 'Titel',
    maker: 'Gjord av',
    rights: 'Rättigheter',
    extent: 'Mått',
    version: 'Skriven för',
    layers: 'Lager',
  },
  pictures: {
    cut: 'Filen slutar för tidigt: resten av bilden saknas.',
    partUnreadable: 'En del av bilden går inte att läsa och är lämnad vit.',
    isTurned: 'vriden rätt, som filen anger',
    isReadThrough:
      'Filen har ingen förminskad bild i sig och läses därför igenom för att visas i sin helhet.',
    stretched: (from, to) => `Värden från ${from} till ${to} visas från svart till vitt.`,
    smaller: (times) =>
      `Bilden visas ${times} gånger mindre på var sida: att rita mer av den skulle ta för lång tid.`,
    colours: {
      bilevel: 'svartvitt',
      grey: 'gråskala',
      rgb: 'RGB',
      palette: 'palett',
      cmyk: 'CMYK',
      ycbcr: 'YCbCr',
      lab: 'CIE L*a*b*',
    },
    compressions: {
      none: 'ingen',
      reversible: 'JPEG 2000, reversibel (5-3)',
      irreversible: 'JPEG 2000, irreversibel (9-7)',
    },
    notDrawn: (names) => `Ritas inte: ${names}.`,
    layersOff: (count) =>
      count === 1
        ? 'Ett lager är släckt i filen och ritas inte.'
        : `${count} lager är släckta i filen och ritas inte.`,
  },
  cut: 'Bara början visas.',
  unknownKind: 'Filer av det här slaget kan inte visas här. Så här börjar filen.',
}
