import { parentPort } from 'node:worker_threads'
import { textOfFile } from './extract-text.ts'

// A thread of its own: a file that would keep it busy for ever, or take all its memory, ends the thread and not the archive.
parentPort?.on('message', ({ file, extension }: { file: string; extension: string }) => {
  textOfFile(file, extension)
    .catch(() => '')
    .then((text) => parentPort?.postMessage(text))
    .catch(() => undefined)
})
