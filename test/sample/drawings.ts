import { chance, range, type Drawing } from './tools.ts'

const ink = '#4a3f30'
const paper = '#efe6cf'

const text = (x: number, y: number, size: number, words: string, more = '') =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${ink}" ${more}>${words}</text>`
const line = (x1: number, y1: number, x2: number, y2: number, width: number, more = '') =>
  `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${ink}" stroke-width="${width}" fill="none" ${more}/>`
const box = (x: number, y: number, width: number, height: number, fill: string, stroke = 0) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ` +
  `${stroke > 0 ? `stroke="${ink}" stroke-width="${stroke}"` : ''}/>`

/** A sheet with its frame and title block, as drawing offices had them. */
const sheet = (width: number, height: number, title: string, note: string, inside: string): Drawing => ({
  width,
  height,
  elements: [
    box(0, 0, width, height, paper),
    `<rect x="36" y="36" width="${width - 72}" height="${height - 72}" fill="none" stroke="${ink}" ` +
      `stroke-width="2"/>${inside}`,
    box(width - 476, height - 156, 440, 120, paper, 2),
    text(width - 456, height - 112, 30, title, 'font-style="italic"'),
    text(width - 456, height - 78, 19, note),
    text(width - 456, height - 50, 16, 'Stadsarkitektkontoret', 'letter-spacing="2"'),
  ].join(''),
})

interface Room {
  at: [x: number, y: number, width: number, height: number]
  name: string
}

/** A door: a gap in a wall and the quarter circle of its leaf. */
const door = (x: number, y: number, size: number) =>
  `<path d="M${x} ${y}h${size}" stroke="${paper}" stroke-width="12"/>` +
  `<path d="M${x} ${y}v${-size}A${size} ${size} 0 0 1 ${x + size} ${y}" stroke="${ink}" ` +
  `stroke-width="2" fill="none"/>`

const stairs = (x: number, y: number, width: number, height: number) =>
  range(10)
    .map((step) => line(x + (step * width) / 10, y, x + (step * width) / 10, y + height, 2))
    .join('') + line(x, y + height / 2, x + width - 12, y + height / 2, 2)

const plan = (title: string, note: string, rooms: Room[], more: string): Drawing =>
  sheet(
    1600,
    1130,
    title,
    note,
    [
      `<rect x="150" y="130" width="1240" height="780" fill="none" stroke="${ink}" stroke-width="16"/>`,
      rooms
        .map(({ at: [x, y, width, height], name }) =>
          [
            `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="${ink}" ` +
              `stroke-width="6"/>`,
            text(x + width / 2, y + height / 2 + 10, 32, name, 'text-anchor="middle" font-style="italic"'),
          ].join(''),
        )
        .join(''),
      more,
      line(150, 960, 1390, 960, 2),
      [150, 540, 970, 1390].map((x) => line(x - 8, 968, x + 8, 952, 3)).join(''),
      text(345, 950, 22, '9,75 m', 'text-anchor="middle"'),
      text(755, 950, 22, '10,75 m', 'text-anchor="middle"'),
      text(1180, 950, 22, '10,50 m', 'text-anchor="middle"'),
    ].join(''),
  )

/** The cellar of the house in the block Oxen; in 1952 the shelter was closed. */
export const cellar = (isLater: boolean): Drawing =>
  plan(
    'Källarplan, kv. Oxen 4',
    isLater ? 'Skala 1:100 · 1951, ändrad 1952' : 'Skala 1:100 · 1951',
    [
      { at: [150, 130, 390, 330], name: 'Pannrum' },
      { at: [540, 130, 350, 210], name: 'Tvätt' },
      { at: [890, 130, 500, 330], name: 'Garage' },
      { at: [150, 460, 260, 450], name: 'Förråd' },
      { at: [410, 460, 480, 270], name: 'Gång' },
      { at: [890, 460, 250, 270], name: 'Cykel' },
      { at: [410, 730, 220, 180], name: 'Mat' },
      { at: [630, 730, 260, 180], name: 'Ved' },
      { at: [1140, 460, 250, 450], name: 'Skyddsrum' },
    ],
    stairs(560, 365, 300, 80) +
      door(250, 460, 70) +
      door(470, 730, 60) +
      door(700, 730, 60) +
      door(960, 730, 60) +
      (isLater
        ? `<g stroke="#a02c1e" stroke-width="4" fill="none"><path d="M1140 460L1390 910M1390 ` +
          `460L1140 910"/>` +
          `</g><text x="1265" y="590" font-size="26" fill="#a02c1e" text-anchor="middle" ` +
          `font-style="italic">igensatt 1952</text>`
        : door(1200, 460, 70)),
  )

/** A floor with flats. */
export const floor = (number: number): Drawing =>
  plan(
    `Plan ${number}, kv. Oxen 4`,
    'Skala 1:100 · 1951',
    [
      { at: [150, 130, 420, 360], name: number === 2 ? 'Butik' : 'Vardagsrum' },
      { at: [570, 130, 300, 230], name: 'Kök' },
      { at: [870, 130, 520, 360], name: number === 2 ? 'Kontor' : 'Vardagsrum' },
      { at: [150, 490, 300, 420], name: 'Sovrum' },
      { at: [450, 490, 260, 420], name: 'Hall' },
      { at: [710, 490, 260, 420], name: 'Trapphus' },
      { at: [970, 490, 420, 420], name: number === 2 ? 'Lager' : 'Sovrum' },
    ],
    stairs(730, 740, 220, 130) + door(300, 490, 70) + door(600, 490, 60) + door(1060, 490, 70),
  )

