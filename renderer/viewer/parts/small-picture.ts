import type { SmallPicture } from '../messages.ts'
import { openCanvas, type Picture } from './picture.ts'

/**
 * A canvas as a small picture on white paper, on the longer side no longer than this.
 * @param degrees by which it is turned to the right: a multiple of 90
 */
export const smallOf = (canvas: HTMLCanvasElement, side: number, degrees = 0): SmallPicture => {
  const scale = Math.min(1, side / Math.max(canvas.width, canvas.height))
  const scaled = (length: number) => Math.max(1, Math.round(length * scale))
  const [across, down] = [scaled(canvas.width), scaled(canvas.height)]
  const isSideways = degrees % 180 !== 0
  const [width, height] = isSideways ? [down, across] : [across, down]
  const context = openCanvas(width, height)
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.translate(width / 2, height / 2)
  context.rotate((degrees * Math.PI) / 180)
  context.drawImage(canvas, -across / 2, -down / 2, across, down)
  const { data } = context.getImageData(0, 0, width, height)
  return { width, height, pixels: new Uint8ClampedArray(data) }
}

/** All of a picture, small: at most twice as large is painted first. @throws whatever is wrong with it */
export const smallPictureOf = async (
  { width, height, paint }: Picture,
  side: number,
  signal: AbortSignal,
  degrees = 0,
): Promise<SmallPicture> => {
  const reduction = 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / (2 * side))))
  const context = openCanvas(Math.ceil(width / reduction), Math.ceil(height / reduction))
  await paint({ left: 0, top: 0, width, height, reduction }, context, signal)
  return smallOf(context.canvas, side, degrees)
}
