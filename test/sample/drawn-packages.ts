import { writeFileSync } from 'node:fs'
import { cellar, facade, floor, section, town } from './drawings.ts'
import { permit } from './pages.ts'
import { harbour, portrait, schoolClass } from './photographs.ts'
import { run, svgOf, type Place, type Studio } from './tools.ts'

/** ImageMagick under its full path: a machine may have another `convert` in front of it. */
const convert = (...args: string[]) => run('/usr/bin/convert', ...args)
const tiffcp = (...args: string[]) => run('tiffcp', ...args)

/** The same sheet with few colours, as a scanner's own software saves line drawings: small without loss. */
const fewColours = ['-strip', '-density', '200', '-units', 'PixelsPerInch', '+dither', '-colors', '24']

/** What a scanner or a camera says of a picture. */
const describe = (file: string, fields: Record<string, string>) =>
  run(
    'exiftool',
    '-overwrite_original',
    '-q',
    ...Object.entries(fields).map(([name, value]) => `-${name}=${value}`),
    file,
  )

const scanned = (year: number, title: string) => ({
  Make: 'Stadsarkivet',
  Model: 'Copy stand 2',
  Artist: 'Stadsarkivet',
  ImageDescription: title,
  DateTimeOriginal: '2019:05:12 10:24:00',
  CreateDate: '2019:05:12 10:24:00',
  UserComment: `Photographed from the original of ${year}`,
})

const jpeg = (png: string, target: string, fields: Record<string, string>, quality = 78) => {
  convert(png, '-strip', '-sampling-factor', '4:2:0', '-quality', String(quality), target)
  describe(target, fields)
}

/** Drawings of a house: TIFF in every usual way, JPEG 2000, SVG, DXF, and a permit. */
export const makeHouse = async (studio: Studio, place: Place) => {
  const { png, spare } = studio
  const north = await png(
    facade('Fasad mot norr, kv. Oxen 4', 'Skala 1:100 · 1938', '#efe6cf', '#dcd0b0', '#efe6cf'),
  )
  const coloured = facade('Färgförslag, kv. Oxen 4', 'Skala 1:100 · 1951', '#d9b48a', '#9a4a38', '#c9d6d6')
  convert(
    north,
    '-colorspace',
    'Gray',
    ...fewColours,
    '-compress',
    'LZW',
    '-define',
    'tiff:rows-per-strip=64',
    place('1/ritningar/1938/fasad mot norr.tif'),
  )
  const cut = await png(section())
  convert(
    cut,
    '-density',
    '200',
    '-colorspace',
    'Gray',
    '-threshold',
    '62%',
    '-type',
    'bilevel',
    '-compress',
    'Group4',
    place('1/ritningar/1938/sektion A–A.tif'),
  )
  for (const [generation, isLater] of [
    ['1', false],
    ['3', true],
  ] as const) {
    const flat = spare(`cellar ${generation}.tif`)
    convert(await png(cellar(isLater)), ...fewColours, '-type', 'TrueColor', flat)
    tiffcp(
      '-t',
      '-w',
      '256',
      '-l',
      '256',
      '-c',
      'zip:2',
      flat,
      place(`${generation}/ritningar/1951/plan 1, källare.tif`),
    )
  }
  const floors = [2, 3, 4].map((number) => png(floor(number)))
  const pages: string[] = []
  for (const drawn of floors) pages.push(await drawn)
  convert(
    ...pages,
    ...fewColours,
    '-type',
    'TrueColor',
    '-compress',
    'LZW',
    place('1/ritningar/1951/plan 2–4 (tre blad).tif'),
  )
  convert(
    await png(coloured),
    '-colorspace',
    'CMYK',
    '-resize',
    '60%',
    '+dither',
    '-compress',
    'Zip',
    place('1/ritningar/1951/färgförslag, tryckoriginal.tif'),
  )
  const site = await png(town('Situationsplan, kv. Oxen', 'Skala 1:2 000 · 1951'), 2)
  const rgb = spare('site.tif')
  convert(site, '-strip', '-density', '200', '-compress', 'None', rgb)
  tiffcp('-c', 'jpeg:82', '-t', '-w', '256', '-l', '256', rgb, place('1/ritningar/1951/situationsplan.tif'))
  tiffcp(
    '-8',
    '-c',
    'lzw:2',
    spare('cellar 3.tif'),
    place('2/ritningar/1952/plan 1, skyddsrum (BigTIFF).tif'),
  )
  const wide = spare('wide.ppm')
  convert(site, '-resize', '50%', wide)
  run(
    'opj_compress',
    '-i',
    wide,
    '-o',
    place('1/ritningar/1951/situationsplan.jp2'),
    '-r',
    '28',
    '-t',
    '512,512',
    '-n',
    '5',
  )
  writeFileSync(place('1/ritningar/1951/färgförslag.svg'), svgOf(coloured))
  writeFileSync(place('2/ritningar/1952/plan 1, källare.dxf'), cellarDxf(), 'latin1')
  jpeg(await png(harbour(1938, 'grey')), place('1/fotografier/från taket, 1938.jpg'), {
    ...scanned(1938, 'View of the northern quay from the roof of Oxen 4'),
    GPSLatitude: '58.5921',
    GPSLatitudeRef: 'N',
    GPSLongitude: '16.1860',
    GPSLongitudeRef: 'E',
  })
  const attached = spare('villkor.txt')
  writeFileSync(
    attached,
    'Villkor till bygglov 1951-114\r\n\r\n1. Skyddsrummet ska hållas fritt.\r\n2. Färgen på fasaden ' +
      'bestäms på platsen.\r\n',
  )
  run(
    'qpdf',
    await studio.pdf(permit()),
    '--add-attachment',
    attached,
    '--mimetype=text/plain',
    '--',
    place('1/handlingar/bygglov 1951-114.pdf'),
  )
}

