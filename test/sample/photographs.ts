import { chance, range, type Drawing } from './tools.ts'

/** Colours from dark to light. */
type Tones = [string, string, string, string, string]
const sepia: Tones = ['#2b2018', '#5a4635', '#8d7358', '#c2a985', '#e8d9b8']
const grey: Tones = ['#1e1f20', '#4b4c4d', '#828382', '#b8b7b3', '#e4e2dc']
const colours: Tones = ['#22303c', '#7c3f2f', '#8fa3a8', '#d9b98a', '#f1e6cf']

/** The picture with the grain of a film, the dark corners of an old lens and the edge of the print. */
const print = (width: number, height: number, tones: Tones, seed: number, inside: string): Drawing => ({
  width,
  height,
  elements:
    `<defs><filter id="soft"><feGaussianBlur stdDeviation="1.1"/></filter>` +
    `<filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" ` +
    `baseFrequency="0.75" numOctaves="2" seed="${seed}"/><feColorMatrix values="0 0 0 0 0.1  0 0 0 0 0.08  ` +
    `0 0 0 0 0.06  0.7 0 0 0 -0.22"/></filter>` +
    `<radialGradient id="lens" r="0.75"><stop offset="0.55" stop-color="#000" stop-opacity="0"/>` +
    `<stop offset="1" stop-color="#000" stop-opacity="0.5"/></radialGradient></defs>` +
    `<g filter="url(#soft)">${inside}</g>` +
    `<rect width="${width}" height="${height}" fill="url(#lens)"/>` +
    `<rect width="${width}" height="${height}" filter="url(#grain)" opacity="0.5"/>` +
    `<rect x="14" y="14" width="${width - 28}" height="${height - 28}" fill="none" stroke="${tones[4]}" ` +
    `stroke-width="28"/>`,
})

/** A child or a teacher, from the waist up. */
const figure = (
  x: number,
  y: number,
  size: number,
  [dark, deep, middle, light, pale]: Tones,
  next: () => number,
) => {
  const dress = [dark, deep, middle, pale][Math.floor(next() * 4)] ?? deep
  const hair = next() < 0.6 ? dark : deep
  const isBraided = next() < 0.45
  const head = size * 0.24
  return [
    `<path d="M${x - size * 0.42} ${y + size}Q${x - size * 0.42} ${y + size * 0.36} ${x} ${y + size * 0.32}` +
      `Q${x + size * 0.42} ${y + size * 0.36} ${x + size * 0.42} ${y + size}Z" fill="${dress}"/>`,
    dress === pale
      ? ''
      : `<path d="M${x - size * 0.13} ${y + size * 0.33}L${x} ${y + size * 0.52}L${x + size * 0.13} ` +
        `${y + size * 0.33}Z" fill="${pale}"/>`,
    `<ellipse cx="${x}" cy="${y}" rx="${head}" ry="${head * 1.2}" fill="${light}"/>` +
      `<path d="M${x - head} ${y}A${head} ${head * 1.25} 0 0 1 ${x + head} ${y}Q${x} ` +
      `${y - head * 0.8} ${x - head} ${y}Z" fill="${hair}"/>`,
    isBraided
      ? `<path d="M${x - head} ${y}v${size * 0.4}M${x + head} ${y}v${size * 0.4}" stroke="${hair}" ` +
        `stroke-width="${size * 0.08}" stroke-linecap="round"/>`
      : '',
    `<circle cx="${x - head * 0.36}" cy="${y + head * 0.1}" r="${size * 0.022}" fill="${dark}"/>` +
      `<circle cx="${x + head * 0.36}" cy="${y + head * 0.1}" r="${size * 0.022}" fill="${dark}"/>` +
      `<path d="M${x - head * 0.3} ${y + head * 0.62}q${head * 0.3} ${head * (next() * 0.3)} ` +
      `${head * 0.6} 0" stroke="${deep}" stroke-width="${size * 0.02}" fill="none"/>`,
  ].join('')
}

/** A class in three rows before the wall of its school. */
export const schoolClass = (seed: number, isSepia: boolean, width = 1400, height = 960): Drawing => {
  const next = chance(seed)
  const tones = isSepia ? sepia : grey
  const [dark, deep, middle, light] = tones
  const planks = range(18).map(
    (plank) =>
      `<rect x="${plank * 80}" y="0" width="77" height="700" ` +
      `fill="${next() < 0.5 ? middle : '#0001'}" opacity="0.3"/>`,
  )
  const windows = [210, 1010].map(
    (x) =>
      `<rect x="${x}" y="80" width="180" height="240" fill="${dark}" stroke="${light}" stroke-width="12"/>` +
      `<path d="M${x + 90} 80v240M${x} 190h180" stroke="${light}" stroke-width="8"/>`,
  )
  const rows = range(3).flatMap((row) => {
    const count = 8 + (row % 2)
    return range(count).map((place) =>
      figure(
        width / 2 + (place - (count - 1) / 2) * 128 + (next() - 0.5) * 16,
        400 + row * 150 + (next() - 0.5) * 22,
        150 + row * 8,
        tones,
        next,
      ),
    )
  })
  const slate =
    `<rect x="${width / 2 - 130}" y="${height - 150}" width="260" height="92" fill="${dark}" ` +
    `stroke="${light}" stroke-width="6"/>` +
    `<text x="${width / 2}" y="${height - 90}" font-size="42" fill="${light}" text-anchor="middle" ` +
    `font-style="italic">Klass ${1 + (seed % 6)}, ${seed}</text>`
  return print(
    width,
    height,
    tones,
    seed,
    `<rect width="${width}" height="${height}" fill="${light}"/>${planks.join('')}${windows.join('')}` +
      `<rect y="${height - 160}" width="${width}" height="160" fill="${deep}"/>${rows.join('')}${slate}`,
  )
}

