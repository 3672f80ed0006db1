import { TooLarge, Unreachable } from './content.ts'
import { Undrawable, type Stage } from './kind.ts'
import type { Trouble } from './messages.ts'

/** What is said of code, of XML and of letters that go deeper into themselves than there is room for. */
const isTooNested = (detail: string) =>
  /Maximum (call stack|MIME nesting)|Excessive node nesting/.test(detail)

/** Why a file is not drawn. */
export const troubleOf = (error: unknown): { trouble: Trouble; detail: string } => {
  const detail = error instanceof Error ? error.message : String(error)
  if (error instanceof Undrawable) return { trouble: error.trouble, detail }
  if (error instanceof TooLarge) return { trouble: 'too large', detail }
  if (isTooNested(detail)) return { trouble: 'too complex', detail }
  return { trouble: error instanceof Unreachable ? 'unreachable' : 'broken', detail }
}

/**
 * Says why only the beginning of a file is drawn. An archive that went away is no damage of the file.
 * @param broken the sentence where it is damaged
 */
export const noteRest = ({ note, say }: Pick<Stage, 'note' | 'say'>, error: unknown, broken: string) => {
  const { trouble } = troubleOf(error)
  if (trouble === 'unreachable') note(say.rest.unreachable)
  else note(trouble === 'broken' ? broken : say.rest.tooMuch)
}
