import path from 'node:path'
import { parseArgs } from 'node:util'
import { startArchive } from './start.ts'

/** The command line of the archive: `--data DIR`, and if wanted `--port N` and `--sample`. */
const start = async () => {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, data: { type: 'string' }, sample: { type: 'boolean', default: false } } })
  const { port, data, sample } = values
  if (data === undefined) throw new Error('Say where the archive keeps its files: --data DIR')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) throw new Error(`“${port}” is not a port: give a number up to 65535.`)
  await startArchive({ data: path.resolve(data), port: Number(port), sample })
}

start().catch((error: unknown) => {
  console.error((error as Error).message)
  process.exit(1)
})
