import { EventEmitter } from 'node:events'
import { pathToFileURL } from 'node:url'

interface Start {
  script: string
  args: string[]
}

const [node = ''] = process.argv
const { script, args } = await new Promise<Start>((done) =>
  process.once('message', (start: Start) => done(start)),
)
const parentPort = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) => process.send?.(message),
})
process.on('message', ({ message }: { message: unknown }) => parentPort.emit('message', { data: message }))
process.on('disconnect', () => process.exit(1))
Object.assign(process, { parentPort, argv: [node, script, ...args] })
await import(pathToFileURL(script).href)