const crane = (x: number, y: number, size: number, colour: string) =>
  `<g stroke="${colour}" fill="none" stroke-width="${size * 0.035}">` +
  `<path d="M${x} ${y}L${x + size * 0.12} ${y - size}L${x + size * 0.24} ${y}M${x + size * 0.12} ` +
  `${y - size}` +
  `L${x + size * 0.85} ${y - size * 1.25}M${x + size * 0.12} ${y - size * 0.8}L${x + size * 0.85} ` +
  `${y - size * 1.25}v${size * 0.5}` +
  `M${x + size * 0.03} ${y - size * 0.25}h${size * 0.18}M${x + size * 0.06} ` +
  `${y - size * 0.5}h${size * 0.12}"/></g>`

const steamer = (x: number, y: number, size: number, [dark, deep, , , pale]: Tones) =>
  [
    `<path d="M${x} ${y}h${size}l${-size * 0.08} ${size * 0.14}h${-size * 0.82}Z" fill="${dark}"/>` +
      `<rect x="${x + size * 0.3}" y="${y - size * 0.13}" width="${size * 0.36}" ` +
      `height="${size * 0.13}" fill="${pale}"/>` +
      `<rect x="${x + size * 0.44}" y="${y - size * 0.34}" width="${size * 0.09}" ` +
      `height="${size * 0.22}" fill="${deep}"/>` +
      `<path d="M${x + size * 0.12} ${y}v${-size * 0.42}M${x + size * 0.85} ${y}v${-size * 0.42}" ` +
      `stroke="${dark}" stroke-width="${size * 0.016}"/>`,
    range(5)
      .map(
        (puff) =>
          `<circle cx="${x + size * (0.5 + puff * 0.08)}" cy="${y - size * (0.4 + puff * 0.05)}" ` +
          `r="${size * (0.05 + puff * 0.015)}" fill="${pale}" opacity="${0.55 - puff * 0.09}"/>`,
      )
      .join(''),
  ].join('')

/** The harbour: warehouses, cranes, a steamer and the water. */
export const harbour = (
  seed: number,
  look: 'grey' | 'sepia' | 'colour',
  width = 1400,
  height = 960,
): Drawing => {
  const next = chance(seed)
  const tones = look === 'grey' ? grey : look === 'sepia' ? sepia : colours
  const [dark, deep, middle, light, pale] = tones
  const sea = look === 'colour' ? '#4f7480' : deep
  const water = height * 0.62
  const sky =
    `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${middle}"/><stop offset="1" ` +
    `stop-color="${pale}"/>` +
    `</linearGradient></defs><rect width="${width}" height="${water}" fill="url(#sky)"/>`
  const houses = range(11).map((house) => {
    const x = house * 132 - 20
    const tall = 120 + next() * 130
    const wall = [deep, middle, light][Math.floor(next() * 3)] ?? deep
    const panes = range(6).map(
      (pane) =>
        `<rect x="${x + 16 + (pane % 3) * 34}" y="${water - tall + 26 + Math.floor(pane / 3) * 46}" ` +
        `width="18" height="26" fill="${dark}" opacity="0.75"/>`,
    )
    return [
      `<path d="M${x} ${water}v${-tall}l62-${34 + next() * 30} 62 ${34 + next() * 30}V${water}Z" ` +
        `fill="${wall}"/>`,
      panes.join(''),
    ].join('')
  })
  const waves = range(70).map(() => {
    const y = water + 20 + next() * (height - water - 30)
    const x = next() * width
    return (
      `<path d="M${x} ${y}q20-6 ${30 + next() * 60} 0" stroke="${pale}" ` +
      `stroke-width="${1 + next() * 3}" fill="none" opacity="0.5"/>`
    )
  })
  return print(
    width,
    height,
    tones,
    seed,
    [
      sky,
      ...houses,
      crane(width * 0.12, water, 330, dark),
      crane(width * 0.66, water, 400, dark),
      `<rect y="${water}" width="${width}" height="${height - water}" fill="${sea}"/>` +
        `<rect y="${water - 8}" width="${width}" height="26" fill="${dark}"/>${waves.join('')}`,
      steamer(width * 0.28, water + 96, 520, tones),
    ].join(''),
  )
}

/** One person before a painted background, as studios took them. */
export const portrait = (seed: number, width = 800, height = 1080): Drawing => {
  const next = chance(seed)
  const [dark, , middle, light] = sepia
  return print(
    width,
    height,
    sepia,
    seed,
    [
      `<rect width="${width}" height="${height}" fill="${middle}"/>` +
        `<ellipse cx="${width / 2}" cy="${height * 0.42}" rx="${width * 0.48}" ry="${height * 0.42}" ` +
        `fill="${light}"/>` +
        `<path d="M60 ${height}Q90 500 30 120" stroke="${dark}" stroke-width="26" fill="none" ` +
        `opacity="0.4"/>`,
      figure(width / 2, height * 0.36, 560, sepia, next),
    ].join(''),
  )
}
