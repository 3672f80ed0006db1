import { element } from '../element.ts'
import { openParts, type OfficeParts } from '../formats/office-parts.ts'
import { readOdt } from '../formats/odt.ts'
import { Undrawable, type Draw } from '../kind.ts'
import { findInFlow } from '../parts/flow.ts'

const mostXml = 24 * 1024 * 1024
const mostPicture = 32 * 1024 * 1024
const mostPictures = 300

/** Title and author as the document says them. */
const statedOf = async (parts: OfficeParts) => {
  const meta = new DOMParser().parseFromString(await parts.text('meta.xml', 1024 * 1024), 'text/xml')
  const textOf = (name: string) => meta.getElementsByTagName(name)[0]?.textContent ?? ''
  return [
    { name: 'title', value: textOf('dc:title') },
    { name: 'author', value: textOf('meta:initial-creator') || textOf('dc:creator') },
  ]
}

/** Text documents of OpenDocument. */
export const draw: Draw = async (content, stage) => {
  const { root, addFacts, note, say, signal } = stage
  const parts = await openParts(content)
  if (!parts.names.includes('content.xml')) throw new Undrawable('broken')
  const xml = await parts.text('content.xml', mostXml)
  const { nodes, pictures, isPartial } = readOdt(xml, await parts.text('styles.xml', mostXml))
  addFacts(...(await statedOf(parts)))
  const flow = element('article', { class: 'flow', tabindex: '0' }, ...nodes)
  root.append(flow)
  for (const { name, image } of pictures.slice(0, mostPictures)) {
    const address = URL.createObjectURL(new Blob([await parts.read(name, mostPicture)]))
    signal.addEventListener('abort', () => URL.revokeObjectURL(address))
    image.src = address
  }
  note(isPartial ? say.flowPartial : say.flowPages)
  const find = findInFlow(flow, stage, signal)
  return { find, text: () => flow.innerText }
}
