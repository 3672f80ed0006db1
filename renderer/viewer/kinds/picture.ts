import { element } from '../element.ts'
import { readWhole } from '../content.ts'
import type { Draw } from '../kind.ts'

/** Pictures that Chromium decodes itself. */
export const draw: Draw = async (content, { root, addFacts, signal }) => {
  const address = URL.createObjectURL(new Blob([await readWhole(content)]))
  signal.addEventListener('abort', () => URL.revokeObjectURL(address))
  const image = element('img', { alt: content.name, src: address })
  await image.decode()
  addFacts({ name: 'dimensions', value: `${image.naturalWidth} × ${image.naturalHeight}` })
  root.append(image)
  return {}
}
