import { readWhole } from '../content.ts'
import { Undrawable, type Draw } from '../kind.ts'
import { pictureFacts } from '../formats/picture-facts.ts'
import { checkPixels, pictureOf } from '../parts/picture.ts'
import { showPictures } from '../parts/picture-stage.ts'

const mostBytes = 64 * 1024 * 1024

/** Pictures of HEIF with HEVC, as telephones take them: each of those in the file is a page. */
export const draw: Draw = async (content, stage) => {
  const bytes = await readWhole(content, mostBytes)
  // Under the LGPL it stays a file of its own, which can be replaced.
  const { default: openLibrary } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs')
  const { HeifDecoder } = openLibrary()
  const images = new HeifDecoder().decode(bytes)
  if (images.length === 0) throw new Undrawable('broken', 'no picture')
  const open = async (index: number) => {
    const image = images[index]
    const [width, height] = [image?.get_width() ?? 0, image?.get_height() ?? 0]
    checkPixels(width, height)
    const pixels = new ImageData(width, height)
    await new Promise<void>((decoded, failed) => {
      image?.display(pixels, (given) => (given ? decoded() : failed(new Undrawable('broken', 'HEVC'))))
    })
    const picture = pictureOf(await createImageBitmap(pixels))
    if (index === 0) stage.addFacts(...pictureFacts(bytes, picture, stage))
    return picture
  }
  return showPictures({ name: content.name, count: images.length, open }, stage)
}
