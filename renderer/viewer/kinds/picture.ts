import { readWhole } from '../content.ts'
import { element } from '../element.ts'
import type { Draw } from '../kind.ts'
import { endsEarly } from '../formats/picture-end.ts'
import { pictureFacts } from '../formats/picture-facts.ts'
import { checkPixels, openCanvas, pictureOf, type Picture } from '../parts/picture.ts'
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

/** Pictures that Chromium decodes itself: once, unless they move. */
export const draw: Draw = async (content, stage) => {
  const bytes = await readWhole(content, mostBytes)
  const blob = new Blob([bytes], { type: typeOf(bytes) })
  const address = URL.createObjectURL(blob)
  stage.signal.addEventListener('abort', () => URL.revokeObjectURL(address))
  const image = element('img', { alt: '', src: address })
  // It says its size before it is decoded.
  await new Promise((known, failed) => {
    image.addEventListener('load', known)
    image.addEventListener('error', () => failed(new Error(content.name)))
  })
  checkPixels(image.naturalWidth, image.naturalHeight)
  const isCut = endsEarly(bytes)
  const picture: Picture = pictureOf(await createImageBitmap(isCut ? paint(image) : blob))
  if (await isAnimated(blob)) picture.moving = image
  if (isCut) stage.note(stage.say.pictures.cut)
  stage.addFacts(...pictureFacts(bytes, picture, stage))
  return showPictures({ name: content.name, count: 1, open: () => Promise.resolve(picture) }, stage)
}
