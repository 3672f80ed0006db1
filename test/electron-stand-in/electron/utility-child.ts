import { EventEmitter } from 'node:events'
import { pathToFileURL } from 'node:url'

const [node = '', , script = '', ...args] = process.argv
const parentPort = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) => process.send?.(message),
})
process.on('message', ({ message }: { message: unknown }) => parentPort.emit('message', { data: message }))
process.on('disconnect', () => process.exit(1))
Object.assign(process, { parentPort, argv: [node, script, ...args] })
await import(pathToFileURL(script).href)
