import { isUtf8 } from 'node:buffer'
import { openSplitter, readElement, SplitError } from '../archive-client/split-array.ts'
import { serveRequests } from '../common/serve-requests.ts'
import { dataOfThread } from '../common/worker-data.ts'
import { listOf } from '../dialects/dialect.ts'
import type { Dialects } from '../dialects/dialects.ts'
import { digestOf } from '../store/element-cursor.ts'
import type { ParsedList, ParsedPart, PartToParse } from '../store/parse-ahead.ts'

/**
 * Gathers what the elements of a part are.
 * @param modelOf the model of an element's one record; null where there is more or less to say of it
 */
const openGathering = (modelOf: (element: Buffer) => unknown) => {
  let elements: Buffer[] = []
  let models: string[] = []
  return {
    take: (element: Buffer) => {
      elements.push(Buffer.from(element))
      models.push(JSON.stringify(modelOf(element)))
    },
    /** What came since it was asked last. */
    gathered: (trouble: ParsedPart['trouble']): ParsedPart => {
      const part = {
        bytes: Buffer.concat(elements),
        lengths: Uint32Array.from(elements, ({ length }) => length),
        digests: elements.map(digestOf),
        models: `[${models.join(',')}]`,
        trouble,
      }
      ;[elements, models] = [[], []]
      return part
    },
  }
}

/**
 * Cuts the rest of a list into its elements and reads them, as the script of the thread that does so. Whoever
 * asked reads for itself what is not one record of text, and says what is wrong with it.
 * @param dialects those that archives may speak
 */
export const serveParsing = (dialects: Dialects) => {
  const { dialect, subject, position: first, rest } = dataOfThread<ParsedList>()
  const list = listOf(dialects.named(dialect), subject)
  let position = first - 1
  const modelOf = (element: Buffer): unknown => {
    position += 1
    if (!isUtf8(element)) return null
    try {
      const { rows, unreadable } = list?.read(readElement(element.toString('utf8')), position) ?? {}
      const [row] = rows ?? []
      return row && rows?.length === 1 && unreadable?.length === 0 ? row.model : null
    } catch {
      return null
    }
  }
  const gathering = openGathering(modelOf)
  const splitter = openSplitter(true)
  const troubleIn = (work: () => void): ParsedPart['trouble'] => {
    try {
      work()
      return null
    } catch (error) {
      if (error instanceof SplitError) return { kind: error.trouble, found: Buffer.from(error.excerpt) }
      throw error
    }
  }
  const trouble = troubleIn(() => splitter.take(Buffer.from(rest), gathering))

  serveRequests<PartToParse>((part) =>
    gathering.gathered(
      trouble ??
        troubleIn(() =>
          part === null ? splitter.end(gathering) : splitter.take(Buffer.from(part), gathering),
        ),
    ),
  )
}
