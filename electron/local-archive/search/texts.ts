import { background, toProcess } from '../../common/background.ts'
import { openRequestThread } from '../../common/request-thread.ts'
import { textForms, typeOfFile } from './file-types.ts'

const patienceMs = 20_000
const memoryMb = 512

/** A file whose text is wanted. */
export interface FileToRead {
  file: string
  extension: string
}

/**
 * The text of files, each drawn out in a thread that may fail: a file without text, or one that is too hard,
 * gives the empty one.
 */
export const textReader = (script: URL) => {
  const thread = openRequestThread<FileToRead>({
    task: 'draws out texts',
    script,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const textOf = async (wanted: FileToRead): Promise<string> => {
    // A file that keeps the thread busy for ever ends it, and whoever waits is told.
    const timer = setTimeout(() => background(thread.terminate(), toProcess), patienceMs)
    try {
      return String(await thread.request(wanted))
    } catch {
      return ''
    } finally {
      clearTimeout(timer)
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  /** One after the other: a file that ends the thread takes the text of no other with it. */
  const inTurn = (wanted: FileToRead) => {
    const text = last.then(() => textOf(wanted))
    last = text
    return text
  }
  return {
    read: async (file: string, name: string) => {
      const { extension } = typeOfFile(name)
      return extension in textForms ? inTurn({ file, extension }) : ''
    },
    close: thread.terminate,
  }
}
