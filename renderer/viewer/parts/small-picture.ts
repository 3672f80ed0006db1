import type { SmallPicture } from '../messages.ts'
import { openCanvas, type Picture } from './picture.ts'

/** A canvas as a small picture on white paper, on the longer side no longer than this. */
export const smallOf = (canvas: HTMLCanvasElement, side: number): SmallPicture => {
  const scale = Math.min(1, side / Math.max(canvas.width, canvas.height))
  const width = Math.max(1, Math.round(canvas.width * scale))
  const height = Math.max(1, Math.round(canvas.height * scale))
  const context = openCanvas(width, height)
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(canvas, 0, 0, width, height)
  const { data } = context.getImageData(0, 0, width, height)
  return { width, height, pixels: new Uint8ClampedArray(data) }
}

/** All of a picture, small: at most twice as large is painted first. @throws whatever is wrong with it */
export const smallPictureOf = async (
  { width, height, paint }: Picture,
  side: number,
  signal: AbortSignal,
): Promise<SmallPicture> => {
  const reduction = 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / (2 * side))))
  const context = openCanvas(Math.ceil(width / reduction), Math.ceil(height / reduction))
  await paint({ left: 0, top: 0, width, height, reduction }, context, signal)
  return smallOf(context.canvas, side)
}
