import type { Content } from '../content.ts'
import type { Draw, Stage } from '../kind.ts'
import type { Fact } from '../messages.ts'
import { cameraFact, dimensionsFact, resolutionFact, takenFact } from '../formats/picture-facts.ts'
import { profileName } from '../formats/colour-profile.ts'
import type { Directory } from '../formats/tiff-directory.ts'
import { openLevel, type Level } from '../formats/tiff-level.ts'
import { findPages, sizesOf, type TiffPage } from '../formats/tiff-pages.ts'
import { pictureOfLevels, rangeOf } from '../formats/tiff-picture.ts'
import { isReoriented, oriented } from '../parts/orientation.ts'
import { showPictures } from '../parts/picture-stage.ts'

/** So many directories are read before the first page is shown; the others are counted meanwhile. */
const firstDirectories = 24

const compressions: Record<number, string> = {
  2: 'CCITT RLE',
  3: 'CCITT G3',
  4: 'CCITT G4',
  5: 'LZW',
  6: 'JPEG (TIFF 6.0)',
  7: 'JPEG',
  8: 'Deflate',
  32773: 'PackBits',
  32946: 'Deflate',
  34887: 'LERC',
  50000: 'Zstandard',
  50001: 'WebP',
}

const colourName = ({ photometric, bits, samples }: Level, { say }: Stage): string => {
  const { colours } = say.pictures
  if (bits === 1 && samples === 1 && photometric < 2) return colours.bilevel
  const names: Record<number, string> = {
    0: colours.grey,
    1: colours.grey,
    2: colours.rgb,
    3: colours.palette,
    5: colours.cmyk,
    6: colours.ycbcr,
    8: colours.lab,
  }
  return names[photometric] ?? String(photometric)
}

const factsOf = async (level: Level, directory: Directory, stage: Stage): Promise<Fact[]> => {
  const { number, text, bytes } = directory
  const perUnit = await number(282)
  const perInch = (await number(296)) === 3 ? perUnit * 2.54 : perUnit
  const { compression, bits } = level
  return [
    dimensionsFact(level, stage),
    { name: 'bitDepth', value: String(bits) },
    { name: 'colour', value: colourName(level, stage) },
    { name: 'profile', value: directory.has(34675) ? profileName(await bytes(34675)) : '' },
    {
      name: 'compression',
      value:
        compression === 1
          ? stage.say.pictures.compressions.none
          : (compressions[compression] ?? String(compression)),
    },
    resolutionFact(perInch, stage),
    { name: 'turned', value: isReoriented(await number(274)) ? stage.say.pictures.isTurned : '' },
    takenFact(await text(306), stage),
    cameraFact(await text(271), await text(272)),
    { name: 'program', value: await text(305) },
    { name: 'title', value: (await text(269)) || (await text(270)) },
    { name: 'maker', value: await text(315) },
    { name: 'rights', value: await text(33432) },
  ]
}

/** A page, at every size at which the file has it. */
const openSizes = async (content: Content, page: TiffPage): Promise<[Level, ...Level[]]> => {
  const [largest = page.directory, ...others] = await sizesOf(content, page)
  const first = await openLevel(content, largest)
  const opened = await Promise.all(others.map((one) => openLevel(content, one).catch(() => undefined)))
  const isOfPage = (level: Level | undefined) =>
    level !== undefined && level.width < first.width && level.photometric === first.photometric
  const smaller = opened.filter(isOfPage).filter((level) => level !== undefined)
  return [first, ...smaller.toSorted((one, other) => other.width - one.width)]
}

/** Pages of a TIFF, by the tiles and strips that are seen. */
export const draw: Draw = async (content, stage) => {
  const { addFacts, note, say, language, signal } = stage
  const pages: TiffPage[] = []
  const finding = findPages(content, pages)
  let isAllFound = false
  for (let count = 0; count < firstDirectories && !isAllFound; count += 1)
    isAllFound = (await finding.next()).done === true
  const number = new Intl.NumberFormat(language, { maximumSignificantDigits: 4 })
  const open = async (index: number) => {
    const page = pages[index]
    if (!page) throw new RangeError(String(index))
    if ((await page.directory.number(259)) === 6) note(say.pictures.oldJpeg)
    const levels = await openSizes(content, page)
    const [first] = levels
    const range = await rangeOf(levels.at(-1) ?? first)
    const orientation = await page.directory.number(274)
    const picture = oriented(pictureOfLevels(levels, range), orientation)
    if (index > 0) return picture
    addFacts(...(await factsOf(first, page.directory, stage)))
    if (range.isStretched) note(say.pictures.stretched(number.format(range.low), number.format(range.high)))
    if (picture.complete) note(say.pictures.isReadThrough)
    return picture
  }
  const count = async () => {
    for await (const _ of finding) if (signal.aborted) break
    return pages.length
  }
  const found = isAllFound ? Promise.resolve(pages.length) : count()
  const tellPages = (of: number) => addFacts({ name: 'pages', value: of > 1 ? String(of) : '' })
  found.then(tellPages, () => tellPages(pages.length))
  return showPictures({ name: content.name, count: pages.length, counted: found, open }, stage)
}
