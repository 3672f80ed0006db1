import { readWhole } from '../content.ts'
import type { Draw } from '../kind.ts'
import { openJpeg2000 } from '../formats/jpeg2000.ts'
import { dimensionsFact, resolutionFact } from '../formats/picture-facts.ts'
import { showPictures } from '../parts/picture-stage.ts'

const mostBytes = 128 * 1024 * 1024

/** Pictures of JPEG 2000, which hold themselves at several sizes. */
export const draw: Draw = async (content, stage) => {
  const { addFacts, note, say } = stage
  const { stream, picture, timesSmaller } = await openJpeg2000(await readWhole(content, mostBytes))
  const { compressions, colours } = say.pictures
  const colour = stream.components < 3 ? colours.grey : colours.rgb
  addFacts(
    dimensionsFact(stream, stage),
    { name: 'bitDepth', value: String(stream.bits) },
    { name: 'colour', value: stream.isCmyk ? colours.cmyk : colour },
    { name: 'profile', value: stream.profile },
    { name: 'compression', value: stream.isReversible ? compressions.reversible : compressions.irreversible },
    resolutionFact(stream.perInch, stage),
  )
  if (timesSmaller > 1) note(say.pictures.smaller(timesSmaller))
  return showPictures({ name: content.name, count: 1, open: () => Promise.resolve(picture) }, stage)
}