const windowAt = (x: number, y: number, glass: string) =>
  box(x, y, 62, 92, glass, 4) + line(x + 31, y, x + 31, y + 92, 3) + line(x, y + 34, x + 62, y + 34, 3)

/** The front of the house, in ink or in colours that were proposed. */
export const facade = (title: string, note: string, wall: string, roof: string, glass: string): Drawing =>
  sheet(
    1600,
    1130,
    title,
    note,
    [
      `<path d="M230 350L330 200H1270L1370 350Z" fill="${roof}" stroke="${ink}" stroke-width="5"/>`,
      box(250, 350, 1100, 520, wall, 5),
      range(3)
        .flatMap((storey) =>
          range(11).map((column) =>
            storey === 2 && column === 5 ? '' : windowAt(282 + column * 96, 385 + storey * 160, glass),
          ),
        )
        .join(''),
      box(758, 700, 84, 170, roof, 5),
      [430, 790, 1120].map((x) => box(x, 140, 46, 80, wall, 4)).join(''),
      line(120, 870, 1480, 870, 6),
      range(9)
        .map(
          (tree) =>
            `<circle cx="${150 + tree * 10}" cy="${800 - (tree % 3) * 26}" r="34" fill="none" ` +
            `stroke="${ink}" stroke-width="2"/>`,
        )
        .join(''),
      line(190, 870, 190, 790, 5),
    ].join(''),
  )

/** The house cut through, with heights. */
export const section = (): Drawing =>
  sheet(
    1600,
    1130,
    'Sektion A–A, kv. Oxen 4',
    'Skala 1:50 · 1938',
    [
      `<path d="M250 360L700 150L1150 360" fill="none" stroke="${ink}" stroke-width="8"/>`,
      [360, 520, 680, 840].map((y) => line(250, y, 1150, y, 10)).join(''),
      line(250, 360, 250, 980, 14),
      line(1150, 360, 1150, 980, 14),
      line(250, 980, 1150, 980, 14),
      line(690, 360, 690, 980, 8),
      range(3)
        .map((storey) =>
          range(9)
            .map(
              (step) =>
                line(
                  730 + step * 24,
                  680 - storey * 160 - step * 17 + 160,
                  754 + step * 24,
                  680 - storey * 160 - step * 17 + 160,
                  4,
                ) +
                line(
                  754 + step * 24,
                  680 - storey * 160 - step * 17 + 160,
                  754 + step * 24,
                  663 - storey * 160 - step * 17 + 160,
                  4,
                ),
            )
            .join(''),
        )
        .join(''),
      range(47)
        .map((stroke) => line(100 + stroke * 30, 880, 80 + stroke * 30, 905, 2))
        .join(''),
      line(60, 880, 250, 880, 4),
      line(1150, 880, 1540, 880, 4),
      ['+ 12,40', '+ 9,10', '+ 6,00', '+ 2,90']
        .map((height, row) => text(140, 350 + row * 160, 24, height))
        .join(''),
    ].join(''),
  )

/** Streets and blocks beside the river, with the quay. */
export const town = (title: string, note: string): Drawing => {
  const next = chance(1947)
  const names = ['Oxen', 'Lejonet', 'Björnen', 'Räven', 'Ekorren', 'Hjorten', 'Svanen', 'Tranan', 'Uttern']
  const blocks = range(5).flatMap((column) =>
    range(4).map((row) => {
      const x = 90 + column * 245 + row * 18
      const y = 90 + row * 168
      const houses = range(5)
        .map((house) => box(x + 12 + house * 37, y + 12, 30, 26 + next() * 30, '#c7a98b', 1.5))
        .join('')
      return (
        box(x, y, 208, 128, '#e9d9b4', 2) +
        houses +
        text(
          x + 104,
          y + 108,
          22,
          names[(column * 4 + row) % names.length] ?? '',
          'text-anchor="middle" font-style="italic"',
        )
      )
    }),
  )
  const river = [
    `<path d="M0 800C300 740 560 860 860 800S1400 730 1600 790V1130H0Z" fill="#bcd0cf"/>`,
    range(7)
      .map(
        (wave) =>
          `<path d="M${40 + wave * 8} ${880 + wave * 32}C300 ${830 + wave * 32} 560 ` +
          `${940 + wave * 32} 860 ${885 + wave * 32}S1400 ${820 + wave * 32} 1560 ${870 + wave * 32}" ` +
          `fill="none" stroke="#93b3b3" stroke-width="1.5"/>`,
      )
      .join(''),
  ].join('')
  const quay = `<path d="M120 786C330 750 560 830 830 792" fill="none" stroke="${ink}" stroke-width="9"/>`
  return sheet(
    1600,
    1130,
    title,
    note,
    [
      river,
      blocks.join(''),
      quay,
      text(330, 850, 30, 'Norra kajen', 'font-style="italic" transform="rotate(3 330 850)"'),
      `<g transform="translate(1440 180)"><circle r="52" fill="none" stroke="${ink}" stroke-width="2"/>` +
        `<path d="M0-70L14 0 0 70-14 0Z" fill="${ink}"/></g>`,
      text(1432, 100, 26, 'N'),
    ].join(''),
  )
}