/** Lines and names of the cellar, as a drawing program of the time exchanged them. */
const cellarDxf = (): string => {
  const corners = [
    [0, 0, 31, 0],
    [31, 0, 31, 19.5],
    [31, 19.5, 0, 19.5],
    [0, 19.5, 0, 0],
    [9.75, 11.25, 9.75, 19.5],
    [18.5, 11.25, 18.5, 19.5],
    [0, 11.25, 31, 11.25],
    [6.5, 0, 6.5, 11.25],
    [18.5, 0, 18.5, 11.25],
    [24.75, 0, 24.75, 11.25],
    [6.5, 4.5, 24.75, 4.5],
  ]
  const names: [number, number, string][] = [
    [3, 15, 'Pannrum'],
    [13, 16, 'Tvätt'],
    [23, 15, 'Garage'],
    [2, 5, 'Förråd'],
    [11, 8, 'Gång'],
    [25.5, 5, 'Skyddsrum'],
  ]
  const inLines = (...pairs: (string | number)[]) => `${pairs.join('\n')}\n`
  return (
    inLines(
      0,
      'SECTION',
      2,
      'HEADER',
      9,
      '$ACADVER',
      1,
      'AC1009',
      9,
      '$DWGCODEPAGE',
      3,
      'ANSI_1252',
      0,
      'ENDSEC',
    ) +
    inLines(0, 'SECTION', 2, 'TABLES', 0, 'TABLE', 2, 'LAYER', 70, 2) +
    inLines(0, 'LAYER', 2, 'VAGGAR', 70, 0, 62, 7, 6, 'CONTINUOUS') +
    inLines(0, 'LAYER', 2, 'TEXT', 70, 0, 62, 3, 6, 'CONTINUOUS', 0, 'ENDTAB', 0, 'ENDSEC') +
    inLines(0, 'SECTION', 2, 'ENTITIES') +
    corners
      .map(([x1, y1, x2, y2]) =>
        inLines(0, 'LINE', 8, 'VAGGAR', 10, x1 ?? 0, 20, y1 ?? 0, 30, 0, 11, x2 ?? 0, 21, y2 ?? 0, 31, 0),
      )
      .join('') +
    inLines(0, 'ARC', 8, 'VAGGAR', 10, 9.75, 20, 11.25, 30, 0, 40, 1.5, 50, 0, 51, 90) +
    inLines(0, 'CIRCLE', 8, 'VAGGAR', 10, 28, 20, 15, 30, 0, 40, 1.2) +
    names
      .map(([x, y, name]) => inLines(0, 'TEXT', 8, 'TEXT', 10, x, 20, y, 30, 0, 40, 0.6, 1, name))
      .join('') +
    inLines(0, 'ENDSEC', 0, 'EOF')
  )
}

