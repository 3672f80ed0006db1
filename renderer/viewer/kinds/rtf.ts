import { readWhole } from '../content.ts'
import { element } from '../element.ts'
import { RtfReader } from '../formats/rtf.ts'
import type { Draw } from '../kind.ts'
import { findInFlow } from '../parts/flow.ts'

const mostBytes = 48 * 1024 * 1024

/** PNG and JPEG; metafiles of Windows are no pictures to a browser. */
const isShown = (hex: string) => /^(89504e47|ffd8ff)/i.test(hex)

const bytesOf = (hex: string) => {
  const digits = hex.replace(/[^0-9a-f]/gi, '')
  return Uint8Array.from({ length: digits.length >> 1 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  )
}

/** Documents in Rich Text Format. */
export const draw: Draw = async (content, stage) => {
  const { root, addFacts, note, say, signal } = stage
  const bytes = await readWhole(content, mostBytes)
  const text = Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, part) =>
    String.fromCharCode(...bytes.subarray(part * 8192, (part + 1) * 8192)),
  ).join('')
  const { nodes, title, author, pictures } = new RtfReader().read(text)
  addFacts({ name: 'title', value: title }, { name: 'author', value: author })
  for (const { hex, image } of pictures) {
    if (!isShown(hex)) {
      image.remove()
      continue
    }
    const address = URL.createObjectURL(new Blob([bytesOf(hex)]))
    signal.addEventListener('abort', () => URL.revokeObjectURL(address))
    image.src = address
  }
  const flow = element('article', { class: 'flow', tabindex: '0' }, ...nodes)
  root.append(flow)
  note(pictures.every(({ hex }) => isShown(hex)) ? say.flowPages : say.flowPartial)
  const find = findInFlow(flow, stage, signal)
  return { find, text: () => flow.innerText }
}
