import { element } from '../element.ts'
import { Undrawable } from '../kind.ts'

/** A rectangle of a picture, in its pixels, and by how much it is to be smaller when it is painted. */
export interface Part {
  left: number
  top: number
  width: number
  height: number
  /** So many pixels of the picture, on a side, become one: 1, 2, 4, 8 … */
  reduction: number
}

/** A picture of which any part can be had, smaller or as it is. */
export interface Picture {
  width: number
  height: number
  /** So many times larger than it says it is: one that has no pixels of its own. */
  enlarged?: number
  /**
   * Paints a part of it, from the upper left corner of the context on.
   * @returns false where some of it could not be read, and is left as it was
   * @throws whatever is wrong where none of it can
   */
  paint: (part: Part, context: CanvasRenderingContext2D, signal: AbortSignal) => Promise<boolean> | boolean
  /** What lies over it and moves by itself: an animation, which no canvas shows. */
  moving?: HTMLElement
  /** Goes through all of it, and says now and then that more of it can be painted. */
  complete?: (changed: () => void, signal: AbortSignal) => Promise<void>
}

/**
 * More pixels than these are not decoded: they are 256 MB, smaller pictures are made of them, and a frame
 * that takes 512 MB is ended.
 */
export const mostPixels = 64_000_000

/** @throws Undrawable where a picture has no pixels, or too many to be held. */
export const checkPixels = (width: number, height: number): void => {
  if (!(width >= 1 && height >= 1)) throw new Undrawable('broken')
  if (width * height > mostPixels) throw new Undrawable('too large', `${width} × ${height}`)
}

/** A canvas whose pixels lie in this process, and are not sent to a graphics card and back. */
export const openCanvas = (width: number, height: number): CanvasRenderingContext2D => {
  const canvas = element('canvas', { width: String(width), height: String(height) })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('No canvas')
  return context
}

/**
 * A picture that was decoded whole. Smaller ones are made of it once, when they are first painted.
 * @param size the picture’s own, where fewer of its pixels were decoded
 */
export const pictureOf = (
  decoded: ImageBitmap,
  { width, height }: Pick<Picture, 'width' | 'height'> = decoded,
): Picture => {
  const finest = Math.max(1, Math.round(width / decoded.width))
  const smaller = new Map<number, Promise<ImageBitmap>>([[finest, Promise.resolve(decoded)]])
  const reducedBy = (reduction: number) => {
    const made =
      smaller.get(reduction) ??
      createImageBitmap(decoded, {
        resizeWidth: Math.ceil(width / reduction),
        resizeHeight: Math.ceil(height / reduction),
        resizeQuality: 'medium',
      })
    smaller.set(reduction, made)
    return made
  }
  return {
    width,
    height,
    paint: async ({ left, top, reduction }, context) => {
      const source = await reducedBy(Math.max(finest, reduction))
      context.drawImage(source, -left / reduction, -top / reduction, width / reduction, height / reduction)
      return true
    },
  }
}