/** Class photographs: every kind of picture that cameras and scanners have saved since. */
export const makeClasses = async ({ png, spare }: Studio, place: Place) => {
  for (const year of [1902, 1907, 1913])
    jpeg(
      await png(schoolClass(year, true)),
      place(`1/fotografier/${year}, klass ${1 + (year % 6)}.jpg`),
      scanned(year, `Klass ${1 + (year % 6)}, ${year}`),
    )
  jpeg(
    await png(schoolClass(1907, true)),
    place('2/fotografier/1907, klass 6.jpg'),
    scanned(1907, 'Klass 6, 1907: scanned anew, without glass'),
    88,
  )
  const of1919 = await png(schoolClass(1919, false))
  convert(of1919, '-resize', '900x', '-strip', '-quality', '80', place('1/fotografier/1919, klass 6.webp'))
  const small = spare('small.png')
  convert(await png(schoolClass(1924, false)), '-resize', '1100x', '-strip', small)
  run('avifenc', '--min', '28', '--max', '34', '-s', '6', small, place('2/fotografier/1924, klass 5.avif'))
  convert(await png(schoolClass(1931, false)), '-resize', '1100x', '-strip', small)
  run('heif-enc', '-q', '45', small, '-o', place('2/fotografier/1931, klass 6.heic'))
  convert(
    await png(portrait(11)),
    '-resize',
    '420x',
    '-colorspace',
    'Gray',
    '-depth',
    '16',
    '-compress',
    'Zip',
    place('1/lärare/fröken Lundgren, 16 bitar.tif'),
  )
  convert(
    await png(portrait(12)),
    '-resize',
    '360x',
    '-strip',
    '-colors',
    '96',
    place('1/lärare/överlärare Berg.png'),
  )
  convert(
    await png(portrait(13)),
    '-resize',
    '260x',
    '-colorspace',
    'Gray',
    '-colors',
    '16',
    `bmp3:${place('1/lärare/vaktmästare Ek.bmp')}`,
  )
  const frames: string[] = []
  for (const [index, year] of [1902, 1907, 1913].entries()) {
    frames.push(spare(`frame ${index}.png`))
    convert(await png(schoolClass(year, true)), '-resize', '360x', frames.at(-1) ?? '')
  }
  convert(
    '-delay',
    '120',
    ...frames,
    '-colors',
    '32',
    '-layers',
    'Optimize',
    place('1/bildspel/klasserna 1902–1913.gif'),
  )
  writeFileSync(
    place('1/förteckning.csv'),
    '\ufeffår;klass;antal barn;lärare\r\n1902;1;25;fröken Lundgren\r\n1907;6;25;överlärare ' +
      'Berg\r\n1913;6;25;fröken Lundgren\r\n',
  )
  writeFileSync(
    place('2/förteckning.csv'),
    '\ufeffår;klass;antal barn;lärare\r\n1902;1;25;fröken Lundgren\r\n1907;6;25;överlärare ' +
      'Berg\r\n1913;6;25;fröken Lundgren\r\n1924;5;25;fröken Åkerman\r\n1931;6;25;magister Holm\r\n',
  )
}

/** The portrait of a photographer, as a JPEG in the scratch folder. */
export const drawPortrait = async ({ png, spare }: Studio): Promise<string> => {
  const target = spare('portrait.jpg')
  jpeg(await png(portrait(7, 640, 860)), target, scanned(1921, 'H. Bergström with his camera'))
  return target
}

/** Maps of the harbour, and photographs of the day it was flooded. */
export const makeMaps = async ({ png }: Studio, place: Place) => {
  const map = town('Norra kajen med kvarteren', 'Skala 1:2 000 · 1947')
  const drawn = await png(map)
  convert(
    drawn,
    ...fewColours,
    '-type',
    'TrueColor',
    '-compress',
    'Zip',
    '-define',
    'tiff:tile-geometry=256x256',
    place('1/kartor/norra kajen 1947.tif'),
  )
  writeFileSync(place('1/kartor/norra kajen 1947.svg'), svgOf(map))
  writeFileSync(place('1/kartor/norra kajen 1947.tfw'), '0.50\n0.0\n0.0\n-0.50\n568400.25\n6494950.75\n')
  jpeg(
    await png(harbour(1947, 'sepia')),
    place('1/fotografier/högvatten, april 1947.jpg'),
    scanned(1947, 'High water at the northern quay, April 1947'),
  )
  jpeg(
    await png(harbour(1963, 'colour')),
    place('1/fotografier/kajen i färg, 1963.jpg'),
    scanned(1963, 'The northern quay in colour, 1963'),
  )
}
