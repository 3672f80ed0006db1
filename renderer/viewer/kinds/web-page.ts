import { readWhole } from '../content.ts'
import type { Draw } from '../kind.ts'
import { letterFinder } from '../parts/letter-finder.ts'
import { drawPage } from '../parts/web-page.ts'

const mostBytes = 16 * 1024 * 1024

/** A page in HTML by itself: what it refers to is not there. */
export const draw: Draw = async (content, stage) => {
  const bytes = await readWhole(content, mostBytes)
  const page = await drawPage(bytes, { stage, name: content.name })
  stage.root.classList.add('filled')
  stage.root.append(page.frame)
  return { find: letterFinder(() => page, stage.stands), text: () => page.text }
}
