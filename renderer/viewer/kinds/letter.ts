import { readWhole, type Content } from '../content.ts'
import { readLetter, type Letter } from '../formats/letter.ts'
import { readMsg } from '../formats/msg.ts'
import type { Draw } from '../kind.ts'
import { drawLetter } from '../parts/letter.ts'
import { letterFinder } from '../parts/letter-finder.ts'

/** A letter with all that is enclosed is held in memory. */
const mostBytes = 128 * 1024 * 1024

const read = async (content: Content): Promise<Letter> => {
  const bytes = await readWhole(content, mostBytes)
  const isCompound = bytes[0] === 0xd0 && bytes[1] === 0xcf
  return isCompound ? readMsg(bytes) : readLetter(bytes)
}

/** One letter: as it was sent (EML), or as Outlook keeps it (MSG). */
export const draw: Draw = async (content, stage) => {
  const { root, say, language, addFacts, note } = stage
  root.classList.add('filled')
  const letter = await read(content)
  const drawn = drawLetter(letter, { say, language, open: stage.open })
  root.append(drawn.element)
  if (letter.richText) note(say.letter.richText(letter.richText))
  if (drawn.remote > 0) note(say.letter.remote(drawn.remote))
  addFacts(
    { name: 'sender', value: letter.from },
    { name: 'attachments', value: String(letter.attachments.length || '') },
  )
  const find = letterFinder(() => drawn, stage.stands)
  return { find, text: () => drawn.text }
}
