import { openCanvas, type Picture } from './picture.ts'

interface Turn {
  isSideways: boolean
  /** Whether what is right (below) comes from the left (above); before it is laid sideways. */
  isMirrored: boolean
  isUpsideDown: boolean
}

/** How a picture is to be seen by its orientation (TIFF 6.0, section 8, and EXIF). */
const turns: Record<number, Turn> = {
  2: { isSideways: false, isMirrored: true, isUpsideDown: false },
  3: { isSideways: false, isMirrored: true, isUpsideDown: true },
  4: { isSideways: false, isMirrored: false, isUpsideDown: true },
  5: { isSideways: true, isMirrored: false, isUpsideDown: false },
  6: { isSideways: true, isMirrored: true, isUpsideDown: false },
  7: { isSideways: true, isMirrored: true, isUpsideDown: true },
  8: { isSideways: true, isMirrored: false, isUpsideDown: true },
}

export const isReoriented = (orientation: number): boolean => orientation in turns

/** A picture the way up that its file asks for. */
export const oriented = (picture: Picture, orientation: number): Picture => {
  const turn = turns[orientation]
  if (!turn) return picture
  const { isSideways, isMirrored, isUpsideDown } = turn
  const [width, height] = isSideways ? [picture.height, picture.width] : [picture.width, picture.height]
  return {
    ...picture,
    width,
    height,
    paint: async (...[part, context, signal]: Parameters<Picture['paint']>) => {
      const across = isMirrored ? width - part.left - part.width : part.left
      const down = isUpsideDown ? height - part.top - part.height : part.top
      const inside = {
        left: isSideways ? down : across,
        top: isSideways ? across : down,
        width: isSideways ? part.height : part.width,
        height: isSideways ? part.width : part.height,
        reduction: part.reduction,
      }
      const { width: w, height: h } = context.canvas
      const plain = openCanvas(isSideways ? h : w, isSideways ? w : h)
      const isAll = await picture.paint(inside, plain, signal)
      const [x, y] = [isMirrored ? -1 : 1, isUpsideDown ? -1 : 1]
      context.save()
      context.translate(isMirrored ? w : 0, isUpsideDown ? h : 0)
      if (isSideways) context.transform(0, y, x, 0, 0, 0)
      else context.transform(x, 0, 0, y, 0, 0)
      context.drawImage(plain.canvas, 0, 0)
      context.restore()
      return isAll
    },
  }
}
