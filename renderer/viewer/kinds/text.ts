import { element } from '../element.ts'
import type { Draw } from '../kind.ts'

const mostBytes = 2 * 1024 * 1024

/** Plain text. */
export const draw: Draw = async (content, { root, note, say }) => {
  const text = new TextDecoder().decode(await content.read(0, mostBytes))
  if (content.bytes > mostBytes) note(say.cut)
  root.append(element('pre', {}, text))
  return { text: () => text }
}
