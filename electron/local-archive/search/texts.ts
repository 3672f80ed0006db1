import { Worker } from 'node:worker_threads'
import { textForms, typeOfFile } from './file-types.ts'

const patienceMs = 20_000
const memoryMb = 512

/** The text of files, each drawn out in a thread that may fail: a file without text, or one that is too hard, gives the empty one. */
export const textReader = (script: URL) => {
  let worker: Worker | undefined
  const ask = (file: string, extension: string) =>
    new Promise<string>((done) => {
      const thread = (worker ??= new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } }))
      const end = (text: string) => {
        clearTimeout(timer)
        thread.off('message', end).off('error', giveUp).off('exit', giveUp)
        done(text)
      }
      const giveUp = () => {
        worker = undefined
        end('')
        thread.on('error', () => undefined)
        void thread.terminate()
      }
      const timer = setTimeout(giveUp, patienceMs)
      thread.once('message', end)
      thread.once('error', giveUp)
      thread.once('exit', giveUp)
      thread.postMessage({ file, extension })
    })
  return {
    read: async (file: string, name: string) => {
      const { extension } = typeOfFile(name)
      return extension in textForms ? ask(file, extension) : ''
    },
    close: async () => {
      await worker?.terminate()
      worker = undefined
    },
  }
}
