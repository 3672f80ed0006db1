import { readWhole } from '../content.ts'
import { element } from '../element.ts'
import { Undrawable, type Draw } from '../kind.ts'
import { endsEarly } from '../formats/picture-end.ts'
import { pictureFacts } from '../formats/picture-facts.ts'
import { reducePng } from '../formats/png-rows.ts'
import { checkPixels, mostPixels, openCanvas, pictureOf } from '../parts/picture.ts'
import { showPictures } from '../parts/picture-stage.ts'

const mostBytes = 256 * 1024 * 1024

/** Whether there is more than one picture in it, one after the other. */
const isAnimated = async (blob: Blob): Promise<boolean> => {
  if (!('ImageDecoder' in window) || !(await ImageDecoder.isTypeSupported(blob.type))) return false
  const decoder = new ImageDecoder({ data: await blob.arrayBuffer(), type: blob.type })
  await decoder.tracks.ready
  const isMoving = decoder.tracks.selectedTrack?.animated ?? false
  decoder.close()
  return isMoving
}

/** Of a picture that is cut off, only this shows what there is. */
const paint = (image: HTMLImageElement): HTMLCanvasElement => {
  const context = openCanvas(image.naturalWidth, image.naturalHeight)
  context.drawImage(image, 0, 0)
  return context.canvas
}

const typeOf = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  if (first === 0xff) return 'image/jpeg'
  if (first === 0x89) return 'image/png'
  if (first === 0x47) return 'image/gif'
  if (first === 0x52) return 'image/webp'
  return first === 0x42 && second === 0x4d ? 'image/bmp' : 'image/avif'
}

/** Of these fewer pixels can be decoded than there are. */
const reducible = ['image/jpeg', 'image/png']

/** By how much a JPEG is to be smaller when it is decoded; its decoder halves the sides up to three times. */
const reductionOf = (width: number, height: number) =>
  [2, 4, 8].find((times) => width * height <= mostPixels * times ** 2)

/** So many pixels are made of a PNG that has too many: they are in memory twice for a moment. */
const mostReducedPixels = 16_000_000
/** A PNG that has more takes longer to inflate than anybody waits. */
const mostInflatedPixels = 2_000_000_000

const decodeReducedPng = async (
  bytes: Uint8Array<ArrayBuffer>,
  width: number,
  height: number,
): Promise<ImageBitmap> => {
  if (width * height > mostInflatedPixels) throw new Undrawable('too large', `${width} × ${height}`)
  let reduction = 2
  while (width * height > mostReducedPixels * reduction ** 2) reduction *= 2
  return createImageBitmap(await reducePng(bytes, reduction))
}

/**
 * The pixels of a picture, turned as it asks; fewer of them where it is a JPEG or a PNG that has more than
 * are held.
 * @throws Undrawable for another one that has more: Chromium decodes it whole, however small it is to be
 */
const decode = async (
  bytes: Uint8Array<ArrayBuffer>,
  blob: Blob,
  { width, height }: { width: number; height: number },
): Promise<ImageBitmap> => {
  if (width * height > mostPixels && blob.type === 'image/png') return decodeReducedPng(bytes, width, height)
  if (width * height <= mostPixels || blob.type !== 'image/jpeg') {
    checkPixels(width, height)
    return createImageBitmap(blob)
  }
  const times = reductionOf(width, height)
  if (times === undefined) throw new Undrawable('too large', `${width} × ${height}`)
  const [across, down] = [Math.ceil(width / times), Math.ceil(height / times)]
  const decoder = new ImageDecoder({
    data: await blob.arrayBuffer(),
    type: blob.type,
    desiredWidth: across,
    desiredHeight: down,
  })
  const { image } = await decoder.decode()
  decoder.close()
  const bitmap = await createImageBitmap(image)
  image.close()
  return bitmap
}

/** Pictures that Chromium decodes itself: once, unless they move. */
export const draw: Draw = async (content, stage) => {
  const { addFacts, note, say, signal } = stage
  const bytes = await readWhole(content, mostBytes)
  const blob = new Blob([bytes], { type: typeOf(bytes) })
  const address = URL.createObjectURL(blob)
  signal.addEventListener('abort', () => URL.revokeObjectURL(address))
  const image = element('img', { alt: '', src: address })
  // It says its size before it is decoded.
  await new Promise((known, failed) => {
    image.addEventListener('load', known)
    image.addEventListener('error', () => failed(new Error(content.name)))
  })
  const size = { width: image.naturalWidth, height: image.naturalHeight }
  addFacts(...pictureFacts(bytes, size, stage))
  const isCut = endsEarly(bytes)
  const isHeld = size.width * size.height <= mostPixels
  if (!isHeld && !reducible.includes(blob.type)) {
    const numbers = new Intl.NumberFormat(stage.language, { maximumFractionDigits: 0 })
    const [has, most] = [size.width * size.height, mostPixels].map((pixels) => numbers.format(pixels / 1e6))
    note(say.pictures.tooMany(blob.type.replace('image/', '').toUpperCase(), has ?? '', most ?? ''))
  }
  const decoded = isCut && isHeld ? await createImageBitmap(paint(image)) : await decode(bytes, blob, size)
  const picture = pictureOf(decoded, size)
  if (isHeld && (await isAnimated(blob))) picture.moving = image
  if (isCut) note(say.pictures.cut)
  if (!isHeld) note(say.pictures.reduced(Math.round(size.width / decoded.width)))
  return showPictures({ name: content.name, count: 1, open: () => Promise.resolve(picture) }, stage)
}
