import ExifReader from 'exifreader'
import { entryIn } from '../../../electron/common/records.ts'
import type { Stage } from '../kind.ts'
import type { Fact } from '../messages.ts'
import type { Picture } from '../parts/picture.ts'

type Words = Pick<Stage, 'say' | 'language'>

/** What is written at the beginning of a file, at most; pictures that hold it elsewhere are read whole. */
const headBytes = 1024 * 1024
const longest = 300

export const dimensionsFact = (
  { width, height }: Pick<Picture, 'width' | 'height'>,
  { language }: Words,
): Fact => {
  const number = new Intl.NumberFormat(language)
  return { name: 'dimensions', value: `${number.format(width)} × ${number.format(height)}` }
}

/** @param perInch NaN and undefined where nothing is known of it */
export const resolutionFact = (perInch: number | undefined, { language }: Words): Fact => {
  const isKnown = perInch !== undefined && Number.isFinite(perInch) && perInch > 1
  return {
    name: 'resolution',
    value: isKnown
      ? `${new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(perInch)} dpi`
      : '',
  }
}

/** Time as cameras write it, “2019:05:12 10:11:12”, which is that of the place where they were. */
export const takenFact = (written: string | undefined, { language }: Words): Fact => {
  const [, year, month, day, hour, minute] =
    /^(\d{4})\D(\d\d)\D(\d\d)\D(\d\d):(\d\d)/.exec(written ?? '') ?? []
  if (year === undefined) return { name: 'taken', value: (written ?? '').slice(0, longest) }
  const time = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)))
  const format = new Intl.DateTimeFormat(language === 'sv' ? 'sv-SE' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return { name: 'taken', value: Number.isNaN(time.valueOf()) ? '' : format.format(time) }
}

type Tags = ExifReader.ExpandedTags
type Group = object | undefined

const tagOf = (group: Group, name: string): unknown => group && Reflect.get(group, name)

/** What a tag says, for people; empty where there is none. */
const textOf = (group: Group, name: string): string => {
  const tag = tagOf(group, name)
  if (typeof tag !== 'object' || tag === null || !('description' in tag)) return ''
  return typeof tag.description === 'string' ? tag.description.trim().slice(0, longest) : ''
}

/** The number of a tag; a fraction is a pair. */
const numberOf = (group: Group, name: string): number => {
  const tag = tagOf(group, name)
  if (typeof tag !== 'object' || tag === null || !('value' in tag)) return NaN
  if (!Array.isArray(tag.value)) return Number(tag.value)
  const [above, below] = tag.value.map(Number)
  return (above ?? NaN) / (below ?? 1)
}

const perInchOf = ({ exif, jfif, png, pngFile }: Tags): number => {
  const written = numberOf(exif, 'XResolution')
  if (written > 1) return numberOf(exif, 'ResolutionUnit') === 3 ? written * 2.54 : written
  const perMetre = numberOf(png ?? pngFile, 'Pixels Per Unit X')
  if (perMetre > 1) return perMetre * 0.0254
  const unit = numberOf(jfif, 'Resolution Unit')
  if (unit === 1 || unit === 2) return numberOf(jfif, 'XResolution') * (unit === 2 ? 2.54 : 1)
  return NaN
}

const load = (bytes: Uint8Array<ArrayBuffer>): Tags => {
  try {
    return ExifReader.load(bytes.slice().buffer, { expanded: true })
  } catch {
    // What says nothing of itself, or nothing that can be read, is a picture none the less.
    return {}
  }
}

/** Many a model has the name of its maker in it. */
export const cameraFact = (make: string, model: string): Fact => ({
  name: 'camera',
  value: model.startsWith(make) ? model : `${make} ${model}`.trim(),
})

const colourOf = (tags: Tags, { say }: Words): string => {
  const { colours } = say.pictures
  const words: Record<string, string> = {
    Grayscale: colours.grey,
    RGB: colours.rgb,
    Palette: colours.palette,
    'Grayscale with Alpha': colours.grey,
    'RGB with Alpha': colours.rgb,
  }
  const components = numberOf(tags.file, 'Color Components')
  const byCount: Record<number, string> = { 1: colours.grey, 3: colours.rgb, 4: colours.cmyk }
  return entryIn(words, textOf(tags.pngFile ?? tags.png, 'Color Type')) ?? byCount[components] ?? ''
}

/**
 * What a picture says of itself: size, colours and their profile, camera, time, and who made it (EXIF, JFIF,
 * XMP, ICC; in JPEG, PNG, GIF, WebP, HEIC and AVIF).
 * @param bytes of the file
 */
export const pictureFacts = (
  bytes: Uint8Array<ArrayBuffer>,
  picture: Pick<Picture, 'width' | 'height'>,
  words: Words,
): Fact[] => {
  const isWholeNeeded = String.fromCharCode(...bytes.subarray(4, 8)) === 'ftyp'
  const tags = load(isWholeNeeded ? bytes : bytes.subarray(0, headBytes))
  const { exif, icc, xmp, file, png } = tags
  const depth = numberOf(file, 'Bits Per Sample') || numberOf(tags.pngFile ?? png, 'Bit Depth')
  const orientation = numberOf(exif, 'Orientation')
  return [
    dimensionsFact(picture, words),
    { name: 'bitDepth', value: depth > 0 ? String(depth) : '' },
    { name: 'colour', value: colourOf(tags, words) },
    { name: 'profile', value: textOf(icc, 'ICC Description') || textOf(icc, 'Profile Description') },
    resolutionFact(perInchOf(tags), words),
    { name: 'turned', value: orientation > 1 ? words.say.pictures.isTurned : '' },
    takenFact(textOf(exif, 'DateTimeOriginal') || textOf(exif, 'DateTime'), words),
    cameraFact(textOf(exif, 'Make'), textOf(exif, 'Model')),
    { name: 'program', value: textOf(exif, 'Software') || textOf(xmp, 'CreatorTool') },
    { name: 'title', value: textOf(xmp, 'title') || textOf(exif, 'ImageDescription') },
    { name: 'maker', value: textOf(exif, 'Artist') || textOf(xmp, 'creator') },
    { name: 'rights', value: textOf(exif, 'Copyright') || textOf(xmp, 'rights') },
  ]
}
